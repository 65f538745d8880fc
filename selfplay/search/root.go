package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Half the width of the first window around a line's score of the iteration
// before, how much wider each next one is, from which width on there is no
// window, and from which depth there is one.
const (
	aspiration      = 150
	aspirationStep  = 4
	aspirationMost  = 5_000
	aspirationDepth = 3
)

const infinity = Win + 1

// deepen searches to one depth after the other.
func (s *AlphaBeta) deepen(lines int) *Result {
	s.prepare(lines)
	result := &s.result
	*result = Result{Lines: s.lines}
	most := s.options.MaxDepth
	if s.limits.Depth > 0 {
		most = min(most, s.limits.Depth)
	}
	for depth := 1; depth <= most && !s.stopped; depth++ {
		if s.horizon = depth + quietPlies; s.options.Prober != nil {
			s.horizon += MostProbed
		}
		s.open = false
		for s.current = range s.lines {
			if s.refine(depth); s.stopped {
				break
			}
		}
		if !s.stopped {
			result.Depth = depth
			slices.SortStableFunc(s.lines, func(a, b Line) int { return b.Score - a.Score })
		}
		result.Nodes = s.nodes
		if s.report != nil {
			s.report(result)
		}
		if s.decided(depth) {
			break
		}
	}
	return result
}

// prepare fills the lines with the first actions in order, for the case that the
// search is stopped before it has found any.
func (s *AlphaBeta) prepare(lines int) {
	s.list(0, env.NoAction)
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

// refine searches the current line to a depth, those before it being excluded.
func (s *AlphaBeta) refine(depth int) {
	l, root := &s.lines[s.current], &s.frames[0]
	alpha, beta, width := -infinity, infinity, aspiration
	if _, forced := Forced(l.Score); depth >= aspirationDepth && !forced {
		alpha, beta = l.Score-width, l.Score+width
	}
	for {
		score := s.node(0, depth, alpha, beta)
		if s.stopped {
			if len(root.line) > 0 { // an action better than all tried before it
				s.settle(s.best, depth)
			}
			return
		}
		width *= aspirationStep
		switch {
		case score <= alpha && width < aspirationMost:
			alpha = score - width
		case score <= alpha:
			alpha = -infinity
		case score >= beta && width < aspirationMost:
			beta = score + width
		case score >= beta:
			beta = infinity
		default:
			s.settle(score, depth)
			return
		}
	}
}

// settle makes the root's best line the current one. A later line that began
// with the same action gets the actions that stood here.
func (s *AlphaBeta) settle(score, depth int) {
	l, root := &s.lines[s.current], &s.frames[0]
	for i := s.current + 1; i < len(s.lines); i++ {
		if other := &s.lines[i]; other.Actions[0] == root.line[0] {
			*other, *l = *l, *other
		}
	}
	l.Score, l.Depth, l.Actions = score, depth, append(l.Actions[:0], root.line...)
}

// excluded tells whether an action at the root belongs to a line already found.
func (s *AlphaBeta) excluded(a env.Action) bool {
	for i := range s.current {
		if s.lines[i].Actions[0] == a {
			return true
		}
	}
	return false
}

// decided tells whether a deeper search could not change the scores: each first
// action ends the game or leads to what the Prober knows, or all scores are forced
// within the depth.
func (s *AlphaBeta) decided(depth int) bool {
	if !s.open {
		return true
	}
	for i := range s.lines {
		if plies, forced := Forced(s.lines[i].Score); !forced || max(plies, -plies) > depth {
			return false
		}
	}
	return true
}
