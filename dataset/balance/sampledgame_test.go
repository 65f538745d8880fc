package balance

import "testing"

func TestPhasesAreCutByThePiecesOfBothSides(t *testing.T) {
	b := &board{full: [2]int64{6, 3}} // nine pieces: phases end at six and at three
	for left, want := range []phase{late, late, late, late, middle, middle, middle, early, early, early} {
		if got := b.phase(int64(left)); got != want {
			t.Errorf("with %d of 9 pieces left the phase is %d, want %d", left, got, want)
		}
	}
}
