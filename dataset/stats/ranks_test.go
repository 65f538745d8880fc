package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

var (
	rank1, rank2 = []float64{4, 8, 15, 16, 23, 42}, []float64{5, 9, 11, 30, 12, 14, 2}
	tied1, tied2 = []float64{1, 2, 2, 3, 5, 5, 5}, []float64{2, 3, 5, 5, 6, 7, 7}
	many1        = []float64{11, 12, 11, 6, 13, 11, 8, 12, 11, 11, 10, 12, 8, 10, 9, 12, 10, 9, 8, 9, 10, 9, 14, 13, 2, 4, 9, 9, 11, 11,
		16, 7, 9, 16, 12, 12, 8, 5, 11, 10, 6, 8, 10, 7, 10, 10, 10, 8, 12, 13, 11, 8, 12, 8, 13, 7, 13, 10, 6, 9}
	many2 = []float64{11, 12, 7, 7, 12, 9, 12, 14, 4, 12, 16, 10, 8, 14, 12, 15, 10, 5, 11, 9, 14, 12, 4, 6, 15, 14, 8, 11, 13, 13,
		15, 12, 11, 10, 15, 2, 10, 11, 5, 12, 8, 14, 10, 14, 16}
)

// Values of scipy.stats.ks_2samp(a, b, method='exact') of SciPy 1.17.1 where no
// numbers are equal, else of scipy.stats.permutation_test with n_resamples=inf.
func TestKolmogorovSmirnovAgreesWithSciPy(t *testing.T) {
	var grid1, grid2 []float64
	for i := range 400 {
		if i < 300 {
			grid1 = append(grid1, float64(i)/40)
		}
		grid2 = append(grid2, .7003+float64(i)/55)
	}
	for _, c := range []struct {
		a, b []float64
		d, p float64
	}{
		{rank1, rank2, 0.523809523809524, 0.277389277389277},
		{tied1, tied2, 0.42857142857142855, 0.28321678321678323},
		{grid1, grid2, 0.0966666666666667, 0.0767012880585267},
	} {
		for _, got := range []stats.Test{stats.KolmogorovSmirnov(c.a, c.b), stats.KolmogorovSmirnov(c.b, c.a)} {
			near(t, "distance", got.Statistic, c.d)
			near(t, "P", got.P, c.p)
			if got.Method != "kolmogorov-smirnov, exact" || got.N != int64(len(c.a)+len(c.b)) {
				t.Errorf("test is %+v", got)
			}
		}
	}
	// Here scipy.stats.ks_2samp has 0.0150902202933138 with method='exact'.
	var large1, large2 []float64
	for i := range 4000 {
		if i < 3000 {
			large1 = append(large1, float64(i)/3000)
		}
		large2 = append(large2, .0374+float64(i)/4000)
	}
	got := stats.KolmogorovSmirnov(large1, large2)
	if got.Method != "kolmogorov-smirnov, limit" {
		t.Errorf("test is %+v", got)
	}
	within(t, "P in the limit", got.P, 0.0150902202933138, .00015)
}

func TestRanksOfNothingAndOfEqualNumbersSayNothing(t *testing.T) {
	var equal []float64
	for range 40 {
		equal = append(equal, 3)
	}
	for _, c := range [][2][]float64{{nil, nil}, {nil, {1, 2}}, {{1}, nil}, {{3, 3}, {3, 3, 3}}, {{1}, {2}}, {equal, equal}} {
		if got := stats.KolmogorovSmirnov(c[0], c[1]); got.P != 1 || math.IsNaN(got.Statistic) {
			t.Errorf("%v: test is %+v", c, got)
		}
		i := stats.CliffsDelta(stats.Sample{Values: c[0]}, stats.Sample{Values: c[1]}, .95)
		if !(-1 <= i.Low && i.Low <= i.Estimate && i.Estimate <= i.High && i.High <= 1) || i.Low > -.04 || i.High < .04 {
			t.Errorf("%v: delta is %+v", c, i)
		}
	}
	// All of one above all of the other: Wilson's bound of 20 in 20.
	var low, high stats.Sample
	for i := range 20 {
		low.Values = append(low.Values, float64(i))
		high.Values = append(high.Values, float64(100+i), float64(200+i))
	}
	i, bound := stats.CliffsDelta(high, low, .95), stats.Wilson(20, 20, .95)
	near(t, "low", i.Low, 2*bound.Low-1)
	if i.Estimate != 1 || i.High != 1 || i.N != 60 {
		t.Errorf("delta is %+v", i)
	}
}

// U is the statistic of scipy.stats.mannwhitneyu(a, b) of SciPy 1.17.1.
func TestDeltaIsThatOfU(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		u    float64
	}{{rank1, rank2, 28}, {tied1, tied2, 11.5}, {many1, many2, 1055.5}} {
		i := stats.CliffsDelta(stats.Sample{Values: c.a}, stats.Sample{Values: c.b}, .95)
		near(t, "delta", i.Estimate, 2*c.u/float64(len(c.a)*len(c.b))-1)
	}
}

// A pair of equal numbers tells as much as one of them.
func TestNumbersTwiceInAClusterCountOnce(t *testing.T) {
	twice := func(x []float64) (s stats.Sample) {
		for i, v := range x {
			s.Values = append(s.Values, v, v)
			s.Clusters = append(s.Clusters, int32(i), int32(i))
		}
		return s
	}
	once := stats.CliffsDelta(stats.Sample{Values: many1}, stats.Sample{Values: many2}, .95)
	got := stats.CliffsDelta(twice(many1), twice(many2), .95)
	near(t, "low", got.Low, once.Low)
	near(t, "high", got.High, once.High)
	if got.N != 2*once.N {
		t.Errorf("n is %d, want %d", got.N, 2*once.N)
	}
}

// clustered are clusters of two numbers with a common part, in whole steps.
func clustered(r *rand.Rand, n int, mean, spread float64) (s stats.Sample) {
	for i := range n {
		common := r.NormFloat64()
		for range 2 {
			s.Values = append(s.Values, math.Round(mean+spread*(common+r.NormFloat64())))
			s.Clusters = append(s.Clusters, int32(i))
		}
	}
	return s
}

func TestIntervalsOfDeltaHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	for _, c := range []struct {
		n, m         int
		mean, spread float64
	}{{15, 15, 0, 3}, {30, 60, 3, 5}, {40, 40, 12, 4}} {
		r := rand.New(rand.NewPCG(49, 50))
		truth := stats.CliffsDelta(clustered(r, 1e5, c.mean, c.spread), clustered(r, 1e5, 0, 3), .95).Estimate
		got := coverage(1200, truth, func(r *rand.Rand) stats.Interval {
			return stats.CliffsDelta(clustered(r, c.n, c.mean, c.spread), clustered(r, c.m, 0, 3), .95)
		})
		// 3 standard errors of 1,200 runs are 1.9 %.
		if got < .931 || got > .972 {
			t.Errorf("%+v: the interval holds delta, %.3f, in %.1f %% of all cases", c, truth, 100*got)
		}
	}
}

func TestKolmogorovSmirnovErrsAsOftenAsItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	const runs = 1000
	draw := func(n int) (x []float64) {
		for range n {
			x = append(x, math.Floor(5*r.ExpFloat64()))
		}
		return x
	}
	errors := 0
	for range runs {
		if stats.KolmogorovSmirnov(draw(60), draw(80)).P <= .05 {
			errors++
		}
	}
	if share := float64(errors) / runs; share < .025 || share > .071 {
		t.Errorf("the test errs in %.1f %% of all cases", 100*share)
	}
}
