package search

import "github.com/sandtable-farm/sandtable/env"

// A plan says what a node searches.
type plan struct {
	quiets, captures int // at most
}

// internal reports whether a position without a table move is searched one ply less deep.
func (s *AlphaBeta) internal(depth int, hash move) bool {
	return hash.action == env.NoAction && s.tuning.InternalDepth > 0 && depth >= s.tuning.InternalDepth
}

// prune returns a score if a position need not be searched: its evaluation is far above
// beta, or the mover reaches beta even without a move. Otherwise it limits the quiet moves
// of the plan. Scores of forced results are not pruned, and in the principal
// variation only the late quiet moves are.
func (s *AlphaBeta) prune(ply, depth, alpha, beta int, known *entry, plan *plan) (score int, ok bool) {
	t, open := s.tuning, beta-alpha > 1
	if beta >= forcedBound || alpha <= -forcedBound {
		return 0, false
	}
	least := max(t.LateDepth, t.FutilityDepth, t.ReverseDepth)
	if depth > least && !s.mayPass(ply, depth) {
		return 0, false
	}
	value := s.evaluate(ply)
	if score := known.score(); known.data != 0 && score > -forcedBound && score < forcedBound && known.cutsOff(score, value, value+1) {
		value = score // a bound on the better side of the evaluation
	}
	if !open && depth <= t.ReverseDepth && value-t.Reverse*depth >= beta {
		return value - t.Reverse*depth, true
	}
	if !open && value >= beta && s.mayPass(ply, depth) {
		if score := s.pass(ply, depth, beta); score >= beta && !s.stopped {
			return min(score, forcedBound-1), true
		}
	}
	if depth <= t.LateDepth && (!open || t.OpenShare > 0) {
		plan.quiets = t.late(depth)
		if t.LateCaptures > 0 {
			plan.captures = t.LateCaptures * depth
		}
		if !s.improving(ply, value) {
			plan.quiets /= 2
		}
		if open {
			plan.quiets, plan.captures = t.OpenShare*plan.quiets, t.OpenShare*min(plan.captures, 1<<20)
		}
	}
	if !open && depth <= t.FutilityDepth && value+t.FutilityBase+t.Futility*depth <= alpha {
		plan.quiets = 0
	}
	return 0, false
}

// improving reports whether the mover's evaluation is better than at its last move.
func (s *AlphaBeta) improving(ply, value int) bool {
	if ply < 2 {
		return true
	}
	before := &s.frames[ply-2]
	return before.mover == s.frames[ply].mover && (!before.hasValue || value > before.value)
}

// mayPass reports whether a null move may be tried.
func (s *AlphaBeta) mayPass(ply, depth int) bool {
	return s.tuning.NullDepth > 0 && depth >= s.tuning.NullDepth && s.frames[ply].passer != nil && s.before(ply, 1) != env.NoAction
}

// pass plays a null move and returns the score of a search of reduced depth.
func (s *AlphaBeta) pass(ply, depth, beta int) int {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.state.CopyFrom(f.state)
	next.passer.Pass()
	f.played = env.NoAction
	next.mover, next.hasStatic, next.hasValue = next.state.Player(), false, false
	if s.countNode(); s.stopped || next.mover == env.NoPlayer {
		return -infinity
	}
	return s.searchNext(ply, depth-1-s.tuning.NullBase-depth/s.tuning.NullSlope, beta-1, beta)
}

// reduction returns the late-move reduction of a move, in plies.
func (s *AlphaBeta) reduction(ply, depth, searched int, m move, pvNode bool) int {
	if s.classic {
		return s.classicReduction(depth, searched, m)
	}
	const minDepth, early, whole = 2, 2, 100
	if depth < minDepth || searched < early || m.rank >= counterRank && (!m.tactical || s.tuning.LateCaptures == 0) {
		return 0
	}
	r := int(s.reductions[depth][min(searched, len(s.reductions[0])-1)])
	if m.tactical {
		r /= 2
	} else {
		r -= int(m.rank) * whole / (2 * historyBound)
	}
	if pvNode {
		r -= whole
	}
	return max(0, min(r/whole, depth-1))
}

// classicReduction is the reduction of version 1.
func (s *AlphaBeta) classicReduction(depth, searched int, m move) int {
	const minDepth, early, late = 3, 4, 16
	switch {
	case s.options.Plain || depth < minDepth || searched < early || m.rank >= killerRank:
		return 0
	case depth > minDepth && searched >= late:
		return 2
	}
	return 1
}
