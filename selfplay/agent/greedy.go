package agent

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// greedy looks one ply ahead: a win at once, else the best score after the
// action, ties broken by the seed. A draw counts as an even score, a loss at
// once is avoided. It tells the score of its choice and the positions it looked at.
type greedy struct {
	rand env.Rand
	next env.State
	ties []env.Action
	_    [8]byte // a cache line of its own: see env.Spec.NewActions
}

func newGreedy(game env.Game, _ *Spec) (Agent, error) {
	next := env.NewState(game)
	if _, ok := next.(env.Scorer); !ok {
		return nil, fmt.Errorf("%s keeps no score, which greedy needs", game.Spec().Game)
	}
	return &greedy{next: next, ties: game.Spec().NewActions()}, nil
}

func (g *greedy) Begin(seed uint64) { g.rand.Seed(seed) }

func (g *greedy) Choose(s env.State, legal []env.Action, told *dataset.Search) env.Action {
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
	told.Score, told.Nodes, told.Depth = int32(best), int64(len(legal)), 1
	told.Has = dataset.HasScore | dataset.HasNodes | dataset.HasDepth
	return g.ties[g.rand.IntN(len(g.ties))]
}

// immediate values a position one ply on for a player by its result, else by its
// score, on the scale of package search.
func immediate(s env.State, p env.Player) int {
	result, reason := s.Result()
	if reason == env.NoReason {
		return max(-eval.Bound, min(eval.Bound, env.Score(s.(env.Scorer), p)*eval.Unit))
	}
	return result.For(p) * (search.Win - 1)
}
