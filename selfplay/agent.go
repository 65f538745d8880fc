package selfplay

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// An Agent chooses actions for either side. It belongs to one goroutine and
// plays one episode at a time in one seat; two seats are two Agents.
type Agent interface {
	// Begin starts an episode. From here to the next Begin the choices depend on
	// the seed and the positions alone.
	Begin(seed uint64)
	// Choose returns one of the legal actions of s, which it must not change.
	// legal is the caller's and lists them in ascending order, never empty.
	// What the agent has to tell of its choice goes into told, which is empty.
	Choose(s env.State, legal []env.Action, told *dataset.Search) env.Action
}
