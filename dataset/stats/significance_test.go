package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of scipy.stats.ttest_ind(a, b, equal_var=False).pvalue in SciPy 1.17.1
// and of
//
//	statsmodels.stats.weightstats.ttost_ind(a, b, low, high, usevar='unequal')[0]
//
// in statsmodels 0.15.0.
func TestSignificanceOfADifferenceAgreesWithSciPyAndStatsmodels(t *testing.T) {
	a, b := ones(4, 8, 15, 16, 23, 42), ones(5, 9, 11, 30, 12, 14, 2)
	difference := func(level float64) stats.Interval { return stats.MeanDifference(a, b, level) }
	test := stats.Significance(difference, 0)
	near(t, "P", test.P, 0.368913068344317)
	if test.N != 13 || test.Method != "welch, clusters" || test.Statistic < .8 || test.Statistic > 1 {
		t.Errorf("test is %+v", test)
	}
	for _, c := range []struct{ low, high, p float64 }{
		{-20, 25, 0.00913431736372321}, {-2, 3, 0.680177278603976}, {7, 30, 0.551119868289233},
	} {
		test := stats.Equivalence(difference, c.low, c.high)
		near(t, "P of equivalence", test.P, c.p)
		if test.Method != "tost, welch, clusters" || (test.Statistic < 0) != (test.P > .5) {
			t.Errorf("test is %+v", test)
		}
	}
}

func TestTestAndIntervalNeverDisagree(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 100 {
		n := 5 + r.IntN(60)
		a, b := pairs(r, n, .6, .5, true), pairs(r, n, .5, .5, true)
		difference := func(level float64) stats.Interval { return stats.Difference(a.Interval(level), b.Interval(level)) }
		p := stats.Significance(difference, 0).P
		wide, narrow := difference(1-p*.999), difference(1-math.Min(1, p*1.001))
		if !(wide.Low <= 0 && 0 <= wide.High) || p < .999 && narrow.Low <= 0 && 0 <= narrow.High {
			t.Errorf("P is %v, but the intervals at this level are %+v and %+v", p, wide, narrow)
		}
		tost := stats.Equivalence(difference, -.1, .1).P
		if i := difference(.9); (tost < .05) != (-.1 < i.Low && i.High < .1) {
			t.Errorf("equivalence has P %v, the 90 %% interval is %+v", tost, i)
		}
	}
}

func TestNothingIsNeverSignificant(t *testing.T) {
	for _, interval := range []func(float64) stats.Interval{
		func(level float64) stats.Interval { return stats.Wilson(0, 0, level) },
		func(level float64) stats.Interval { return stats.MeanDifference(ones(), ones(1), level) },
		func(level float64) stats.Interval { return stats.Wilson(5, 10, level) },
	} {
		if test := stats.Significance(interval, .5); test.P != 1 || math.Abs(test.Statistic) > 1e-9 {
			t.Errorf("test is %+v", test)
		}
		if test := stats.Equivalence(interval, .45, .55); !(test.P > .3 && test.P <= .5) {
			t.Errorf("equivalence is %+v", test)
		}
	}
	sure := func(level float64) stats.Interval { return stats.Wilson(1e6, 1e6, level) }
	if test := stats.Significance(sure, .5); test.P != 1e-15 || math.IsInf(test.Statistic, 0) || test.Statistic < 7 {
		t.Errorf("test is %+v", test)
	}
	if test := stats.Equivalence(sure, .9, 1.1); test.P > 1e-14 {
		t.Errorf("equivalence is %+v", test)
	}
}

// Values of statsmodels.stats.multitest.multipletests(p, .05, 'holm')[1] in
// statsmodels 0.15.0.
func TestAdjustedPAgreeWithStatsmodels(t *testing.T) {
	p := []float64{.01, .04, .03, .005, .5, .03, 1, 0, .2}
	before := append([]float64(nil), p...)
	holm := stats.Holm(p)
	for i := range p {
		near(t, "Holm", holm[i], []float64{.07, .18, .18, .04, 1, .18, 1, 0, .6}[i])
		if p[i] != before[i] {
			t.Errorf("the caller's P values changed to %v", p)
		}
	}
	if len(stats.Holm(nil)) != 0 {
		t.Error("no tests have adjusted P values")
	}
}

func TestHolmKeepsFalseDiscoveriesRare(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	const runs = 4000
	found := 0
	for range runs {
		var p []float64 // the first four hypotheses hold, the last two do not
		for range 4 {
			p = append(p, r.Float64())
		}
		p = append(p, r.Float64()*1e-4, r.Float64()*1e-4)
		if slices.Min(stats.Holm(p)[:4]) <= .1 {
			found++
		}
	}
	within(t, "share of runs with a false discovery", float64(found)/runs, .1, .015)
}
