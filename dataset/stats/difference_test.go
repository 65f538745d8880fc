package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of
//
//	statsmodels.stats.proportion.proportion_confint(k, n, 1-level, 'beta')
//
// in statsmodels 0.15.0.
func TestClopperPearsonAgreesWithStatsmodels(t *testing.T) {
	for _, c := range []struct {
		k, n             int64
		level, low, high float64
	}{
		{0, 10, .95, 0, 0.308497107818761},
		{10, 10, .95, 0.691502892181239, 1},
		{1, 1, .95, 0.025, 1},
		{3, 10, .95, 0.0667395111777345, 0.652452850059997},
		{523, 1000, .95, 0.491514010315869, 0.554350219683538},
		{523, 1000, .99, 0.481784502830582, 0.563993500790728},
		{1, 100000, .9, 5.12932812325425e-07, 4.74377571738605e-05},
		{49999, 100000, .95, 0.496886062782466, 0.503093937797626},
	} {
		i := stats.ClopperPearson(c.k, c.n, c.level)
		near(t, "low", i.Low, c.low)
		near(t, "high", i.High, c.high)
		near(t, "estimate", i.Estimate, float64(c.k)/float64(c.n))
		if i.N != c.n || i.Level != c.level || i.Method != "clopper-pearson" {
			t.Errorf("%d of %d: interval is labelled %+v", c.k, c.n, i)
		}
	}
	if i := stats.ClopperPearson(0, 0, .95); i.Estimate != .5 || i.Low != 0 || i.High != 1 || i.N != 0 {
		t.Errorf("interval of nothing is %+v", i)
	}
}

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
	if i := stats.PairedDifference(0, 0, 0, 0, .95); i.Estimate != 0 || i.Low != -1 || i.High != 1 || i.N != 0 {
		t.Errorf("difference within no pairs is %+v", i)
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

func TestNewcombesIntervalsStayWithinWhatIsPossible(t *testing.T) {
	for both := range int64(4) {
		for first := range int64(4) {
			for second := range int64(4) {
				for neither := range int64(4) {
					i := stats.PairedDifference(both, first, second, neither, .95)
					if !(-1 <= i.Low && i.Low <= i.Estimate && i.Estimate <= i.High && i.High <= 1) {
						t.Errorf("%d %d %d %d: interval is %+v", both, first, second, neither, i)
					}
					turned := stats.PairedDifference(neither, first, second, both, .95)
					within(t, "low with hits and misses exchanged", turned.Low, i.Low, 1e-12)
					swapped := stats.PairedDifference(both, second, first, neither, .95)
					within(t, "low the other way round", swapped.Low, -i.High, 1e-12)
				}
			}
		}
	}
}

// Without correlation between the two the pairs say what two samples say.
func TestPairsWithoutCorrelationAreTwoSamples(t *testing.T) {
	got := stats.PairedDifference(8, 12, 4, 6, .95)
	want := stats.Difference(stats.Wilson(20, 30, .95), stats.Wilson(12, 30, .95))
	near(t, "low", got.Low, want.Low)
	near(t, "high", got.High, want.High)
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
	for _, c := range []struct {
		n           int
		first, both float64 // probabilities; the second's alone is 0.1
	}{{40, .1, .4}, {100, .3, .3}, {100, .15, .7}} {
		got := coverage(3000, c.first-.1, func(r *rand.Rand) stats.Interval {
			var counts [4]int64
			for range c.n {
				switch x := r.Float64(); {
				case x < c.both:
					counts[0]++
				case x < c.both+c.first:
					counts[1]++
				case x < c.both+c.first+.1:
					counts[2]++
				default:
					counts[3]++
				}
			}
			return stats.PairedDifference(counts[0], counts[1], counts[2], counts[3], .95)
		})
		// The correction for continuity makes it hold a little more.
		if got < .935 || got > .98 {
			t.Errorf("%+v: the paired interval holds the difference in %.1f %% of all cases", c, 100*got)
		}
	}
}

func TestClopperPearsonHoldsTheTruthAtLeastAsOftenAsItSays(t *testing.T) {
	for _, p := range []float64{.02, .1, .5} {
		got := coverage(3000, p, func(r *rand.Rand) stats.Interval {
			var k int64
			for range 50 {
				if r.Float64() < p {
					k++
				}
			}
			return stats.ClopperPearson(k, 50, .95)
		})
		if got < .94 {
			t.Errorf("p = %v: the interval holds the truth in %.1f %% of all cases", p, 100*got)
		}
	}
}
