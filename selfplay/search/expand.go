package search

import "github.com/sandtable-farm/sandtable/env"

// gentleness is the score by which an action must be worse than the best to be
// expected a quarter as often.
const gentleness = 100

// plant makes a position the root: what the tree knows of it, if it comes after
// the action that was followed, else a new tree.
func (m *MCTS) plant(from env.State) {
	if found := m.find(from); found > 0 {
		m.moveUp(found)
		m.root.CopyFrom(from)
	} else {
		mover := from.Player()
		m.root.CopyFrom(from)
		m.tree = append(m.tree[:0], twig{chooser: mover, mover: mover, visits: 1})
		m.states = append(m.states[:0], m.root)
		m.batch.EvaluateBatch(m.states, m.prices[:1])
		m.tree[0].sum = int64(worth(m.quiescence(m.root, m.prices[0])))
		m.expand(0, m.root)
	}
	m.followed = env.NoAction
}

// expand gives a twig, whose position is s, its children, each with the score
// right after it.
func (m *MCTS) expand(i int32, s env.State) {
	q := m.quiet
	f, next := &q.frames[0], &q.frames[1]
	f.state.CopyFrom(s)
	f.mover = s.Player()
	f.legal = f.state.Legal(f.legal[:0])
	m.tree[i].children, m.tree[i].count = int32(len(m.tree)), int32(len(f.legal))
	m.scores = m.scores[:0]
	best, ended := -infinity, false
	for _, a := range f.legal {
		q.make(0, a)
		q.enter()
		score := 0
		switch next.mover {
		case env.NoPlayer:
			score, ended = final(next.state, f.mover, 1), true
		case f.mover:
			score = q.evaluate(1)
		default:
			score = -q.evaluate(1)
		}
		m.tree = append(m.tree, twig{action: a, score: int32(score), chooser: f.mover, mover: next.mover, solved: next.mover == env.NoPlayer})
		m.scores = append(m.scores, score)
		best = max(best, score)
	}
	m.expect(i, best)
	m.bringUp(i)
	if ended {
		m.settle(i)
	}
}

// expect sets the priors of new children: inversely as the square of how much
// worse they look than the best.
func (m *MCTS) expect(i int32, best int) {
	total := int64(0)
	weight := func(score int) int64 {
		ratio := int64(one) * gentleness / int64(gentleness+best-score)
		return 1 + ratio*ratio/one
	}
	for _, score := range m.scores {
		total += weight(score)
	}
	children := m.childrenOf(i)
	for j, score := range m.scores {
		children[j].prior = int32(weight(score) * certain / total)
	}
}
