package env_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func packSpec() *env.Spec {
	return &env.Spec{Width: 13, Height: 5, Actions: 130, Planes: []env.Plane{
		{Name: "stones", Max: 1},
		{Name: "to move", Max: 1, Uniform: true},
		{Name: "seeds", Max: 24},
		{Name: "quiet", Max: 255, Uniform: true},
		{Name: "heat", Max: 255},
	}}
}

func TestPackedSizesFollowFromThePlanes(t *testing.T) {
	spec := packSpec()
	if n := spec.MaskWords(); n != 3 {
		t.Errorf("mask of 130 actions has %d words", n)
	}
	if n := spec.PlaneWords(); n != 2 {
		t.Errorf("plane of 65 squares has %d words", n)
	}
	if n := spec.ObservationBitWords(); n != 2*(1+5+8) {
		t.Errorf("observation has %d words of bits", n)
	}
	if n := spec.ObservationScalars(); n != 2 {
		t.Errorf("observation has %d scalars", n)
	}
}

func TestPackedObservationPlacesEachBit(t *testing.T) {
	spec := packSpec()
	planes := make([]uint8, spec.ObservationSize())
	planes[64] = 1
	for i := range 65 {
		planes[65+i], planes[3*65+i] = 1, 200
	}
	planes[2*65+3] = 18
	packed, scalars := []uint64{27: 99}, make([]uint8, 2)
	spec.PackObservation(packed, scalars, planes)
	want := make([]uint64, 28)
	want[1] = 1          // stones, element 64
	want[2+2*1] = 1 << 3 // seeds, bit 1
	want[2+2*4] = 1 << 3 // seeds, bit 4
	if !slices.Equal(packed, want) || !bytes.Equal(scalars, []uint8{1, 200}) {
		t.Errorf("packed is %#x and %d, must be %#x", packed, scalars, want)
	}
}

func TestPackingLosesNothing(t *testing.T) {
	spec, r := packSpec(), env.NewRand(8)
	planes, back := make([]uint8, spec.ObservationSize()), make([]uint8, spec.ObservationSize())
	packed, scalars := make([]uint64, spec.ObservationBitWords()), make([]uint8, spec.ObservationScalars())
	for range 200 {
		for p, plane := range spec.Planes {
			for i := range 65 {
				planes[p*65+i] = uint8(r.IntN(int(plane.Max) + 1))
				if plane.Uniform {
					planes[p*65+i] = planes[p*65]
				}
			}
		}
		spec.PackObservation(packed, scalars, planes)
		spec.UnpackObservation(back, packed, scalars)
		if !bytes.Equal(planes, back) {
			t.Fatal("planes differ after packing and unpacking")
		}
	}
}

func TestPackActionsOverwritesTheMask(t *testing.T) {
	mask := []uint64{7, 7, 7}
	env.PackActions(mask, []env.Action{0, 63, 64, 129})
	if want := []uint64{1 | 1<<63, 1, 2}; !slices.Equal(mask, want) {
		t.Errorf("mask is %#x, must be %#x", mask, want)
	}
}
