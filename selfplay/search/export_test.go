package search

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// The integer arithmetic behind the tree, for its tests.
var (
	Worth      = worth
	Price      = price
	SquareRoot = squareRoot
	BinaryLog  = binaryLog
	Power      = power
	GammaLog   = gammaLog
	Dirichlet  = dirichlet
)

// One is a sure win as a value, Unit 1 as a fixed-point number, Certain all priors together.
const (
	One     = one
	Unit    = unit
	Certain = certain
)

// Sums returns the visits of every twig and its values' sum.
func (m *MCTS) Sums() (sums [][2]int64) {
	for i := range m.tree {
		sums = append(sums, [2]int64{int64(m.tree[i].visits), m.tree[i].sum})
	}
	return sums
}

// Priors returns the priors of the root's children by action.
func (m *MCTS) Priors() map[env.Action]int {
	priors := map[env.Action]int{}
	for _, t := range m.childrenOf(0) {
		priors[t.action] = int(t.prior)
	}
	return priors
}

// Check tells where the counts of the tree do not agree: an expanded twig that is
// not solved has one visit more than its children together, and a sum that
// differs from theirs by one value.
func (m *MCTS) Check() error {
	for i := range m.tree {
		t := &m.tree[i]
		if t.waiting {
			return fmt.Errorf("twig %d waits for its value", i)
		}
		if t.solved || t.count == 0 {
			continue
		}
		visits, sum := int32(1), int64(0)
		for _, c := range m.childrenOf(int32(i)) {
			visits += c.visits
			sum += c.sum
		}
		if t.mover != t.chooser {
			sum = -sum
		}
		if own := t.sum - sum; t.visits != visits || own < -one || own > one {
			return fmt.Errorf("twig %d has %d visits and the sum %d, its children %d and %d", i, t.visits, t.sum, visits-1, sum)
		}
	}
	return nil
}
