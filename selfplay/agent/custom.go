package agent

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// customKind begins the recorded string of a custom agent.
const customKind = "custom"

// Custom returns the Spec of an agent of this Go program. make is called for each
// goroutine that plays; it may be called by several at once. timed says that the
// agent thinks in seconds, so that its games cannot be played again.
//
// The name identifies the agent wherever agents are compared or recorded, as
// "custom:NAME": agents that play differently need different names.
func Custom(name string, timed bool, make func(env.Game) (Agent, error)) Spec {
	return Spec{kind: &kind{
		name: customKind + ":" + name, timed: timed, custom: true, plies: always(customPlies),
		make: func(game env.Game, _ *Spec) (Agent, error) { return make(game) },
	}}
}

const customPlies = 1_000_000 // of an unknown agent in ten seconds

// Portable returns an error that says why a job of a farm, which travels to other
// machines, cannot name the agent; nil when it can.
func (a Spec) Portable() error {
	switch {
	case a.kind.custom:
		return fmt.Errorf("agent %s exists only in the Go program that made it; a farm plays agents that a string describes: exec:NAME runs a program", a)
	case a.table != nil:
		return fmt.Errorf("agent %s: %w", a, errTableStays)
	}
	return nil
}
