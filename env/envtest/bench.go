package envtest

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// openState hides the concrete type from the compiler, as every caller's code does.
//
//go:noinline
func openState(g env.Game) env.State { return env.NewState(g) }

// Benchmark measures random play and the single methods of a state, in the position
// after 30 random plies, as separate benchmarks for each variant.
func Benchmark(b *testing.B, variants ...*variant.Variant) {
	for _, v := range variants {
		b.Run(v.Name, func(b *testing.B) {
			b.Run("play", func(b *testing.B) { benchmarkPlay(b, v.Game) })
			b.Run("packed play", func(b *testing.B) { benchmarkPackedPlay(b, v.Game) })
			benchmarkMethods(b, v.Game)
		})
	}
}

// benchmarkPlay plays uniformly random actions from the list of legal ones, and
// starts again when a game ends.
func benchmarkPlay(b *testing.B, g env.Game) {
	s, r, legal := openState(g), env.NewRand(1), g.Spec().NewActions()
	for b.Loop() {
		legal = s.Legal(legal[:0])
		advance(s, r, legal)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
}

// benchmarkPackedPlay does the same with the packed mask and observation.
func benchmarkPackedPlay(b *testing.B, g env.Game) {
	spec := g.Spec()
	s, r, legal := openState(g), env.NewRand(1), spec.NewActions()
	masker, masks := s.(env.Masker)
	observer, observes := s.(env.BitObserver)
	if !masks || !observes {
		b.Skip("the states are not both an env.Masker and an env.BitObserver")
	}
	mask := make([]uint64, spec.MaskWords())
	packed, scalars := make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars())
	for b.Loop() {
		legal = masker.LegalMask(legal[:0], mask)
		observer.ObserveBits(packed, scalars, s.Player())
		advance(s, r, legal)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
}

func advance(s env.State, r *env.Rand, legal []env.Action) {
	s.Apply(legal[r.IntN(len(legal))])
	if s.Player() == env.NoPlayer {
		s.Reset()
	}
}

func benchmarkMethods(b *testing.B, g env.Game) {
	spec := g.Spec()
	s, copied, r, legal := openState(g), openState(g), env.NewRand(1), spec.NewActions()
	for range 30 {
		advance(s, r, s.Legal(legal[:0]))
	}
	planes, features := make([]uint8, spec.ObservationSize()), make([]int32, len(spec.Features))
	for _, method := range []struct {
		name string
		call func()
	}{
		{"Legal", func() { legal = s.Legal(legal[:0]) }},
		{"CopyFrom", func() { copied.CopyFrom(s) }},
		{"Observe", func() { s.Observe(planes, env.First) }},
		{"Features", func() {
			if f, has := s.(env.Features); has {
				f.Features(features, env.First)
			}
		}},
	} {
		b.Run(method.name, func(b *testing.B) {
			for b.Loop() {
				method.call()
			}
		})
	}
}
