package agent

import (
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// random plays uniformly random legal actions.
type random struct {
	rand env.Rand
	_    [48]byte // fills a cache line: see env.Spec.NewActions
}

func newRandom(env.Game) (Agent, error) { return new(random), nil }

func (r *random) Begin(seed uint64) { r.rand.Seed(seed) }

func (r *random) Choose(_ env.State, legal []env.Action, _ *dataset.Search) env.Action {
	return legal[r.rand.IntN(len(legal))]
}
