//go:build long

package balance_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func TestIntervalsOfKnownValuesHoldThemAtTheirRate(t *testing.T) {
	const sets, games = 400, 800
	inside := [len(worths)][2]int{} // of log odds and of values
	for seed := range uint64(sets) {
		settings, list := synthetic(t, games, seed+1000, false)
		for i, v := range analyze(t, balance.Options{Goroutines: 2}, source(settings, list)).Values.Phases[0].Types {
			if v.LogOdds.Low <= worths[i] && worths[i] <= v.LogOdds.High {
				inside[i][0]++
			}
			if want := worths[i] / worths[len(worths)-1]; v.Value.Low <= want && want <= v.Value.High {
				inside[i][1]++
			}
		}
	}
	for i, n := range inside {
		for k, what := range []string{"log odds", "value"} {
			if k == 1 && i == len(inside)-1 {
				continue // the unit's own
			}
			share, band := float64(n[k])/sets, 3*math.Sqrt(.95*.05/sets)
			t.Logf("type %d, %s: %.3f", i, what, share)
			if share < .93-band || share > .97+band {
				t.Errorf("type %d: intervals of %s hold the truth in %.3f of %d sets", i, what, share, sets)
			}
		}
	}
}
