package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// SciPy, with sums y and sizes m of g clusters:
//
//	r = y.sum()/m.sum(); v = g/(g-1)*((y-r*m)**2).sum()/m.sum()**2; n = r*(1-r)/v
//	a = norm.sf(t.ppf((1+level)/2, g-1)); beta.ppf(a, n*r, n*(1-r)+1); beta.isf(a, n*r+1, n*(1-r))
func TestRareSharesHaveTheExactIntervalOfTheEffectiveNumber(t *testing.T) {
	for _, c := range []struct {
		of                     *stats.Clusters
		level, rate, low, high float64
		n                      int64
	}{
		{countsOf(8, append(make([]float64, 17), 1, 2, 4)...), .95, .04375, 0.006006556473100065, 0.14311158658735182, 160},
		{countsOf(2, 2, 1, 2, 1.5, 2, .5, 2, 2), .9, .8125, 0.5343084031443823, 0.9619179606034276, 16},
	} {
		i := c.of.ExactInterval(c.level)
		within(t, "share", i.Estimate, c.rate, 1e-12)
		within(t, "low", i.Low, c.low, 1e-9)
		within(t, "high", i.High, c.high, 1e-9)
		if i.N != c.n || i.Level != c.level || i.Method != "clopper-pearson, clusters" {
			t.Errorf("the interval is labelled %+v", i)
		}
	}
}

// Clusters that agree are so many observations, of which the interval is exact.
func TestSharesOfTooLittleAreExact(t *testing.T) {
	if i := new(stats.Clusters).ExactInterval(.95); i.Estimate != .5 || i.Low != 0 || i.High != 1 || i.N != 0 {
		t.Errorf("of nothing the interval is %+v", i)
	}
	for _, c := range []struct {
		share, low, high float64
		of               *stats.Clusters
	}{
		// proportion_confint(k, 4, .05, 'beta') of statsmodels 0.15.0 with k = 0, 4 and 2.
		{0, 0, 0.602364635616474, countsOf(3, 0, 0, 0, 0)},
		{1, 0.397635364383526, 1, countsOf(3, 3, 3, 3, 3)},
		{.5, 0.067585986488542, 0.932414013511458, countsOf(2, 1, 1, 1, 1)},
	} {
		got := c.of.ExactInterval(.95)
		within(t, "low", got.Low, c.low, 1e-12)
		within(t, "high", got.High, c.high, 1e-12)
		within(t, "share", got.Estimate, c.share, 0)
	}
}

// The reason for it: Wilson's interval of what was hardly ever seen is too narrow.
func TestRareSharesHoldTheTruth(t *testing.T) {
	for _, c := range []struct {
		games              int
		share, correlation float64
	}{{400, .0004, 0}, {400, .0015, .3}, {100, .02, .3}, {100, .98, .3}, {300, .1, .3}} {
		of := func(interval func(*stats.Clusters) stats.Interval) float64 {
			return coverage(2000, c.share, func(r *rand.Rand) stats.Interval {
				return interval(pairs(r, c.games/2, c.share, c.correlation, false))
			})
		}
		got := of(func(s *stats.Clusters) stats.Interval { return s.ExactInterval(.95) })
		wilson := of(func(s *stats.Clusters) stats.Interval { return s.Interval(.95) })
		if got < .94 {
			t.Errorf("%+v: the interval holds the truth in %.1f %% of all cases", c, 100*got)
		}
		if c.correlation == 0 && wilson > .9 {
			t.Errorf("%+v: Wilson's interval holds the truth in %.1f %%, which makes this one needless", c, 100*wilson)
		}
	}
}

// Shares of the houses that random agents used in 30,000 games of N'txuva on 4 columns:
// nearly all in nearly every game, and few in few, so that the mean is skewed. Of 200
// games the exact interval is as good as its level, Wilson's is not.
func TestSkewedSharesHoldTheTruth(t *testing.T) {
	values := []float64{.5, .625, .6875, .75, .8125, .875, .9375, 1}
	games := []int{49, 1, 9, 16, 113, 409, 2007, 27396}
	var all []float64
	truth := 0.0
	for k, n := range games {
		for range n {
			all = append(all, values[k])
		}
		truth += values[k] * float64(n) / 30_000
	}
	of := func(interval func(*stats.Clusters) stats.Interval) float64 {
		return coverage(5000, truth, func(r *rand.Rand) stats.Interval {
			c := new(stats.Clusters)
			for range 200 {
				c.Add(all[r.IntN(len(all))], 1)
			}
			return interval(c)
		})
	}
	exact, wilson := of(func(c *stats.Clusters) stats.Interval { return c.ExactInterval(.95) }), of(func(c *stats.Clusters) stats.Interval { return c.Interval(.95) })
	t.Logf("exact %.3f, Wilson's %.3f", exact, wilson)
	if exact < .935 || exact > .97 || wilson > .935 {
		t.Errorf("the exact interval holds the truth in %.3f of all cases, Wilson's in %.3f", exact, wilson)
	}
}
