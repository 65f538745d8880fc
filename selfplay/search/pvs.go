package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// pvs is principal-variation search. It returns the score of a frame's running
// position from its mover's view, exact between alpha and beta and otherwise a bound.
// After a stop the score is meaningless, but at the root, pv and rootScore contain the
// best action found before the stop.
func (s *AlphaBeta) pvs(ply, depth, alpha, beta int) int {
	f := &s.frames[ply]
	f.pv = f.pv[:0]
	if ply > 0 {
		if score, ok := s.probe(f); ok {
			return delay(score, ply)
		}
		s.unresolved = true
	}
	if depth <= 0 {
		return s.evaluateLeaf(ply, alpha, beta)
	}
	if ply > 0 { // no line is better than an immediate win or worse than an immediate loss
		alpha, beta = max(alpha, ply-Win), min(beta, Win-ply-1)
		if alpha >= beta {
			return alpha
		}
	}
	if ply > 0 && !s.classic && f.finish() {
		return Win - ply - 1
	}
	key, pvNode := f.key(s.horizon), beta-alpha > 1
	hash, known := noMove, entry{}
	if ply == 0 {
		s.generate(0, s.lines[s.current].Actions[0])
	} else {
		if e := s.table.find(key); e != nil {
			known = *e
			hash.action, hash.tactical = e.action(), e.tactical()
			if score := delay(e.score(), ply); !pvNode && e.depth() >= depth && e.cutsOff(score, alpha, beta) {
				return score
			}
		}
		f.begin(hash)
	}
	plan := plan{quiets: math.MaxInt, captures: math.MaxInt}
	if !s.classic && ply > 0 {
		if s.internal(depth, hash) {
			depth--
		}
		if score, ok := s.prune(ply, depth, alpha, beta, &known, &plan); ok || s.stopped {
			return score
		}
	}
	best, raised, kind := -infinity, noMove, upperBound
	searched, quiets, captures := 0, 0, 0
moves:
	for i := 0; ; i++ {
		next := s.next(ply, i)
		if next == nil {
			break
		}
		m := *next
		if ply == 0 && s.excluded(m.action) {
			continue
		}
		switch {
		case m.rank >= hashRank || best <= -forcedBound:
		case m.tactical:
			if captures++; captures > plan.captures {
				continue
			}
		case quiets >= plan.quiets:
			break moves // those that follow are quiet too
		default:
			quiets++
		}
		score := s.searchMove(ply, depth, searched, m, alpha, beta)
		if s.stopped {
			return best
		}
		searched++
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, raised, kind = score, m, exact
		if pvNode {
			f.updatePV(m.action, &s.frames[ply+1])
		}
		if ply == 0 {
			s.rootScore = score
		}
		if score >= beta {
			kind = lowerBound
			s.recordCutoff(ply, depth, i)
			break
		}
	}
	if ply > 0 {
		s.table.store(key, delay(best, -ply), raised, depth, kind)
	}
	return best
}

// probe returns the Prober's score of a frame's running position.
func (s *AlphaBeta) probe(f *frame) (score int, ok bool) {
	if s.options.Prober == nil {
		return 0, false
	}
	return s.options.Prober.Probe(f.state)
}

// evaluateLeaf returns the score of a position at the full depth.
func (s *AlphaBeta) evaluateLeaf(ply, alpha, beta int) int {
	switch {
	case s.options.Plain:
		return s.evaluate(ply)
	case s.classic:
		return s.quiesce(ply, MaxQuiescence, alpha, beta)
	}
	return s.settle(ply, MaxQuiescence, alpha, beta)
}

// searchMove plays a move and returns its score from the mover's view. The first move
// is searched with the full window, the others with a null window first.
func (s *AlphaBeta) searchMove(ply, depth, searched int, m move, alpha, beta int) int {
	s.make(ply, m.action)
	if s.countNode(); s.stopped {
		return 0
	}
	next := &s.frames[ply+1]
	if next.mover == env.NoPlayer {
		next.pv = next.pv[:0]
		return terminalScore(next.state, s.frames[ply].mover, ply+1)
	}
	if !m.tactical {
		s.inheritStatic(ply)
	}
	if searched == 0 {
		return s.searchNext(ply, depth-1, alpha, beta)
	}
	reduction := s.reduction(ply, depth, searched, m, beta-alpha > 1)
	score := s.searchNext(ply, depth-1-reduction, alpha, alpha+1)
	if reduction > 0 && score > alpha {
		score = s.searchNext(ply, depth-1, alpha, alpha+1)
	}
	if score > alpha && score < beta {
		score = s.searchNext(ply, depth-1, alpha, beta)
	}
	return score
}

// searchNext searches the next frame and returns its score from this frame's mover's view.
func (s *AlphaBeta) searchNext(ply, depth, alpha, beta int) int {
	if s.stopped {
		return 0
	}
	if s.frames[ply+1].mover == s.frames[ply].mover {
		return s.pvs(ply+1, depth, alpha, beta)
	}
	return -s.pvs(ply+1, depth, -beta, -alpha)
}

// recordCutoff updates killers and history after a beta cutoff by move i.
func (s *AlphaBeta) recordCutoff(ply, depth, i int) {
	f := &s.frames[ply]
	m := &f.moves[i]
	if s.classic && m.tactical {
		return
	}
	if !m.tactical {
		f.storeKiller(m.action)
	}
	s.learn(ply, m, depth, 1)
	for j := range i {
		if f.moves[j].tactical == m.tactical {
			s.learn(ply, &f.moves[j], depth, -1)
		}
	}
	if before := s.before(ply, 1); !s.classic && !m.tactical && before != env.NoAction {
		s.counters[f.mover&1][before] = m.action
	}
}

// learn raises the history of a move that caused a cutoff (sign 1) or lowers that of one
// tried before it (sign −1).
func (s *AlphaBeta) learn(ply int, m *move, depth, sign int) {
	f, bonus := &s.frames[ply], int32(sign*depth*depth)
	s.history.add(f.mover, m.action, bonus)
	if s.classic || m.tactical {
		return
	}
	s.sequels.add(after(f.mover, s.before(ply, 1), 1), m.action, bonus)
	s.sequels.add(after(f.mover, s.before(ply, 2), 2), m.action, bonus)
	s.sequels.add(after(f.mover, env.NoAction, 0), s.part(m.action), bonus)
	s.sequels.add(after(f.mover, s.before(ply, 1), 3), s.part(m.action), bonus)
}

// before returns the action played the given number of plies before a frame, or NoAction.
func (s *AlphaBeta) before(ply, distance int) env.Action {
	if ply < distance {
		return env.NoAction
	}
	return s.frames[ply-distance].played
}
