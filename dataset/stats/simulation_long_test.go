//go:build long

package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestTestsOfADifferenceErrAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	const runs = 1500
	var found, equivalent int
	for range runs {
		a, b := pairs(r, 60, .5, .6, false), pairs(r, 40, .5, .6, false)
		difference := func(level float64) stats.Interval { return stats.Difference(a.Interval(level), b.Interval(level)) }
		if stats.Significance(difference, 0).P <= .05 {
			found++
		}
		// On a margin the probability to take it for equivalent is α.
		a = pairs(r, 400, .6, .6, false)
		b = pairs(r, 400, .5, .6, false)
		if stats.Equivalence(difference, -.1, .1).P <= .05 {
			equivalent++
		}
	}
	// Three standard errors of 1,500 runs are 1.7 %.
	for what, n := range map[string]int{"difference": found, "equivalence": equivalent} {
		if share := float64(n) / runs; share < .033 || share > .067 {
			t.Errorf("%s is found falsely in %.1f %% of all cases", what, 100*share)
		}
	}
}
