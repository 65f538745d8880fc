package ntxuva_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// hidden returns a state whose type the compiler cannot see.
//
//go:noinline
func hidden(g env.Game) env.State { return env.NewState(g) }

// BenchmarkRandomPlay plays uniformly random legal actions from the full list.
func BenchmarkRandomPlay(b *testing.B) {
	for _, name := range []string{"basic", "mpale", "12", "singles"} {
		b.Run(name, func(b *testing.B) {
			g := load(b, "ntxuva/"+name).Game
			s := hidden(g)
			rng := env.NewRand(1)
			actions := g.Spec().NewActions()
			for b.Loop() {
				actions = s.Legal(actions[:0])
				if len(actions) == 0 {
					s.Reset()
					actions = s.Legal(actions[:0])
				}
				s.Apply(actions[rng.IntN(len(actions))])
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
		})
	}
}

func BenchmarkObserve(b *testing.B) {
	g := load(b, "ntxuva/basic").Game
	s := hidden(g)
	planes := make([]uint8, g.Spec().ObservationSize())
	for b.Loop() {
		s.Observe(planes, env.First)
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	g := load(b, "ntxuva/basic").Game
	s, source := hidden(g), hidden(g)
	for b.Loop() {
		s.CopyFrom(source)
	}
}
