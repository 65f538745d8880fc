package search

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// The integer arithmetic behind the tree, for its tests.
var (
	ValueOf    = valueOf
	ScoreOf    = scoreOf
	SquareRoot = squareRoot
	BinaryLog  = binaryLog
	Power      = power
	GammaLog   = gammaLog
	Dirichlet  = dirichlet
)

const (
	WinValue = winValue
	FixedOne = fixedOne
	PriorOne = priorOne
)

// Sums returns the visits and the value sum of every edge.
func (m *MCTS) Sums() (sums [][2]int64) {
	for i := range m.tree {
		sums = append(sums, [2]int64{int64(m.tree[i].visits), m.tree[i].sum})
	}
	return sums
}

// Priors returns the priors of the root's children by action.
func (m *MCTS) Priors() map[env.Action]int {
	priors := map[env.Action]int{}
	for _, e := range m.childrenOf(0) {
		priors[e.action] = int(e.prior)
	}
	return priors
}

// Check returns an error if the counts of the tree disagree: an expanded edge that is
// not solved has one visit more than its children together, and a sum that differs
// from theirs by one value.
func (m *MCTS) Check() error {
	for i := range m.tree {
		e := &m.tree[i]
		if e.pending {
			return fmt.Errorf("edge %d is still pending", i)
		}
		if e.solved || e.count == 0 {
			continue
		}
		visits, sum := int32(1), int64(0)
		for _, c := range m.childrenOf(int32(i)) {
			visits += c.visits
			sum += c.sum
		}
		if e.mover != e.player {
			sum = -sum
		}
		if own := e.sum - sum; e.visits != visits || own < -winValue || own > winValue {
			return fmt.Errorf("edge %d has %d visits and sum %d, its children %d and %d", i, e.visits, e.sum, visits-1, sum)
		}
	}
	return nil
}
