package search

import "github.com/sandtable-farm/sandtable/env"

// node returns the score of a frame's running position from its mover's view,
// exact between alpha and beta, else a bound on that side. When the search is
// stopped within, the value means nothing but at the root: see AlphaBeta.best.
func (s *AlphaBeta) node(ply, depth, alpha, beta int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if ply > 0 {
		if score, ok := s.probe(f); ok {
			return restored(score, ply)
		}
		s.open = true
	}
	if depth <= 0 {
		return s.leaf(ply, alpha, beta)
	}
	if ply > 0 { // no line is better than a win at once, or worse than a loss at once
		alpha, beta = max(alpha, ply-Win), min(beta, Win-ply-1)
		if alpha >= beta {
			return alpha
		}
	}
	full := beta-alpha > 1
	key, hash := f.key(s.horizon), env.NoAction
	if ply == 0 {
		hash = s.lines[s.current].Actions[0]
	} else if e := s.table.find(key); e != nil {
		hash = e.action()
		if score := restored(e.score(), ply); !full && e.depth() >= depth && e.decides(score, alpha, beta) {
			return score
		}
	}
	s.list(ply, hash)
	best, action, kind := -infinity, env.NoAction, upper
	for i, tried := 0, 0; i < len(f.moves); i++ {
		m := *f.moves.pick(i)
		if ply == 0 && s.excluded(m.action) {
			continue
		}
		score := s.try(ply, depth, tried, m, alpha, beta)
		if s.stopped {
			return best
		}
		tried++
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, action, kind = score, m.action, exact
		if full {
			f.follow(m.action, &s.frames[ply+1])
		}
		if ply == 0 {
			s.best = score
		}
		if score >= beta {
			kind = lower
			s.cut(ply, depth, i)
			break
		}
	}
	if ply > 0 {
		s.table.store(key, stored(best, ply), action, depth, kind)
	}
	return best
}

// probe asks the Prober for the score of a frame's running position.
func (s *AlphaBeta) probe(f *frame) (score int, ok bool) {
	if s.options.Prober == nil {
		return 0, false
	}
	return s.options.Prober.Probe(f.state)
}

// decides tells whether a score of this entry settles a search with such a window.
func (e *entry) decides(score, alpha, beta int) bool {
	switch e.bound() {
	case lower:
		return score >= beta
	case upper:
		return score <= alpha
	}
	return true
}

// try plays a move and returns its score from the mover's view. The first move
// gets the whole window, the others first have to show that they beat it.
func (s *AlphaBeta) try(ply, depth, tried int, m move, alpha, beta int) int {
	s.make(ply, m.action)
	if s.enter(); s.stopped {
		return 0
	}
	next := &s.frames[ply+1]
	if next.mover == env.NoPlayer {
		next.line = next.line[:0]
		return final(next.state, s.frames[ply].mover, ply+1)
	}
	if !m.loud {
		s.inherit(ply)
	}
	if tried == 0 {
		return s.below(ply, depth-1, alpha, beta)
	}
	reduction := s.reduction(depth, tried, m)
	score := s.below(ply, depth-1-reduction, alpha, alpha+1)
	if reduction > 0 && score > alpha {
		score = s.below(ply, depth-1, alpha, alpha+1)
	}
	if score > alpha && score < beta {
		score = s.below(ply, depth-1, alpha, beta)
	}
	return score
}

// below searches the next frame and returns its score from this frame's mover's view.
func (s *AlphaBeta) below(ply, depth, alpha, beta int) int {
	if s.stopped {
		return 0
	}
	if s.frames[ply+1].mover == s.frames[ply].mover {
		return s.node(ply+1, depth, alpha, beta)
	}
	return -s.node(ply+1, depth, -beta, -alpha)
}

// reduction is how many plies less deep a late quiet move is searched at first.
func (s *AlphaBeta) reduction(depth, tried int, m move) int {
	const least, early, late = 3, 4, 16
	switch {
	case s.options.Plain || depth < least || tried < early || m.rank >= killerRank:
		return 0
	case depth > least && tried >= late:
		return 2
	}
	return 1
}

// cut notes that move number i refuted the position.
func (s *AlphaBeta) cut(ply, depth, i int) {
	f := &s.frames[ply]
	if f.moves[i].loud {
		return
	}
	f.killed(f.moves[i].action)
	s.history.reward(f.mover, f.moves[i].action, depth)
	for j := range i {
		if !f.moves[j].loud {
			s.history.punish(f.mover, f.moves[j].action, depth)
		}
	}
}
