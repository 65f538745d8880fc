package search

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// lookedAt is how many visits a twig has from the start: its quiescence score.
const lookedAt = 1

// gentleness is the score by which an action must be worse than the best to be
// expected a quarter as often.
const gentleness = 100

func (m *MCTS) childrenOf(i int32) []twig {
	t := &m.tree[i]
	return m.tree[t.children : t.children+t.count]
}

// mean is the value of a twig.
func (t *twig) mean() int {
	if t.solved {
		return worth(int(t.score))
	}
	return int(t.sum / int64(t.visits))
}

// simulate goes down to a leaf, looks at all its actions, and takes what it found
// back up.
func (m *MCTS) simulate() {
	m.walker.CopyFrom(m.root)
	m.path = append(m.path[:0], 0)
	i := int32(0)
	for !m.tree[i].solved {
		if m.tree[i].count == 0 {
			m.expand(i)
			break
		}
		i = m.choose(i)
		m.walker.Apply(m.tree[i].action)
		m.path = append(m.path, i)
	}
	m.result.Depth = max(m.result.Depth, len(m.path))
	m.backUp()
}

// choose returns the child of a twig to visit, by PUCT (Rosin 2011; Silver and
// others 2017): the greatest value plus Explore · prior · √visits / (1 + own
// visits). Certain losses are not visited.
func (m *MCTS) choose(i int32) int32 {
	t := &m.tree[i]
	const rootScale = 4 // bits of the root behind the point
	width := int64(squareRoot(uint64(t.visits)<<(2*rootScale))) * int64(m.options.Explore)
	best, greatest := t.children, int64(-1<<62)
	for j := t.children; j < t.children+t.count; j++ {
		c := &m.tree[j]
		if c.solved && c.score < 0 {
			continue
		}
		bonus := int64(c.prior) * width / (100 << rootScale) / int64(1+c.visits-lookedAt)
		if worth := int64(c.mean()) + bonus; worth > greatest {
			best, greatest = j, worth
		}
	}
	return best
}

// expand gives the leaf i, whose position the walker has, its children, each
// with its quiescence score.
func (m *MCTS) expand(i int32) {
	q := m.leaves
	f, next := &q.frames[0], &q.frames[1]
	f.state.CopyFrom(m.walker)
	f.mover = m.walker.Player()
	f.legal = f.state.Legal(f.legal[:0])
	m.tree[i].children, m.tree[i].count = int32(len(m.tree)), int32(len(f.legal))
	m.scores = m.scores[:0]
	best := -infinity
	for _, a := range f.legal {
		q.make(0, a)
		q.enter()
		score := 0
		switch next.mover {
		case env.NoPlayer:
			score = final(next.state, f.mover, 1)
		case f.mover:
			score = q.quiesce(1, quietPlies, -infinity, infinity)
		default:
			score = -q.quiesce(1, quietPlies, -infinity, infinity)
		}
		_, forced := Forced(score)
		m.tree = append(m.tree, twig{
			sum: int64(worth(score)), action: a, visits: lookedAt, score: int32(score),
			chooser: f.mover, mover: next.mover, solved: forced || next.mover == env.NoPlayer,
		})
		m.scores = append(m.scores, score)
		best = max(best, score)
	}
	m.result.Nodes = q.nodes
	m.expect(i, best)
	m.settle(i)
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
		children[j].prior = int32(weight(score) * one / total)
	}
}

// settle solves a twig whose children leave no doubt.
func (m *MCTS) settle(i int32) {
	best, open := -infinity, false
	for _, c := range m.childrenOf(i) {
		if c.solved {
			best = max(best, int(c.score))
		} else {
			open = true
		}
	}
	if open && best < forcedBound {
		return
	}
	t := &m.tree[i]
	t.solved, t.score = true, int32(t.chosen(sooner(best)))
}

// chosen turns what is from the view of the player to move after a twig into the
// view of the player who chooses it.
func (t *twig) chosen(value int) int {
	if t.mover == t.chooser {
		return value
	}
	return -value
}

// backUp adds the value of the leaf to the twigs of the path, and solves those
// that it decides.
func (m *MCTS) backUp() {
	last := len(m.path) - 1
	leaf := &m.tree[m.path[last]]
	value := m.found(leaf)
	for n := last; n >= 0; n-- {
		t := &m.tree[m.path[n]]
		if n < last && m.tree[m.path[n+1]].solved {
			m.settle(m.path[n])
		}
		if t.visits++; t.chooser == leaf.chooser {
			t.sum += int64(value)
		} else {
			t.sum -= int64(value)
		}
	}
}

// found is the value of a leaf to its chooser after it was expanded: that of its
// best child, unless it is certain.
func (m *MCTS) found(t *twig) int {
	if t.solved {
		return t.mean()
	}
	best := -one
	for _, c := range m.tree[t.children : t.children+t.count] {
		best = max(best, c.mean())
	}
	return t.chosen(best)
}

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

// conclude reads the lines off the tree: the most promising actions of the root,
// each followed by the most promising ones after it.
func (m *MCTS) conclude(lines int) {
	m.order = m.order[:0]
	for j := range m.tree[0].count {
		m.order = append(m.order, m.tree[0].children+j)
	}
	slices.SortFunc(m.order, func(a, b int32) int { return promise(&m.tree[a], &m.tree[b]) })
	lines = max(1, min(lines, len(m.order)))
	for len(m.lines) < lines {
		m.lines = append(m.lines, Line{})
	}
	m.result.Lines = m.lines[:lines]
	for n, i := range m.order[:lines] {
		l, t := &m.result.Lines[n], &m.tree[i]
		l.Score = price(t.mean())
		if t.solved {
			l.Score = int(t.score)
		}
		l.Actions = append(l.Actions[:0], t.action)
		for m.tree[i].count > 0 {
			i = m.best(i)
			l.Actions = append(l.Actions, m.tree[i].action)
		}
		l.Depth = len(l.Actions)
	}
}
