package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestQuantilesHaveBoundsFromOrderStatistics(t *testing.T) {
	upTo := func(n int) []float64 {
		var x []float64
		for i := range n {
			x = append(x, float64(i+1))
		}
		return x
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		n                          int
		share, estimate, low, high float64
	}{
		// scipy.stats.quantile_test(range(1, n+1), p=share).confidence_interval(0.95)
		{10, .5, 5, 2, 9},
		{100, .5, 50, 40, 61},
		{100, .1, 10, 5, 17},
		{100, .9, 90, 84, 96},
		{1000, .25, 250, 223, 278},
		{5, .5, 3, -inf, inf},
		{20, .1, 2, -inf, 6},
		{1, .5, 1, -inf, inf},
		{0, .5, 0, -inf, inf},
	} {
		i := stats.Quantile(upTo(c.n), c.share, .95)
		if i.Estimate != c.estimate || i.Low != c.low || i.High != c.high || i.N != int64(c.n) {
			t.Errorf("quantile %v of %d is %+v, must be %v (%v to %v)", c.share, c.n, i, c.estimate, c.low, c.high)
		}
	}
	if i := stats.Quantile(slices.Repeat([]float64{7}, 50), .5, .95); i.Estimate != 7 || i.Low != 7 || i.High != 7 {
		t.Errorf("of equal numbers it is %+v", i)
	}
}

func TestQuantilesHoldTheTruthAtLeastAtTheirLevel(t *testing.T) {
	const trials, n = 2000, 80
	r := rand.New(rand.NewPCG(5, 1))
	for _, share := range []float64{.1, .5, .9} {
		inside := 0
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.Float64()
			}
			slices.Sort(x)
			if i := stats.Quantile(x, share, .95); i.Low <= share && share <= i.High {
				inside++
			}
		}
		if held := float64(inside) / trials; held < .94 || held > .985 {
			t.Errorf("intervals of the quantile %v hold it in %.3f of all trials", share, held)
		}
	}
}
