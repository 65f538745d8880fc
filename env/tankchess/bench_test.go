package tankchess_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

// openState hides the concrete type, as every caller's code does.
//
//go:noinline
func openState(g env.Game) env.State { return env.NewState(g) }

// boards are the presets that differ in what a ply costs.
func boards() []string { return []string{"tankchess/16x16", "tankchess/20x20"} }

// BenchmarkRandomPlay plays uniformly random legal actions with the full list
// of legal actions each ply, and starts again when a game ends.
func BenchmarkRandomPlay(b *testing.B) {
	for _, name := range boards() {
		b.Run(name, func(b *testing.B) {
			g := load(b, name).Game
			s := openState(g)
			r := env.NewRand(1)
			legal := g.Spec().NewActions()
			for b.Loop() {
				legal = s.Legal(legal[:0])
				s.Apply(legal[r.IntN(len(legal))])
				if s.Player() == env.NoPlayer {
					s.Reset()
				}
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(ns, "ns/ply")
			b.ReportMetric(1e9/ns, "plies/s")
		})
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, name := range boards() {
		b.Run(name, func(b *testing.B) {
			g := load(b, name).Game
			s := openState(g)
			planes := make([]uint8, g.Spec().ObservationSize())
			for b.Loop() {
				s.Observe(planes, env.First)
			}
		})
	}
}

func BenchmarkObserveBits(b *testing.B) {
	for _, name := range boards() {
		b.Run(name, func(b *testing.B) {
			g := load(b, name).Game
			s := openState(g).(env.BitObserver)
			packed, scalars := make([]uint64, g.Spec().ObservationBitWords()), make([]uint8, g.Spec().ObservationScalars())
			for b.Loop() {
				s.ObserveBits(packed, scalars, env.First)
			}
		})
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	for _, name := range boards() {
		b.Run(name, func(b *testing.B) {
			g := load(b, name).Game
			s, o := openState(g), openState(g)
			for b.Loop() {
				s.CopyFrom(o)
			}
		})
	}
}
