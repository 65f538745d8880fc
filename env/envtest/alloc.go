package envtest

import (
	"fmt"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// checkAllocations demands that no method allocates when the slices given to it
// have room. The checks of the build tag invariants allocate.
func checkAllocations(s *Subject) error {
	if engine.Invariants {
		return nil
	}
	next, scratch := env.NewState(s.game), env.NewState(s.game)
	legal := s.spec.NewActions()
	events := make([]env.Event, 0, 4096)
	list := make([]env.Piece, 0, 2*s.spec.Width*s.spec.Height)
	text := make([]byte, 0, 1<<16)
	planes := make([]uint8, s.spec.ObservationSize())
	table := make([]int32, s.spec.PieceTableSize())
	features := make([]int32, len(s.spec.Features))
	mask, packed, scalars := s.newMask(), s.newBits(), s.newScalars()
	r := env.NewRand(7)

	line := s.lines[0]
	if n := testing.AllocsPerRun(2, func() {
		scratch.Reset()
		for _, a := range line.actions {
			legal = scratch.Legal(legal[:0])
			next.CopyFrom(scratch)
			scratch.Apply(a)
		}
	}); n > 0 {
		return fmt.Errorf("a whole game allocates %g times", n)
	}
	return s.walk(151, func(at spot) error {
		a, state := at.next, at.state
		type method struct {
			name string
			call func()
		}
		methods := []method{
			{"Legal", func() { legal = state.Legal(legal[:0]) }},
			{"CopyFrom", func() { next.CopyFrom(state) }},
			{"Player", func() { state.Player() }},
			{"Result", func() { state.Result() }},
			{"Hash", func() { state.Hash() }},
			{"Observe", func() { state.Observe(planes, env.Second) }},
			{"AppendPosition", func() { text = state.AppendPosition(text[:0]) }},
			{"Reset", func() { next.Reset() }},
		}
		add := func(name string, call func()) { methods = append(methods, method{name, call}) }
		if x, ok := state.(env.Scorer); ok {
			add("Points", func() { x.Points(env.First) })
		}
		if x, ok := state.(env.PieceLister); ok {
			add("Pieces", func() { list = x.Pieces(list[:0]) })
		}
		if x, ok := state.(env.PieceAdder); ok {
			add("AddPieces", func() { x.AddPieces(table) })
		}
		if x, ok := state.(env.Noisy); ok {
			add("Noisy", func() { legal = x.Noisy(legal[:0]) })
		}
		if x, ok := state.(env.Features); ok {
			add("Features", func() { x.Features(features, env.First) })
		}
		if x, ok := state.(env.Snapshotter); ok {
			add("AppendBinary", func() { text, _ = x.AppendBinary(text[:0]) })
		}
		if x, ok := state.(env.Sampler); ok {
			add("Sample", func() { x.Sample(r) })
		}
		if x, ok := state.(env.Masker); ok {
			add("LegalMask", func() { legal = x.LegalMask(legal[:0], mask) })
		}
		if x, ok := state.(env.BitObserver); ok {
			add("ObserveBits", func() { x.ObserveBits(packed, scalars, env.First) })
		}
		if a != env.NoAction {
			add("Apply", func() { next.CopyFrom(state); next.Apply(a) })
			add("AppendAction", func() { text = state.AppendAction(text[:0], a) })
			if x, ok := next.(env.Tracer); ok {
				add("Trace", func() { next.CopyFrom(state); events = x.Trace(a, events[:0]) })
			}
		}
		for _, m := range methods {
			if n := testing.AllocsPerRun(5, m.call); n > 0 {
				return fmt.Errorf("%s allocates %g times", m.name, n)
			}
		}
		return nil
	})
}
