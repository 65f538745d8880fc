package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// A quiescence is a quiescence search: it evaluates positions and follows their captures
// and shots. It contains the search stack and counts the positions entered. AlphaBeta
// and MCTS each have one.
type quiescence struct {
	budget
	frames         []frame
	evaluator      eval.Evaluator
	lazy           eval.Lazy // the same; nil if the evaluator does not implement it
	quietInvariant bool      // of the evaluator
	noise          int       // maximum added to evaluations
	seed           uint64    // of the noise
}

func newQuiescence(game env.Game, evaluator eval.Evaluator, noise, frames int) quiescence {
	lazy, _ := evaluator.(eval.Lazy)
	return quiescence{
		frames: newFrames(game, frames), evaluator: evaluator, lazy: lazy, quietInvariant: evaluator.QuietInvariant(), noise: noise,
	}
}

// make plays an action of one frame and puts the position after it into the next.
func (q *quiescence) make(ply int, a env.Action) {
	f, next := &q.frames[ply], &q.frames[ply+1]
	next.state.CopyFrom(f.state)
	next.state.Apply(a)
	f.played = a
	next.mover = next.state.Player()
	next.hasStatic, next.hasValue = false, false
}

// evaluate returns the evaluation of a frame's position with noise, from its mover's view.
func (q *quiescence) evaluate(ply int) int {
	f := &q.frames[ply]
	if f.hasValue {
		return f.value
	}
	if !f.hasStatic {
		f.static, f.hasStatic = q.evaluator.Evaluate(f.state), true
	}
	f.value, f.hasValue = f.static+q.noiseAt(f), true
	return f.value
}

// evaluateWithin is evaluate if the value may lie between alpha and beta. Otherwise it may
// return a bound, on the same side of the window.
func (q *quiescence) evaluateWithin(ply, alpha, beta int) int {
	f := &q.frames[ply]
	if f.hasValue || f.hasStatic || q.lazy == nil {
		return q.evaluate(ply)
	}
	value, exact := q.lazy.EvaluateWithin(f.state, alpha-q.noise, beta+q.noise)
	if !exact {
		return value
	}
	f.static, f.hasStatic = value, true
	return q.evaluate(ply)
}

// evaluateFor is evaluate from p's view.
func (q *quiescence) evaluateFor(p env.Player, ply int) int {
	if q.frames[ply].mover == p {
		return q.evaluate(ply)
	}
	return -q.evaluate(ply)
}

// noiseAt returns the noise of a position, from −noise to noise.
func (q *quiescence) noiseAt(f *frame) int {
	if q.noise == 0 {
		return 0
	}
	span := uint64(2*q.noise + 1)
	return int(env.Derive(q.seed, f.state.Hash())>>32*span>>32) - q.noise
}

// inheritStatic copies a frame's static evaluation to the next frame after a quiet
// action, if the evaluator guarantees that it did not change.
func (q *quiescence) inheritStatic(ply int) {
	f, next := &q.frames[ply], &q.frames[ply+1]
	if !q.quietInvariant || !f.hasStatic {
		return
	}
	next.static, next.hasStatic = f.static, true
	if next.mover != f.mover {
		next.static = -f.static
	}
}

// quiesce follows captures and shots for at most depth plies. The mover may stand pat
// at any time. It skips an action after which the enemy can stand pat for a score of
// at most alpha to the mover.
func (q *quiescence) quiesce(ply, depth, alpha, beta int) int {
	f, next := &q.frames[ply], &q.frames[ply+1]
	f.pv = f.pv[:0]
	best := q.evaluate(ply)
	if best >= beta || depth == 0 || f.noisy == nil {
		return best
	}
	alpha = max(alpha, best)
	f.tactical = f.noisy.Noisy(f.tactical[:0])
	f.moves = f.moves[:0]
	for _, a := range f.tactical {
		q.make(ply, a)
		if q.countNode(); q.stopped {
			return best
		}
		rank := math.MaxInt32 // if the mover moves again, the enemy has no chance to stand pat
		if next.mover == env.NoPlayer {
			rank = terminalScore(next.state, f.mover, ply+1)
			if next.pv = next.pv[:0]; rank > alpha {
				alpha = rank
				f.updatePV(a, next)
			}
			best = max(best, rank)
			if best >= beta {
				return best
			}
			continue
		} else if next.mover != f.mover {
			rank = q.evaluateFor(f.mover, ply+1)
		}
		if rank > alpha {
			f.moves = append(f.moves, move{a, int32(rank), true})
		} else {
			best = max(best, rank)
		}
	}
	f.moves.sortByRank()
	for _, m := range f.moves {
		if int(m.rank) <= alpha {
			return max(best, int(m.rank))
		}
		q.make(ply, m.action)
		score := 0
		if next.mover == f.mover {
			score = q.quiesce(ply+1, depth-1, alpha, beta)
		} else {
			next.hasValue, next.value = true, -int(m.rank)
			score = -q.quiesce(ply+1, depth-1, -beta, -alpha)
		}
		if q.stopped {
			return best
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha = score
			f.updatePV(m.action, next)
		}
		if score >= beta {
			return best
		}
	}
	return best
}
