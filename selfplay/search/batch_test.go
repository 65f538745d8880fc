package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// counting is an evaluator that records the positions and the size of the batches that it gets.
type counting struct {
	eval.Evaluator
	largest, positions int
}

func (c *counting) EvaluateBatch(states []env.State, dst []int) {
	c.largest = max(c.largest, len(states))
	c.positions += len(states)
	for i, s := range states {
		dst[i] = c.Evaluate(s)
	}
}

func TestLeavesAreEvaluatedInBatches(t *testing.T) {
	for _, variant := range defaults {
		game := lookup(t, variant)
		evaluator, err := eval.New("score", game)
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int{1, 2, 16} {
			c := &counting{Evaluator: evaluator}
			options := usual()
			options.Batch = batch
			m, err := search.NewMCTS(game, c, options)
			if err != nil {
				t.Fatal(err)
			}
			m.Begin(1)
			m.Search(env.NewState(game), search.TreeLimits{Simulations: 201}, 1)
			if c.largest != batch || c.positions != 202 { // the root is evaluated too
				t.Errorf("%s: %d positions in batches of at most %d, must be 202 of %d", variant, c.positions, c.largest, batch)
			}
			if visitsOf(m) != 201 {
				t.Errorf("%s: %d visits of 201 simulations", variant, visitsOf(m))
			}
		}
	}
}

// With batches of one, a Batcher gives the same search as an ordinary evaluator.
func TestABatchOfOneChangesNothing(t *testing.T) {
	game := lookup(t, "trench/standard")
	evaluator, err := eval.New("score", game)
	if err != nil {
		t.Fatal(err)
	}
	m, err := search.NewMCTS(game, &counting{Evaluator: evaluator}, usual())
	if err != nil {
		t.Fatal(err)
	}
	plain := grower(t, game)
	m.Begin(1)
	walk(game, 4, 7, 5, func(from env.State) {
		want, got := plain.Search(from, search.TreeLimits{Simulations: 300}, 2), m.Search(from, search.TreeLimits{Simulations: 300}, 2)
		if summary(want) != summary(got) {
			t.Errorf("finds %s, without batches %s", summary(got), summary(want))
		}
	})
}

// After a search, the visits of every edge are those of its children and its own first
// one, and its sum is that of their values and its own.
func TestVirtualLossIsRemovedCompletely(t *testing.T) {
	for _, variant := range append(defaults[:], "heap") {
		game := env.Game(heapGame{})
		if variant != "heap" {
			game = lookup(t, variant)
		}
		for _, batch := range []int{1, 3, 64} {
			options := usual()
			options.Batch = batch
			m := growerWith(t, game, options)
			walk(game, 5, 11, 4, func(from env.State) {
				m.Search(from, search.TreeLimits{Simulations: 500}, 1)
				if err := m.Check(); err != nil {
					t.Errorf("%s, batch of %d: %v", variant, batch, err)
				}
			})
		}
	}
}
