package search_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// open hides the concrete types from the compiler, as in callers' code.
//
//go:noinline
func open(b *testing.B, game env.Game, name string) *search.AlphaBeta {
	evaluator, err := eval.New(name, game)
	if name == linear {
		evaluator, err = trainedLike(b, game).New(game)
	}
	if err != nil {
		b.Fatal(err)
	}
	return searcherOf(b, game, evaluator, search.Options{Hash: 16})
}

// linear names an evaluator with the weights of trainedLike.
const linear = "linear"

// trainedLike returns weights similar to trained ones: a point for each piece or seed
// and −5 to 5 for every other parameter.
func trainedLike(b *testing.B, game env.Game) *eval.Weights {
	layout, err := eval.NewLayout(game)
	if err != nil {
		b.Fatal(err)
	}
	r, values := env.NewRand(1), make([]float64, layout.Size())
	for i := range values {
		if values[i] = 10*r.Float64() - 5; strings.HasSuffix(layout.Name(i), " count") {
			values[i] = eval.Unit
		}
	}
	weights, err := eval.NewWeights(game, "sha256:none", values, "")
	if err != nil {
		b.Fatal(err)
	}
	return weights
}

// BenchmarkSearch searches 100,000 nodes from each of several positions of random games.
func BenchmarkSearch(b *testing.B) {
	for _, variant := range defaults {
		for _, name := range append(eval.Names(), linear) {
			b.Run(variant+"/"+name, func(b *testing.B) {
				game := lookup(b, variant)
				s := open(b, game, name)
				var positions []env.State
				walk(game, 1, 17, 16, func(from env.State) {
					kept := env.NewState(game)
					kept.CopyFrom(from)
					positions = append(positions, kept)
				})
				nodes, depth := int64(0), 0
				b.ResetTimer()
				for i := range b.N {
					s.Begin(1)
					result := s.Search(positions[i%len(positions)], search.Limits{Nodes: 100_000}, 1)
					nodes += result.Nodes
					depth += result.Depth
				}
				b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
				b.ReportMetric(float64(depth)/float64(b.N), "depth")
			})
		}
	}
}

// BenchmarkTree runs 400 simulations from the start and from positions of random games.
func BenchmarkTree(b *testing.B) {
	for _, variant := range defaults {
		game := lookup(b, variant)
		positions := map[string][]env.State{"start": {env.NewState(game)}}
		walk(game, 1, 17, 8, func(from env.State) {
			kept := env.NewState(game)
			kept.CopyFrom(from)
			positions["middle"] = append(positions["middle"], kept)
		})
		for _, place := range []string{"start", "middle"} {
			b.Run(variant+"/"+place, func(b *testing.B) {
				m := grower(b, game)
				const simulations = 400
				nodes, depth := int64(0), 0
				b.ResetTimer()
				for i := range b.N {
					m.Begin(1)
					result := m.Search(positions[place][i%len(positions[place])], search.TreeLimits{Simulations: simulations}, 1)
					nodes += result.Nodes
					depth += result.Depth
				}
				b.ReportMetric(float64(simulations*b.N)/b.Elapsed().Seconds(), "sims/s")
				b.ReportMetric(float64(nodes)/float64(simulations*b.N), "nodes/sim")
				b.ReportMetric(float64(depth)/float64(b.N), "depth")
			})
		}
	}
}
