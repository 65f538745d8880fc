package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// The aspiration window is centred on the line's last score. aspirationWidth is half
// its initial width, and aspirationGrowth the factor by which it grows after each
// failure. A bound becomes infinite when the width reaches maxAspiration. Searches
// below minAspirationDepth use an infinite window.
const (
	aspirationWidth    = 150
	aspirationGrowth   = 4
	maxAspiration      = 5_000
	minAspirationDepth = 3
)

const infinity = Win + 1

// deepen is iterative deepening.
func (s *AlphaBeta) deepen(lines int) *Result {
	s.initLines(lines)
	result := &s.result
	*result = Result{Lines: s.lines}
	maxDepth := s.options.MaxDepth
	if s.limits.Depth > 0 {
		maxDepth = min(maxDepth, s.limits.Depth)
	}
	for depth := 1; depth <= maxDepth && !s.stopped; depth++ {
		if s.horizon = depth + MaxQuiescence; s.options.Prober != nil {
			s.horizon += MaxProbed
		}
		s.unresolved = false
		for s.current = range s.lines {
			if s.searchLine(depth); s.stopped {
				break
			}
		}
		if !s.stopped {
			result.Depth = depth
			slices.SortStableFunc(s.lines, func(a, b Line) int { return b.Score - a.Score })
			if lines > 1 {
				s.whole = keepLines(s.whole, s.lines)
				result.Whole = s.whole
			}
		}
		result.Nodes = s.nodes
		if s.report != nil {
			s.report(result)
		}
		if s.final(depth) {
			break
		}
	}
	return result
}

// keepLines copies lines to dst, whose memory it uses, and returns them.
func keepLines(dst, lines []Line) []Line {
	for len(dst) < len(lines) {
		dst = append(dst, Line{})
	}
	dst = dst[:len(lines)]
	for i, l := range lines {
		dst[i].Score, dst[i].Depth, dst[i].Actions = l.Score, l.Depth, append(dst[i].Actions[:0], l.Actions...)
	}
	return dst
}

// initLines fills the lines with the first actions in move order, in case the search is
// stopped before it finds better ones.
func (s *AlphaBeta) initLines(lines int) {
	s.generate(0, env.NoAction)
	f := &s.frames[0]
	lines = min(lines, len(f.moves))
	for len(s.lines) < lines {
		s.lines = append(s.lines, Line{Actions: make([]env.Action, 0, len(s.frames))})
	}
	s.lines = s.lines[:lines]
	for i := range s.lines {
		l := &s.lines[i]
		l.Score, l.Depth, l.Actions = s.evaluate(0), 0, append(l.Actions[:0], f.moves.pick(i).action)
	}
}

// searchLine searches the root for the current line, without the first actions of the
// lines before it, in an aspiration window that grows as needed.
func (s *AlphaBeta) searchLine(depth int) {
	l, root := &s.lines[s.current], &s.frames[0]
	alpha, beta, width := -infinity, infinity, s.tuning.Aspiration
	if s.classic {
		width = aspirationWidth
	}
	if _, forced := Forced(l.Score); depth >= minAspirationDepth && !forced {
		alpha, beta = l.Score-width, l.Score+width
	}
	for {
		score := s.pvs(0, depth, alpha, beta)
		if s.stopped {
			if len(root.pv) > 0 { // an action raised alpha before the stop
				s.setLine(s.rootScore, depth)
			}
			return
		}
		width *= aspirationGrowth
		switch {
		case score <= alpha && width < maxAspiration:
			alpha = score - width
		case score <= alpha:
			alpha = -infinity
		case score >= beta && width < maxAspiration:
			beta = score + width
		case score >= beta:
			beta = infinity
		default:
			s.setLine(score, depth)
			return
		}
	}
}

// setLine makes the root's principal variation the current line. If a later line has the
// same first action, the two lines are swapped first.
func (s *AlphaBeta) setLine(score, depth int) {
	l, root := &s.lines[s.current], &s.frames[0]
	for i := s.current + 1; i < len(s.lines); i++ {
		if other := &s.lines[i]; other.Actions[0] == root.pv[0] {
			*other, *l = *l, *other
		}
	}
	l.Score, l.Depth, l.Actions = score, depth, append(l.Actions[:0], root.pv...)
}

// excluded reports whether an action at the root is the first of an earlier line.
func (s *AlphaBeta) excluded(a env.Action) bool {
	for i := range s.current {
		if s.lines[i].Actions[0] == a {
			return true
		}
	}
	return false
}

// final reports whether a deeper search cannot change the scores: either every first
// action ends the game or reaches a position that the Prober knows, or all scores are
// forced within the depth.
func (s *AlphaBeta) final(depth int) bool {
	if !s.unresolved {
		return true
	}
	for i := range s.lines {
		if plies, forced := Forced(s.lines[i].Score); !forced || max(plies, -plies) > depth {
			return false
		}
	}
	return true
}
