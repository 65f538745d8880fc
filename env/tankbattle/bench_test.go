package tankbattle_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// openState hides the concrete type, as every caller's code does.
//
//go:noinline
func openState(g env.Game) env.State { return env.NewState(g) }

func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{tankbattle.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// BenchmarkRandomPlay plays uniformly random legal actions with the full list
// of legal actions each ply, and starts again when a game ends.
func BenchmarkRandomPlay(b *testing.B) {
	g := load(b, "tankbattle/standard").Game
	s := openState(g)
	r := env.NewRand(1)
	legal := make([]env.Action, 0, g.Spec().MaxLegal)
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
}

// BenchmarkMaskPlay is the same with the packed mask and observation each ply.
func BenchmarkMaskPlay(b *testing.B) {
	g := load(b, "tankbattle/standard").Game
	spec := g.Spec()
	s := openState(g)
	r := env.NewRand(1)
	legal := spec.NewActions()
	mask, bits := make([]uint64, spec.MaskWords()), make([]uint64, spec.ObservationBitWords())
	scalars := make([]uint8, spec.ObservationScalars())
	for b.Loop() {
		legal = s.(env.Masker).LegalMask(legal[:0], mask)
		s.(env.BitObserver).ObserveBits(bits, scalars, s.Player())
		s.Apply(legal[r.IntN(len(legal))])
		if s.Player() == env.NoPlayer {
			s.Reset()
		}
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(ns, "ns/ply")
	b.ReportMetric(1e9/ns, "plies/s")
}

// middle is a position from a random game.
const middle = "c2Tt6/tt7T1/2t3t2t1/tT9/10T/1t9/3t3t3/1T5T3/11/7T3/T3T1T1T1C w 1 60"

func BenchmarkLegal(b *testing.B) {
	g := load(b, "tankbattle/standard").Game
	s := openState(g)
	if err := s.SetPosition(middle); err != nil {
		b.Fatal(err)
	}
	legal := make([]env.Action, 0, g.Spec().MaxLegal)
	for b.Loop() {
		legal = s.Legal(legal[:0])
	}
	b.ReportMetric(float64(len(legal)), "actions")
}

func BenchmarkObserve(b *testing.B) {
	g := load(b, "tankbattle/standard").Game
	s := openState(g)
	planes := make([]uint8, g.Spec().ObservationSize())
	for b.Loop() {
		s.Observe(planes, env.First)
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	g := load(b, "tankbattle/standard").Game
	s, o := openState(g), openState(g)
	for b.Loop() {
		s.CopyFrom(o)
	}
}
