package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// settle is the quiescence search. It follows captures and shots for at most depth plies,
// the greatest prize first, and skips those that cannot reach alpha. The mover may stand
// pat at any time.
func (s *AlphaBeta) settle(ply, depth, alpha, beta int) int {
	f, next := &s.frames[ply], &s.frames[ply+1]
	f.pv = f.pv[:0]
	if f.finish() {
		return Win - ply - 1
	}
	best := s.evaluateWithin(ply, alpha, beta)
	if best >= beta || depth == 0 || f.noisy == nil {
		return best
	}
	key, hash := uint64(0), noMove
	top := depth == MaxQuiescence
	if top {
		key = f.key(s.horizon)
		if e := s.table.find(key); e != nil {
			if score := delay(e.score(), ply); beta-alpha == 1 && e.cutsOff(score, alpha, beta) {
				return score
			}
			if e.tactical() {
				hash.action = e.action()
			}
		}
	}
	start, stand := alpha, best
	alpha = max(alpha, best)
	raised := noMove
	f.tactical = f.noisy.Noisy(f.tactical[:0])
	f.moves = f.moves[:0]
	var repeats repeats
	for _, a := range f.tactical {
		rank := int32(math.MaxInt32)
		if a != hash.action {
			rank = int32(s.prospect(ply, a, &repeats))
		}
		f.moves = append(f.moves, move{a, rank, true})
	}
	for i := range f.moves {
		m := *f.moves.greatest(i)
		if reach := stand + int(m.rank) + s.tuning.Delta; m.action != hash.action && reach <= alpha {
			best = max(best, reach) // the moves that follow reach less
			break
		}
		s.make(ply, m.action)
		if s.countNode(); s.stopped {
			return best
		}
		score := 0
		switch next.mover {
		case env.NoPlayer:
			next.pv = next.pv[:0]
			score = terminalScore(next.state, f.mover, ply+1)
		case f.mover:
			score = s.settle(ply+1, depth-1, alpha, beta)
		default:
			score = -s.settle(ply+1, depth-1, -beta, -alpha)
		}
		if s.stopped {
			return best
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha, raised = score, m
			f.updatePV(m.action, next)
		}
		if score >= beta {
			break
		}
	}
	if top {
		kind := exact
		switch {
		case best >= beta:
			kind = lowerBound
		case best <= start:
			kind = upperBound
		}
		s.table.store(key, delay(best, -ply), raised, 0, kind)
	}
	return best
}

// greatest brings the move of the highest rank from index i on to index i.
func (m moveList) greatest(i int) *move {
	best := i
	for j := i + 1; j < len(m); j++ {
		if m[j].rank > m[best].rank {
			best = j
		}
	}
	m[i], m[best] = m[best], m[i]
	return &m[i]
}
