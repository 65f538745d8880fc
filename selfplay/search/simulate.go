package search

import "github.com/sandtable-farm/sandtable/env"

// A leaf is the end of a simulation: its position and the edges that lead to it.
type leaf struct {
	state env.State
	path  []int32 // from the root
}

func (l *leaf) last() int32 { return l.path[len(l.path)-1] }

// simulate runs one batch of simulations, at least one. Each descent counts as a loss
// along its path until its leaf is evaluated ("virtual loss": Chaslot and others 2008),
// so that the next one goes elsewhere. The batch ends early if a descent reaches a leaf
// that is already pending.
func (m *MCTS) simulate(limits TreeLimits) {
	count := len(m.leaves)
	if limits.Simulations > 0 {
		count = min(count, max(1, limits.Simulations-m.simulations()))
	}
	pending := 0
	for range count {
		l := &m.leaves[pending]
		if !m.descend(l) {
			m.removeVirtualLoss(l)
			break
		}
		m.result.Depth = max(m.result.Depth, len(l.path)-1)
		if e := &m.tree[l.last()]; e.solved {
			m.backUp(l, e.value())
		} else {
			e.pending = true
			pending++
		}
	}
	m.evaluate(m.leaves[:pending])
	m.result.Nodes = m.qsearch.nodes
}

// descend goes from the root to an edge below it that is solved or unvisited. It
// returns false if it reaches a pending edge.
func (m *MCTS) descend(l *leaf) bool {
	l.state.CopyFrom(m.root)
	l.path = append(l.path[:0], 0)
	for i := int32(0); ; {
		e := &m.tree[i]
		unvisited := e.visits == 0
		e.visits++
		e.sum -= winValue
		if e.solved && i > 0 || unvisited {
			m.qsearch.nodes++
			return true
		}
		if e.pending {
			return false
		}
		if e.count == 0 {
			if m.expand(i, l.state); m.tree[i].solved {
				return true
			}
		}
		next := m.selectChild(i)
		c := &m.tree[next]
		l.state.Apply(c.action)
		if next == m.tree[i].children+m.tree[i].visited {
			c.mover = l.state.Player()
			m.markVisited(i)
		}
		l.path = append(l.path, next)
		i = next
	}
}

// removeVirtualLoss undoes the visits of a descent.
func (m *MCTS) removeVirtualLoss(l *leaf) {
	for _, i := range l.path {
		e := &m.tree[i]
		e.visits--
		e.sum += winValue
	}
}

// evaluate evaluates leaves and backs their values up.
func (m *MCTS) evaluate(leaves []leaf) {
	m.states = m.states[:0]
	for i := range leaves {
		m.states = append(m.states, leaves[i].state)
	}
	m.batch.EvaluateBatch(m.states, m.static[:len(leaves)])
	for i := range leaves {
		l := &leaves[i]
		e := &m.tree[l.last()]
		e.pending = false
		score := m.quiesce(l.state, m.static[i])
		if _, forced := Forced(score); forced {
			e.solve(score)
		}
		m.backUp(l, e.flip(valueOf(score)))
	}
}

// quiesce returns the quiescence score of a running position with the given static
// evaluation, both from its mover's view.
func (m *MCTS) quiesce(s env.State, static int) int {
	f := &m.qsearch.frames[0]
	f.set(s)
	f.static, f.hasStatic = static, true
	return m.qsearch.quiesce(0, m.options.Quiescence, -infinity, infinity)
}

// backUp replaces the virtual loss of the edges on a leaf's path by the leaf's value, and
// solves the edges whose results it proves. The value is from the view of the player who
// plays the last edge.
func (m *MCTS) backUp(l *leaf, value int) {
	last := len(l.path) - 1
	player := m.tree[l.path[last]].player
	for n := last; n >= 0; n-- {
		e := &m.tree[l.path[n]]
		if n < last && m.tree[l.path[n+1]].solved && !e.solved {
			m.prove(l.path[n])
		}
		if e.player == player {
			e.sum += winValue + int64(value)
		} else {
			e.sum += winValue - int64(value)
		}
	}
}
