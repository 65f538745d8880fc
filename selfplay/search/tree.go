package search

import "github.com/sandtable-farm/sandtable/env"

// A twig is an action of a position in the tree, and the position after it. Its
// values are from the view of the player who chooses the action, at the root of
// the player to move.
type twig struct {
	sum      int64 // of the values of its visits
	action   env.Action
	children int32 // number of the first; those that were tried come first
	count    int32 // of children; 0 before it is expanded
	tried    int32 // of children
	visits   int32
	prior    int32 // share of the visits expected before any, of certain
	// score is that of the action right after it; of a solved twig that of the
	// certain result, counted from the position in which it is chosen.
	score   int32
	chooser env.Player
	mover   env.Player // in the position after it; of a twig that was tried
	solved  bool       // its result is certain
	waiting bool       // its first visit is not valued yet
}

// lost tells whether the action certainly loses.
func (t *twig) lost() bool { return t.solved && t.score < 0 }

// certain is the prior share of all children together.
const certain = 1 << 24

// mean is the value of a twig.
func (t *twig) mean() int {
	if t.solved || t.visits == 0 {
		return worth(int(t.score))
	}
	return int(t.sum / int64(t.visits))
}

// chosen turns what is from the view of the player to move after a twig into the
// view of the player who chooses it, and back.
func (t *twig) chosen(value int) int {
	if t.mover == t.chooser {
		return value
	}
	return -value
}

func (m *MCTS) childrenOf(i int32) []twig {
	t := &m.tree[i]
	return m.tree[t.children : t.children+t.count]
}

// choose returns the child of a twig to visit: that of the greatest value and
// bonus, see [Select]. Of the children never tried only the one with the greatest
// prior can be it. Certain losses are not visited.
func (m *MCTS) choose(i int32) int32 {
	t := &m.tree[i]
	children := m.childrenOf(i)
	best, greatest := int32(0), int64(-1<<62)
	width, mass := m.width(t), int64(0)
	for j := range children[:t.tried] {
		c := &children[j]
		mass += int64(c.prior)
		if c.lost() {
			continue
		}
		if worth := int64(c.mean()) + m.bonus(width, c); worth > greatest {
			best, greatest = int32(j), worth
		}
	}
	if t.tried < t.count && !children[t.tried].lost() {
		c := &children[t.tried]
		urgency := int64(t.chosen(t.mean())) - int64(m.options.FPU)*int64(squareRoot(uint64(mass)<<rootBits))/100
		if c.solved {
			urgency = int64(c.mean())
		}
		if worth := urgency + m.bonus(width, c); worth > greatest {
			best = t.tried
		}
	}
	return t.children + best
}

// rootBits makes the root of a number of 1/certain one of 1/one.
const rootBits = 8

// width is the part of the bonus that is the same for all children.
func (m *MCTS) width(t *twig) int64 {
	if m.options.Select == UCT {
		return int64(natural(binaryLog(uint64(t.visits))))
	}
	const scale = 8 // bits of the root behind the point
	return int64(squareRoot(uint64(t.visits)<<(2*scale))) * int64(m.options.Explore)
}

// bonus is what a child gets for having been tried less than others.
func (m *MCTS) bonus(width int64, c *twig) int64 {
	if m.options.Select == UCT {
		return int64(m.options.Explore) * int64(squareRoot(uint64(width)/uint64(1+c.visits))) / 100
	}
	return int64(c.prior) * width >> 16 / (100 * int64(1+c.visits))
}

// try makes child j of a twig, the first that was never tried, one that was, and
// brings the one with the greatest prior of the others into its place.
func (m *MCTS) try(i int32) {
	t := &m.tree[i]
	t.tried++
	m.bringUp(i)
}

// bringUp puts the child with the greatest prior of those never tried in front of
// them, certain losses last.
func (m *MCTS) bringUp(i int32) {
	rest := m.childrenOf(i)[m.tree[i].tried:]
	if len(rest) == 0 {
		return
	}
	best := 0
	for j := range rest {
		if c, b := &rest[j], &rest[best]; !c.lost() && (b.lost() || c.prior > b.prior) {
			best = j
		}
	}
	rest[0], rest[best] = rest[best], rest[0]
}

// settle solves a twig whose children leave no doubt.
func (m *MCTS) settle(i int32) {
	best, open := -infinity, false
	for j := range m.childrenOf(i) {
		if c := &m.childrenOf(i)[j]; c.solved {
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
