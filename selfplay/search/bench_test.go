package search_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// open hides the concrete types, as every caller's code does.
//
//go:noinline
func open(b *testing.B, game env.Game, name string) *search.AlphaBeta {
	evaluator, err := eval.New(name, game)
	if err != nil {
		b.Fatal(err)
	}
	return searcherOf(b, game, evaluator, search.Options{Hash: 16})
}

// BenchmarkSearch searches positions of random games with 100,000 nodes each.
func BenchmarkSearch(b *testing.B) {
	for _, variant := range defaults {
		for _, name := range eval.Names() {
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
