package engine_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/engine"
)

func TestScalesOfAtMost255LeaveNumbersAsTheyAre(t *testing.T) {
	for _, scale := range []engine.Scale{1, 100, 255} {
		if scale.Max() != int(scale) {
			t.Errorf("scale %d: greatest value is %d", int(scale), scale.Max())
		}
		for value := range 400 {
			if got := scale.Of(value); int(got) != min(value, int(scale)) {
				t.Errorf("scale %d: %d stands as %d", int(scale), value, got)
			}
		}
	}
	if got := engine.Scale(100).String(); got != "at most 100" {
		t.Errorf("description is %q", got)
	}
}

func TestGreaterScalesComeDownTo255(t *testing.T) {
	for value, want := range map[int]uint8{0: 0, 1: 0, 2: 0, 3: 1, 300: 127, 599: 254, 600: 255, 601: 255, 1 << 30: 255} {
		if got := engine.Scale(600).Of(value); got != want {
			t.Errorf("%d of 600 stands as %d, want %d", value, got, want)
		}
	}
	if got := engine.Scale(600); got.Max() != 255 || got.String() != "at most 600, times 255/600 and rounded down" {
		t.Errorf("greatest value is %d, description %q", got.Max(), got)
	}
}

func TestAScaleOfNothingHasAPlaneOfItsOwn(t *testing.T) {
	if s := engine.Scale(0); s.Max() != 1 || s.Of(5) != 0 {
		t.Errorf("greatest value is %d, 5 stands as %d", s.Max(), s.Of(5))
	}
}

func TestFlagsAreOneAndZero(t *testing.T) {
	if engine.Flag(true) != 1 || engine.Flag(false) != 0 {
		t.Error("a flag is neither")
	}
}
