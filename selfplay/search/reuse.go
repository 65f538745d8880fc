package search

import (
	"math"

	"github.com/sandtable-farm/sandtable/env"
)

// Follow tells that an action was played from the root. If the next position to
// be searched comes after it, and after what the opponent then played, and the
// tree has it, the search goes on from what it knows.
func (m *MCTS) Follow(a env.Action) { m.followed = a }

// find returns the expanded twig of a position after the followed action, 0 for none.
func (m *MCTS) find(from env.State) int32 {
	if m.followed == env.NoAction || len(m.tree) == 0 {
		return 0
	}
	frames := m.quiet.frames
	wanted := &frames[len(frames)-1]
	wanted.state.CopyFrom(from)
	key := wanted.key(math.MaxInt32)
	frames[0].state.CopyFrom(m.root)
	for j := range m.tree[0].tried {
		if i := m.tree[0].children + j; m.tree[i].action == m.followed {
			return m.below(0, i, key)
		}
	}
	return 0
}

// below looks for a key at a twig, which is chosen in the position of a frame,
// and below it as long as the opponent is to move.
func (m *MCTS) below(ply int, i int32, key uint64) int32 {
	t := &m.tree[i]
	if t.mover == env.NoPlayer || t.count == 0 || ply+2 >= len(m.quiet.frames) {
		return 0
	}
	m.quiet.make(ply, t.action)
	if m.quiet.frames[ply+1].key(math.MaxInt32) == key {
		return i
	}
	if t.mover == m.tree[0].mover {
		return 0
	}
	for j := range t.tried {
		if found := m.below(ply+1, t.children+j, key); found > 0 {
			return found
		}
	}
	return 0
}

// moveUp makes a twig the root, and drops what is not below it.
func (m *MCTS) moveUp(i int32) {
	root := m.tree[i]
	root.sum = int64(root.chosen(int(root.sum)))
	root.chooser, root.solved = root.mover, false
	m.spare = append(m.spare[:0], root)
	for k := 0; k < len(m.spare); k++ {
		if t := m.spare[k]; t.count > 0 {
			m.spare[k].children = int32(len(m.spare))
			m.spare = append(m.spare, m.tree[t.children:t.children+t.count]...)
		}
	}
	m.tree, m.spare = m.spare, m.tree
	m.settle(0)
}
