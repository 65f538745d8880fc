package agent

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// greedy looks one ply ahead: it wins at once if it can, and otherwise plays the
// action with the best score; the seed breaks ties. A draw counts as an even score,
// and an immediate loss is the worst. It reports the score of its choice and the number
// of positions it evaluated.
type greedy struct {
	rand env.Rand
	next env.State
	ties []env.Action
	_    [8]byte // fills a cache line: see env.Spec.NewActions
}

func newGreedy(game env.Game) (Agent, error) {
	next := env.NewState(game)
	if _, ok := next.(env.Scorer); !ok {
		return nil, fmt.Errorf("%s has no score, which greedy needs", game.Spec().Game)
	}
	return &greedy{next: next, ties: game.Spec().NewActions()}, nil
}

func (g *greedy) Begin(seed uint64) { g.rand.Seed(seed) }

func (g *greedy) Choose(s env.State, legal []env.Action, found *dataset.Search) env.Action {
	mover := s.Player()
	best := math.MinInt
	for _, a := range legal {
		g.next.CopyFrom(s)
		g.next.Apply(a)
		score := immediate(g.next, mover)
		if score > best {
			best = score
			g.ties = g.ties[:0]
		}
		if score == best {
			g.ties = append(g.ties, a)
		}
	}
	found.Score, found.Nodes, found.Depth = int32(best), int64(len(legal)), 1
	found.Has = dataset.HasScore | dataset.HasNodes | dataset.HasDepth
	return g.ties[g.rand.IntN(len(g.ties))]
}

// immediate evaluates a position for a player by its result or, while the game runs,
// by its score, on the scale of package search.
func immediate(s env.State, p env.Player) int {
	result, reason := s.Result()
	if reason == env.NoReason {
		return max(-eval.Bound, min(eval.Bound, env.Score(s.(env.Scorer), p)*eval.Unit))
	}
	return result.For(p) * (search.Win - 1)
}
