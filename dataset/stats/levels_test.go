package stats_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// The level in all looks that a repeated P leaves is that whose interval at the look is
// as wide as P says; an early look may have none.
func TestRepeatedPValuesAreThoseOfTheIntervals(t *testing.T) {
	looks := []float64{.25, .5, .75, 1}
	for look := range looks {
		l, err := stats.Sequential{Level: stats.Level}.Levels(looks[:look+1])
		if err != nil {
			t.Fatal(err)
		}
		before := 0.0
		for _, single := range []float64{0, 1e-15, 1e-9, 1e-4, .003, .05, .3, .8, 1} {
			is := l.Repeated(stats.Test{P: single}).P
			if !(is >= before && is <= 1 && is >= single) {
				t.Errorf("at look %d P of %v is %v after %v", look+1, single, is, before)
			}
			before = is
			if is == 1 || is == 1e-15 {
				continue
			}
			if single < 1e-9 { // levels nearer to 1 have few digits
				t.Errorf("at look %d P of %v is %v", look+1, single, is)
			} else if at := 1 - l.At(1-is); math.Abs(math.Log(at/single)) > 1e-5 {
				t.Errorf("at look %d P of %v is %v, of which the interval's is %v", look+1, single, is, at)
			}
		}
	}
	l := new(stats.Levels)
	if is := l.Repeated(stats.Test{P: .03}); is.P != .03 || is.Method != "" {
		t.Errorf("with a single look P of 0.03 is %+v", is)
	}
}
