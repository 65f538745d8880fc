package search

import "github.com/sandtable-farm/sandtable/env"

// A leaf is where a simulation ended: its position, and the twigs that lead to it.
type leaf struct {
	state env.State
	path  []int32 // the root first
}

// simulate makes as many simulations as are valued together, at least one. Each
// goes down the tree and counts as lost on its way ("virtual loss": Chaslot and
// others 2008), so that the next one goes elsewhere, until it is valued. It ends
// early where the next one cannot tell anything before those waiting are valued.
func (m *MCTS) simulate(limits TreeLimits) {
	count := len(m.leaves)
	if limits.Simulations > 0 {
		count = min(count, max(1, limits.Simulations-m.simulations()))
	}
	waiting := 0
	for range count {
		l := &m.leaves[waiting]
		if !m.descend(l) {
			m.abandon(l)
			break
		}
		m.result.Depth = max(m.result.Depth, len(l.path)-1)
		if t := &m.tree[l.path[len(l.path)-1]]; t.solved {
			m.backUp(l, t.mean())
		} else {
			t.waiting = true
			waiting++
		}
	}
	m.value(m.leaves[:waiting])
	m.result.Nodes = m.quiet.nodes
}

// descend goes from the root to a twig below it that is solved or was never tried. It
// reports false when it comes to one that waits for its value.
func (m *MCTS) descend(l *leaf) bool {
	l.state.CopyFrom(m.root)
	l.path = append(l.path[:0], 0)
	for i := int32(0); ; {
		t := &m.tree[i]
		fresh := t.visits == 0
		t.visits++
		t.sum -= one
		if t.solved && i > 0 || fresh {
			m.quiet.nodes++
			return true
		}
		if t.waiting {
			return false
		}
		if t.count == 0 {
			if m.expand(i, l.state); m.tree[i].solved {
				return true
			}
		}
		next := m.choose(i)
		c := &m.tree[next]
		l.state.Apply(c.action)
		if next == m.tree[i].children+m.tree[i].tried {
			c.mover = l.state.Player()
			m.try(i)
		}
		l.path = append(l.path, next)
		i = next
	}
}

// abandon takes a simulation back.
func (m *MCTS) abandon(l *leaf) {
	for _, i := range l.path {
		t := &m.tree[i]
		t.visits--
		t.sum += one
	}
}

// value values leaves and takes what it found back up.
func (m *MCTS) value(leaves []leaf) {
	m.states = m.states[:0]
	for i := range leaves {
		m.states = append(m.states, leaves[i].state)
	}
	m.batch.EvaluateBatch(m.states, m.prices[:len(leaves)])
	for i := range leaves {
		l := &leaves[i]
		t := &m.tree[l.path[len(l.path)-1]]
		t.waiting = false
		score := m.quiescence(l.state, m.prices[i])
		if _, forced := Forced(score); forced {
			t.solved, t.score = true, int32(t.chosen(sooner(score)))
		}
		m.backUp(l, t.chosen(worth(score)))
	}
}

// quiescence is the score of a running position whose evaluation is known, its
// mover's view.
func (m *MCTS) quiescence(s env.State, price int) int {
	f := &m.quiet.frames[0]
	f.state.CopyFrom(s)
	f.mover, f.price, f.priced, f.valued = s.Player(), price, true, false
	return m.quiet.quiesce(0, m.options.Quiescence, -infinity, infinity)
}

// backUp gives the value of a leaf to the twigs of its path, in place of the loss
// that they counted, and solves those that it decides.
func (m *MCTS) backUp(l *leaf, value int) {
	last := len(l.path) - 1
	chooser := m.tree[l.path[last]].chooser
	for n := last; n >= 0; n-- {
		t := &m.tree[l.path[n]]
		if n < last && m.tree[l.path[n+1]].solved && !t.solved {
			m.settle(l.path[n])
		}
		if t.chooser == chooser {
			t.sum += one + int64(value)
		} else {
			t.sum += one - int64(value)
		}
	}
}
