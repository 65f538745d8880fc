package search

import (
	"cmp"
	"slices"
)

// promise orders the children of a twig for playing: certain wins, the sooner the
// better; then what is open or a draw, by visits and value; then certain losses,
// the later the better.
func promise(a, b *twig) int {
	if c := cmp.Compare(b.certainty(), a.certainty()); c != 0 || b.certainty() != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(b.mean(), a.mean()), cmp.Compare(a.action, b.action))
}

// certainty is the score of a certain win or loss, else 0.
func (t *twig) certainty() int32 {
	if t.solved {
		return t.score
	}
	return 0
}

// best returns the child of a twig that is to be played.
func (m *MCTS) best(i int32) int32 {
	t := &m.tree[i]
	best := t.children
	for j := best + 1; j < t.children+t.count; j++ {
		if promise(&m.tree[j], &m.tree[best]) < 0 {
			best = j
		}
	}
	return best
}

// conclude reads the lines and visits off the tree: the most promising actions of
// the root, each followed by the most promising ones after it.
func (m *MCTS) conclude(lines int) {
	m.order, m.visits = m.order[:0], m.visits[:0]
	for j, t := range m.childrenOf(0) {
		m.order = append(m.order, m.tree[0].children+int32(j))
		if t.visits > 0 {
			m.visits = append(m.visits, Visits{t.action, int(t.visits)})
		}
	}
	slices.SortFunc(m.visits, func(a, b Visits) int { return cmp.Compare(a.Action, b.Action) })
	slices.SortFunc(m.order, func(a, b int32) int { return promise(&m.tree[a], &m.tree[b]) })
	lines = max(1, min(lines, len(m.order)))
	for len(m.lines) < lines {
		m.lines = append(m.lines, Line{})
	}
	m.result.Lines = m.lines[:lines]
	for n, i := range m.order[:lines] {
		l, t := &m.result.Lines[n], &m.tree[i]
		l.Score = int(t.score)
		if t.visits > 0 && !t.solved {
			l.Score = price(t.mean())
		}
		l.Actions = append(l.Actions[:0], t.action)
		for m.tree[i].tried > 0 {
			i = m.best(i)
			l.Actions = append(l.Actions, m.tree[i].action)
		}
		l.Depth = len(l.Actions)
	}
}
