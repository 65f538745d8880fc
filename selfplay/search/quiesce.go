package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// leaf values a position at the end of the search.
func (s *AlphaBeta) leaf(ply, alpha, beta int) int {
	if s.options.Plain {
		return s.evaluate(ply)
	}
	return s.quiesce(ply, quietPlies, alpha, beta)
}

// quiesce follows captures and shots for at most so many plies. The mover may
// stand pat at any time. An action after which the enemy could stand pat at no
// more than alpha is not followed: it cannot raise it.
func (s *AlphaBeta) quiesce(ply, left, alpha, beta int) int {
	f, next := &s.frames[ply], &s.frames[ply+1]
	f.line = f.line[:0]
	best := s.evaluate(ply)
	if best >= beta || left == 0 || f.noisy == nil {
		return best
	}
	alpha = max(alpha, best)
	f.loud = f.noisy.Noisy(f.loud[:0])
	f.moves = f.moves[:0]
	for _, a := range f.loud {
		s.make(ply, a)
		if s.enter(); s.stopped {
			return best
		}
		rank := math.MaxInt32 // whoever moves again may not want to
		if next.mover == env.NoPlayer {
			rank = final(next.state, f.mover, ply+1)
			if next.line = next.line[:0]; rank > alpha {
				alpha = rank
				f.follow(a, next)
			}
			best = max(best, rank)
			if best >= beta {
				return best
			}
			continue
		} else if next.mover != f.mover {
			rank = s.seen(ply+1, f.mover)
		}
		if rank > alpha {
			f.moves = append(f.moves, move{a, int32(rank), true})
		} else {
			best = max(best, rank)
		}
	}
	f.moves.byGain()
	for _, m := range f.moves {
		if int(m.rank) <= alpha {
			return max(best, int(m.rank))
		}
		s.make(ply, m.action)
		score := 0
		if next.mover == f.mover {
			score = s.quiesce(ply+1, left-1, alpha, beta)
		} else {
			next.valued, next.value = true, -int(m.rank)
			score = -s.quiesce(ply+1, left-1, -beta, -alpha)
		}
		if s.stopped {
			return best
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha = score
			f.follow(m.action, next)
		}
		if score >= beta {
			return best
		}
	}
	return best
}
