package selfplay

import (
	"errors"
	"fmt"
	"io"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/vec"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// policy lets an agent be the opponent in a batch of environments.
type policy struct {
	spec  agent.Spec
	game  env.Game
	agent agent.Agent
	found dataset.Search
}

// NewPolicy makes an agent the opponent in a batch of the game's environments. Each
// choice begins with a new seed from the slot's generator, so that it does not depend on
// earlier choices.
func NewPolicy(spec agent.Spec, game env.Game) (vec.Policy, error) {
	a, err := spec.New(game)
	if err != nil {
		return nil, err
	}
	if c, ok := a.(io.Closer); ok {
		return nil, errors.Join(fmt.Errorf("agent %s must be closed, so it cannot be an opponent in a batch", spec), c.Close())
	}
	return &policy{spec: spec, game: game, agent: a}, nil
}

func (p *policy) Choose(s env.State, legal []env.Action, r *env.Rand) env.Action {
	p.agent.Begin(r.Uint64())
	p.found = dataset.Search{Visits: p.found.Visits[:0]}
	return p.agent.Choose(s, legal, &p.found)
}

// Forfeit implements env.Forfeiter.
func (p *policy) Forfeit() (env.Reason, string) { return env.ForfeitOf(p.agent) }

func (p *policy) Clone() (vec.Policy, error) { return NewPolicy(p.spec, p.game) }
