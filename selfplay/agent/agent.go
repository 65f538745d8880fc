package agent

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// An Agent chooses actions for one player. It belongs to one goroutine and plays one
// episode at a time; a game between two players needs two Agents. An Agent that is an
// io.Closer must be closed.
//
// An Agent that is an env.Forfeiter says why it gave a game up.
type Agent interface {
	// Begin starts an episode. Until the next Begin, the choices depend only on the
	// seed and on the positions.
	Begin(seed uint64)
	// Choose returns one of the legal actions of s, which it must not change. legal
	// lists these actions in ascending order; it is never empty and belongs to the
	// caller. Choose may describe its search in search, which is empty. An agent
	// that returns env.NoAction gives up and loses.
	Choose(s env.State, legal []env.Action, search *dataset.Search) env.Action
}

// A Watcher is an Agent that needs the history of the game, for example because it
// runs in another process and repetitions matter.
type Watcher interface {
	// Watch is called after Begin with the start position of the episode, before
	// any random opening. An error means that the agent cannot play at all; it does
	// not lose the game.
	Watch(start env.State) error
	// Played is called with each action of the episode in order, those of the opening
	// and the agent's own included.
	Played(a env.Action)
}

// An Analyst is an Agent that can report several lines of play.
type Analyst interface {
	Agent
	// Analyze searches a running position with the limits of Choose, for the given
	// number of lines, which differ in their first action. It stops early when done
	// is closed. It calls report with intermediate results. Every result is valid
	// until the next call.
	Analyze(s env.State, lines int, done <-chan struct{}, report func(*search.Result)) *search.Result
}

// A Stopper is an Agent whose choice can be interrupted.
type Stopper interface {
	Agent
	// StopWhen makes Choose return early, with the best action that it has found, when
	// done is closed. It holds until the next call; nil means that nothing interrupts.
	StopWhen(done <-chan struct{})
}
