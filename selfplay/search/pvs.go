package search

import "github.com/sandtable-farm/sandtable/env"

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
	pvNode := beta-alpha > 1
	key, hashMove := f.key(s.horizon), env.NoAction
	if ply == 0 {
		hashMove = s.lines[s.current].Actions[0]
	} else if e := s.table.find(key); e != nil {
		hashMove = e.action()
		if score := delay(e.score(), ply); !pvNode && e.depth() >= depth && e.cutsOff(score, alpha, beta) {
			return score
		}
	}
	s.generate(ply, hashMove)
	best, action, kind := -infinity, env.NoAction, upperBound
	for i, searched := 0, 0; i < len(f.moves); i++ {
		m := *f.moves.pick(i)
		if ply == 0 && s.excluded(m.action) {
			continue
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
		alpha, action, kind = score, m.action, exact
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
		s.table.store(key, delay(best, -ply), action, depth, kind)
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
	if s.options.Plain {
		return s.evaluate(ply)
	}
	return s.quiesce(ply, MaxQuiescence, alpha, beta)
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
	reduction := s.reduction(depth, searched, m)
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

// reduction returns the late-move reduction of a move, in plies.
func (s *AlphaBeta) reduction(depth, searched int, m move) int {
	const minDepth, early, late = 3, 4, 16
	switch {
	case s.options.Plain || depth < minDepth || searched < early || m.rank >= killerRank:
		return 0
	case depth > minDepth && searched >= late:
		return 2
	}
	return 1
}

// recordCutoff updates killers and history after a beta cutoff by move i.
func (s *AlphaBeta) recordCutoff(ply, depth, i int) {
	f := &s.frames[ply]
	if f.moves[i].tactical {
		return
	}
	f.storeKiller(f.moves[i].action)
	s.history.reward(f.mover, f.moves[i].action, depth)
	for j := range i {
		if !f.moves[j].tactical {
			s.history.punish(f.mover, f.moves[j].action, depth)
		}
	}
}
