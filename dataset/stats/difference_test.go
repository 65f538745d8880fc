package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of
//
//	statsmodels.stats.proportion.confint_proportions_2indep(k1, n1, k2, n2, method='newcomb', compare='diff')
//
// in statsmodels 0.15.0. The first six are examples of Newcombe's table II.
func TestDifferenceOfSharesAgreesWithStatsmodels(t *testing.T) {
	for _, c := range []struct {
		k1, n1, k2, n2 int64
		low, high      float64
	}{
		{56, 70, 48, 80, 0.052431472402365, 0.333872654036906},
		{9, 10, 3, 10, 0.170522723934503, 0.809017973535488},
		{6, 7, 2, 7, 0.0582279274823121, 0.806249637524228},
		{5, 56, 0, 29, -0.0381371479035369, 0.192560013855112},
		{0, 10, 0, 20, -0.161125158052819, 0.277532799862889},
		{10, 10, 0, 20, 0.679086037141915, 1},
		{10, 10, 0, 10, 0.607509350430524, 1},
		{523, 1000, 480, 1000, -0.000818045475444687, 0.0865853378603859},
	} {
		i := stats.Difference(stats.Wilson(c.k1, c.n1, .95), stats.Wilson(c.k2, c.n2, .95))
		near(t, "low", i.Low, c.low)
		near(t, "high", i.High, c.high)
		if i.N != c.n1+c.n2 || i.Level != .95 || i.Method != "newcombe, wilson" {
			t.Errorf("%+v: interval is labelled %+v", c, i)
		}
	}
}

func TestADifferenceFromNothingIsOpen(t *testing.T) {
	some := stats.Wilson(3, 10, .95)
	none := stats.Wilson(0, 0, .95)
	if i := stats.Difference(none, none); i.Estimate != 0 || i.Low != -1 || i.High != 1 {
		t.Errorf("nothing less nothing is %+v", i)
	}
	if i := stats.Difference(some, none); i.Low != some.Low-1 || i.High != some.High {
		t.Errorf("%+v less nothing is %+v", some, i)
	}
	var a, b stats.Clusters
	for range 2 { // nothing, then one cluster each
		if i := stats.MeanDifference(&a, &b, .95); !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) || math.IsNaN(i.Estimate) {
			t.Errorf("difference of means is %+v", i)
		}
		a.Add(30, 2)
		b.Add(20, 2)
	}
	a.Add(30, 2)
	b.Add(20, 2)
	if i := stats.MeanDifference(&a, &b, .95); i.Estimate != 5 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("difference between means of what does not vary is %+v", i)
	}
}

// Values of
//
//	CompareMeans(DescrStatsW(a), DescrStatsW(b)).tconfint_diff(usevar='unequal')
//
// of statsmodels.stats.weightstats 0.15.0.
func TestDifferenceOfMeansAgreesWithStatsmodels(t *testing.T) {
	i := stats.MeanDifference(ones(4, 8, 15, 16, 23, 42), ones(5, 9, 11, 30, 12, 14, 2), .95)
	near(t, "low", i.Low, -8.63259448554789)
	near(t, "high", i.High, 20.9183087712622)
	if i.N != 13 || i.Method != "welch, clusters" {
		t.Errorf("interval is labelled %+v", i)
	}
}

// ones makes clusters of one number each.
func ones(numbers ...float64) *stats.Clusters {
	c := new(stats.Clusters)
	for _, x := range numbers {
		c.Add(x, 1)
	}
	return c
}

func TestIntervalsOfDifferencesHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	for _, c := range []struct {
		pairs1, pairs2 int
		win1, win2     float64
		correlation    float64
	}{{30, 30, .5, .5, .5}, {100, 50, .7, .6, .8}, {100, 100, .95, .9, .3}, {20, 200, .5, .55, 1}} {
		got := coverage(3000, c.win1-c.win2, func(r *rand.Rand) stats.Interval {
			a, b := pairs(r, c.pairs1, c.win1, c.correlation, false), pairs(r, c.pairs2, c.win2, c.correlation, false)
			return stats.Difference(a.Interval(.95), b.Interval(.95))
		})
		if got < .935 || got > .975 {
			t.Errorf("%+v: the interval holds the difference in %.1f %% of all cases", c, 100*got)
		}
		got = coverage(3000, 100*(c.win1-c.win2), func(r *rand.Rand) stats.Interval {
			var sides [2]stats.Clusters
			for side, n := range []int{c.pairs1, c.pairs2} {
				for range n {
					common := r.NormFloat64()
					sum := 2 * 100 * []float64{c.win1, c.win2}[side]
					for range 2 {
						sum += 30 * float64(side+1) * (common + r.NormFloat64())
					}
					sides[side].Add(sum, 2)
				}
			}
			return stats.MeanDifference(&sides[0], &sides[1], .95)
		})
		if got < .935 || got > .965 {
			t.Errorf("%+v: the interval holds the difference of means in %.1f %% of all cases", c, 100*got)
		}
	}
}
