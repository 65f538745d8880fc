package agent

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// An Agent chooses actions for either side. It belongs to one goroutine and
// plays one episode at a time in one seat; two seats are two Agents. One that is an
// io.Closer must be closed.
type Agent interface {
	// Begin starts an episode. From here to the next Begin the choices depend on
	// the seed and the positions alone.
	Begin(seed uint64)
	// Choose returns one of the legal actions of s, which it must not change.
	// legal is the caller's and lists them in ascending order, never empty.
	// What the agent has to tell of its choice goes into told, which is empty.
	// An agent that cannot or will not choose returns env.NoAction and loses.
	Choose(s env.State, legal []env.Action, told *dataset.Search) env.Action
}

// A Watcher is an Agent that must know how a position came about. An Agent that
// shares nothing with this program but texts is one, because positions repeat.
type Watcher interface {
	// Watch follows Begin and tells where the episode begins, before a random
	// opening. The error says that the agent cannot play at all: it is no loss.
	Watch(start env.State) error
	// Played tells of each action since, in order, the agent's own included.
	Played(a env.Action)
}

// An Analyst is an Agent that can tell several lines of play.
type Analyst interface {
	Agent
	// Analyze looks ahead from a running position as Choose does, for so many
	// lines, each with another first action, until its limits or until done is
	// closed. It calls report with what it has found so far. The results are valid
	// until the next call.
	Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result
}
