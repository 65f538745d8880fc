package envtest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

func (s *Subject) newMask() []uint64   { return make([]uint64, s.spec.MaskWords()) }
func (s *Subject) newBits() []uint64   { return make([]uint64, s.spec.ObservationBitWords()) }
func (s *Subject) newScalars() []uint8 { return make([]uint8, s.spec.ObservationScalars()) }

// checkMasks demands that a Masker appends the list of Legal and sets exactly its
// bits, whatever the mask contained before.
func checkMasks(s *Subject) error {
	want, got := s.newMask(), s.newMask()
	return walkAs(s, 1, func(at spot, masker env.Masker) error {
		env.PackActions(want, at.legal)
		for _, before := range []uint64{0, ^uint64(0)} {
			for i := range got {
				got[i] = before
			}
			list := masker.LegalMask([]env.Action{env.NoAction}, got)
			if list[0] != env.NoAction || !slices.Equal(list[1:], at.legal) {
				return fmt.Errorf("list beside the mask is %v after %v, must be %v", list[1:], list[0], at.legal)
			}
			if i := firstDifference(got, want); i >= 0 {
				return fmt.Errorf("word %d of the mask is %#x, must be %#x", i, got[i], want[i])
			}
		}
		return nil
	})
}

// checkObserveBits demands that a BitObserver writes what packing the planes gives,
// and that unpacking restores the planes.
func checkObserveBits(s *Subject) error {
	planes, back := make([]uint8, s.spec.ObservationSize()), make([]uint8, s.spec.ObservationSize())
	want, got := s.newBits(), s.newBits()
	wantScalars, gotScalars := s.newScalars(), s.newScalars()
	return s.walk(1, func(at spot) error {
		for viewer := env.First; viewer <= env.Second; viewer++ {
			at.state.Observe(planes, viewer)
			s.spec.PackObservation(want, wantScalars, planes)
			if s.spec.UnpackObservation(back, want, wantScalars); !bytes.Equal(planes, back) {
				return fmt.Errorf("viewer %d: planes differ after packing and unpacking", viewer)
			}
			observer, ok := at.state.(env.BitObserver)
			if !ok {
				continue
			}
			for _, before := range []uint64{0, ^uint64(0)} {
				for i := range got {
					got[i] = before
				}
				for i := range gotScalars {
					gotScalars[i] = uint8(before)
				}
				observer.ObserveBits(got, gotScalars, viewer)
				if i := firstDifference(got, want); i >= 0 {
					return fmt.Errorf("viewer %d: word %d of the bits is %#x, must be %#x", viewer, i, got[i], want[i])
				}
				if i := firstDifference(gotScalars, wantScalars); i >= 0 {
					return fmt.Errorf("viewer %d: scalar %d is %d, must be %d", viewer, i, gotScalars[i], wantScalars[i])
				}
			}
		}
		return nil
	})
}

// firstDifference returns the first index at which equally long lists differ, −1 for none.
func firstDifference[T comparable](a, b []T) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}
