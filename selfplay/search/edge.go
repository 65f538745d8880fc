package search

import "github.com/sandtable-farm/sandtable/env"

// An edge is an action of a position in the tree, together with the position after it.
// Its values are from the view of the player who plays the action. The edge of the root
// stands for the position itself; its values are from the view of the player to move.
type edge struct {
	sum      int64 // of the values of its visits
	action   env.Action
	children int32 // number of the first child; visited children come first
	count    int32 // of children; 0 until it is expanded
	visited  int32 // children
	visits   int32
	prior    int32 // expected share of the visits; all children together have priorOne
	// score is the evaluation right after the action. For a solved edge it is the
	// proven score, counted from the position before the action.
	score   int32
	player  env.Player // who plays the action
	mover   env.Player // to move after it; set when it is first visited
	solved  bool       // its result is proven
	pending bool       // its first visit is not evaluated yet
}

// priorOne is 1 as a fixed-point prior.
const priorOne = 1 << 24

// lost reports whether the action is a proven loss.
func (e *edge) lost() bool { return e.solved && e.score < 0 }

// value returns the mean value of an edge.
func (e *edge) value() int {
	if e.solved || e.visits == 0 {
		return valueOf(int(e.score))
	}
	return int(e.sum / int64(e.visits))
}

// flip converts a score or value between the view of the player to move after an edge
// and the view of the player who plays it.
func (e *edge) flip(value int) int {
	if e.mover == e.player {
		return value
	}
	return -value
}

func (m *MCTS) childrenOf(i int32) []edge {
	e := &m.tree[i]
	return m.tree[e.children : e.children+e.count]
}

// selectChild returns the child to visit: the one with the greatest sum of value and
// exploration bonus, see [Select]. Among unvisited children it considers only the one
// with the greatest prior. It skips proven losses.
func (m *MCTS) selectChild(i int32) int32 {
	e := &m.tree[i]
	children := m.childrenOf(i)
	best, greatest := int32(0), int64(-1<<62)
	factor, visitedPrior := m.explorationFactor(e), int64(0)
	for j := range children[:e.visited] {
		c := &children[j]
		visitedPrior += int64(c.prior)
		if c.lost() {
			continue
		}
		if sum := int64(c.value()) + m.bonus(factor, c); sum > greatest {
			best, greatest = int32(j), sum
		}
	}
	if e.visited < e.count && !children[e.visited].lost() {
		c := &children[e.visited]
		urgency := int64(e.flip(e.value())) - int64(m.options.FPU)*int64(squareRoot(uint64(visitedPrior)<<priorRootBits))/100
		if c.solved {
			urgency = int64(c.value())
		}
		if sum := urgency + m.bonus(factor, c); sum > greatest {
			best = e.visited
		}
	}
	return e.children + best
}

// priorRootBits makes the square root of a fixed-point prior a fixed-point value.
const priorRootBits = 8

// explorationFactor is the part of the bonus that all children of an edge share.
func (m *MCTS) explorationFactor(e *edge) int64 {
	if m.options.Select == UCT {
		return int64(naturalLog(binaryLog(uint64(e.visits))))
	}
	const fractionBits = 8 // of the root
	return int64(squareRoot(uint64(e.visits)<<(2*fractionBits))) * int64(m.options.Explore)
}

// bonus is the exploration bonus of a child.
func (m *MCTS) bonus(factor int64, c *edge) int64 {
	if m.options.Select == UCT {
		return int64(m.options.Explore) * int64(squareRoot(uint64(factor)/uint64(1+c.visits))) / 100
	}
	return int64(c.prior) * factor >> 16 / (100 * int64(1+c.visits))
}

// markVisited counts the first unvisited child of an edge as visited.
func (m *MCTS) markVisited(i int32) {
	m.tree[i].visited++
	m.promoteUnvisited(i)
}

// promoteUnvisited swaps the child with the greatest prior to the front of the
// unvisited children of an edge. It chooses a proven loss only if all of them are.
func (m *MCTS) promoteUnvisited(i int32) {
	rest := m.childrenOf(i)[m.tree[i].visited:]
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

// prove solves an edge if a child is a proven win or all children are solved.
func (m *MCTS) prove(i int32) {
	best, unsolved := -infinity, false
	for j := range m.childrenOf(i) {
		if c := &m.childrenOf(i)[j]; c.solved {
			best = max(best, int(c.score))
		} else {
			unsolved = true
		}
	}
	if unsolved && best < forcedBound {
		return
	}
	m.tree[i].solve(best)
}

// solve sets the proven score of the position after an edge, from its mover's view.
func (e *edge) solve(score int) { e.solved, e.score = true, int32(e.flip(delay(score, 1))) }
