package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// Follow records that an action was played from the root. If the tree contains the
// position of the next search below this action, after any replies of the opponent, that
// search reuses its subtree.
func (m *MCTS) Follow(a env.Action) { m.followed = a }

// findSubtree returns the expanded edge to a position after the followed action, or 0.
func (m *MCTS) findSubtree(from env.State) int32 {
	if m.followed == env.NoAction || len(m.tree) == 0 {
		return 0
	}
	frames := m.qsearch.frames
	last := &frames[len(frames)-1]
	last.state.CopyFrom(from)
	key := last.key(math.MaxInt32)
	frames[0].state.CopyFrom(m.root)
	for j := range m.tree[0].visited {
		if i := m.tree[0].children + j; m.tree[i].action == m.followed {
			return m.findBelow(0, i, key)
		}
	}
	return 0
}

// findBelow looks for a key at edge i, whose action is played from frame ply, and below
// it while the opponent is to move.
func (m *MCTS) findBelow(ply int, i int32, key uint64) int32 {
	e := &m.tree[i]
	if e.mover == env.NoPlayer || e.count == 0 || ply+2 >= len(m.qsearch.frames) {
		return 0
	}
	m.qsearch.make(ply, e.action)
	if m.qsearch.frames[ply+1].key(math.MaxInt32) == key {
		return i
	}
	if e.mover == m.tree[0].mover {
		return 0
	}
	for j := range e.visited {
		if found := m.findBelow(ply+1, e.children+j, key); found > 0 {
			return found
		}
	}
	return 0
}

// reroot makes an edge the root and keeps only the tree below it.
func (m *MCTS) reroot(i int32) {
	root := m.tree[i]
	root.sum = int64(root.flip(int(root.sum)))
	root.player, root.solved = root.mover, false
	m.spare = append(m.spare[:0], root)
	for k := 0; k < len(m.spare); k++ {
		if e := m.spare[k]; e.count > 0 {
			m.spare[k].children = int32(len(m.spare))
			m.spare = append(m.spare, m.tree[e.children:e.children+e.count]...)
		}
	}
	m.tree, m.spare = m.spare, m.tree
	m.prove(0)
}
