package search

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// compareEdges orders edges from the best to the worst to play: proven wins, the shortest
// first; then unproven edges and draws, by visits and value; then proven losses, the
// longest first.
func compareEdges(a, b *edge) int {
	if c := cmp.Compare(b.provenScore(), a.provenScore()); c != 0 || b.provenScore() != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(b.value(), a.value()), cmp.Compare(a.action, b.action))
}

// provenScore returns the score of a proven win or loss, otherwise 0.
func (e *edge) provenScore() int32 {
	if e.solved {
		return e.score
	}
	return 0
}

// best returns the best child of an edge to play.
func (m *MCTS) best(i int32) int32 {
	e := &m.tree[i]
	best := e.children
	for j := best + 1; j < e.children+e.count; j++ {
		if compareEdges(&m.tree[j], &m.tree[best]) < 0 {
			best = j
		}
	}
	return best
}

// collect fills the result's lines and the visit counts from the tree.
func (m *MCTS) collect(lines int) {
	m.order, m.visits = m.order[:0], m.visits[:0]
	for j, e := range m.childrenOf(0) {
		m.order = append(m.order, m.tree[0].children+int32(j))
		if e.visits > 0 {
			m.visits = append(m.visits, Visits{e.action, int(e.visits)})
		}
	}
	slices.SortFunc(m.visits, func(a, b Visits) int { return cmp.Compare(a.Action, b.Action) })
	slices.SortFunc(m.order, func(a, b int32) int { return compareEdges(&m.tree[a], &m.tree[b]) })
	lines = max(1, min(lines, len(m.order)))
	for len(m.lines) < lines {
		m.lines = append(m.lines, Line{})
	}
	m.result.Lines = m.lines[:lines]
	for n, i := range m.order[:lines] {
		l, e := &m.result.Lines[n], &m.tree[i]
		l.Score = int(e.score)
		if e.visits > 0 && !e.solved {
			l.Score = scoreOf(e.value())
		}
		l.Actions = append(l.Actions[:0], e.action)
		for m.tree[i].visited > 0 {
			i = m.best(i)
			l.Actions = append(l.Actions, m.tree[i].action)
		}
		l.Depth = len(l.Actions)
	}
}

// Sample returns a random action of the root, drawn in proportion to visits raised to
// the power 100/temperature. It never draws a proven loss. It returns the best action
// if the temperature is 0, the root is proven or no action was visited.
func (m *MCTS) Sample(temperature int, r *env.Rand) env.Action {
	children := m.childrenOf(0)
	best := &m.tree[m.best(0)]
	if temperature == 0 || m.tree[0].solved || best.visits == 0 {
		return best.action
	}
	weight := func(e *edge) int {
		if e.visits == 0 || e.lost() {
			return 0
		}
		return int(power((binaryLog(uint64(e.visits)) - binaryLog(uint64(best.visits))) * 100 / int64(temperature)))
	}
	total := 0
	for i := range children {
		total += weight(&children[i])
	}
	draw := r.IntN(total)
	for i := range children {
		if draw -= weight(&children[i]); draw < 0 {
			return children[i].action
		}
	}
	return best.action
}
