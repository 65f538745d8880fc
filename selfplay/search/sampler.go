package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A Sampler draws actions at a temperature. It must not be used concurrently.
type Sampler struct {
	quiescence
	weights []uint64 // of the actions of one draw
}

// NewSampler returns a sampler for a game.
func NewSampler(game env.Game, evaluator eval.Evaluator) *Sampler {
	return &Sampler{quiescence: newQuiescence(game, evaluator, 0, MaxQuiescence+3)}
}

// Sample returns one of the legal actions of a running position. The value v of an action
// is the expected result, on the scale of [Value], of the score after it, which a
// quiescence search finds. The action is drawn with a probability proportional to
// exp(1000·v/temperature).
func (s *Sampler) Sample(from env.State, legal []env.Action, temperature int, r *env.Rand) env.Action {
	values := make([]int, len(legal))
	best := -winValue
	s.start(Limits{})
	s.frames[0].set(from)
	for i, a := range legal {
		values[i] = valueOf(s.after(a))
		best = max(best, values[i])
	}
	s.weights = s.weights[:0]
	total := 0
	for _, v := range values {
		const binaryE = 6196328019 // binary logarithm of e, with fixedBits fractional bits
		weight := power(int64(v-best) * 1000 / int64(temperature) * binaryE / winValue)
		s.weights = append(s.weights, weight)
		total += int(weight)
	}
	draw := r.IntN(total)
	for i, weight := range s.weights {
		if draw -= int(weight); draw < 0 {
			return legal[i]
		}
	}
	return legal[len(legal)-1]
}

// after returns the score after an action at the root, from the view of the player who
// takes it.
func (s *Sampler) after(a env.Action) int {
	s.make(0, a)
	mover := s.frames[0].mover
	switch next := &s.frames[1]; next.mover {
	case env.NoPlayer:
		return terminalScore(next.state, mover, 1)
	case mover:
		return s.quiesce(1, MaxQuiescence, -math.MaxInt32, math.MaxInt32)
	}
	return -s.quiesce(1, MaxQuiescence, -math.MaxInt32, math.MaxInt32)
}
