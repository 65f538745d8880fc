package agent

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// customKind begins the recorded string of a custom agent.
const customKind = "custom"

// Custom returns the Spec of an agent that the calling program implements. Each
// goroutine that plays calls make for its own agents, so make must be safe for
// concurrent use. timed says that time decides what the agent plays ([Spec.Timed]).
//
// The agent is compared and recorded by its name, as "custom:NAME": agents that play
// differently need different names.
func Custom(name string, timed bool, make func(env.Game) (Agent, error)) Spec {
	return Spec{kind: &kind{name: customKind + ":" + name, timed: timed, custom: true}, settings: plain{customPace, make}}
}

// customPace is the pace that is assumed of a custom agent.
const customPace = 1_000_000

// Portable returns an error if a job of a farm, which travels to other machines, cannot
// carry the agent.
func (a Spec) Portable() error {
	switch {
	case a.kind.custom:
		return fmt.Errorf("agent %s exists only in the Go program that made it; other machines can run a program instead, exec:NAME", a)
	case a.table != nil:
		return fmt.Errorf("agent %s: %w", a, errTableStays)
	}
	return nil
}
