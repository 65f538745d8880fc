package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// counted counts events in clusters of so many games, on average rate a game. Their
// number is Poisson's, with the mean of each cluster drawn from a gamma distribution
// with this variance where it is above 0; each event counts 1 to most.
func counted(r *rand.Rand, clusters int, games int64, rate, variance float64, most int) *stats.Clusters {
	c := new(stats.Clusters)
	for range clusters {
		mean := rate * float64(games) * 2 / float64(1+most)
		if variance > 0 {
			mean *= distuv.Gamma{Alpha: 1 / variance, Beta: 1 / variance, Src: r}.Rand()
		}
		sum := 0
		for range int(distuv.Poisson{Lambda: mean, Src: r}.Rand()) {
			sum += 1 + r.IntN(most)
		}
		c.Add(float64(sum), games)
	}
	return c
}

// Counts of each cluster, of so many games.
func countsOf(games int64, counts ...float64) *stats.Clusters {
	c := new(stats.Clusters)
	for _, n := range counts {
		c.Add(n, games)
	}
	return c
}

// SciPy, with sums y and sizes m of g clusters:
//
//	r = y.sum()/m.sum(); v = g/(g-1)*((y-r*m)**2).sum()/m.sum()**2; k = r*r/v
//	a = norm.sf(t.ppf((1+level)/2, g-1)); gamma.ppf(a, k)*r/k; gamma.isf(a, k+1)*r/k
//
// Of 0, 1 and 2 the variance is that of a Poisson count, for which statsmodels has
// confint_poisson(3, 3, method="exact-c", alpha=2*norm.sf(t.ppf(.975, 2))).
func TestRatesHaveGarwoodsIntervalOfTheEffectiveCount(t *testing.T) {
	rare := append(make([]float64, 95), 1, 1, 1, 2, 4)
	for _, c := range []struct {
		of                     *stats.Clusters
		level, rate, low, high float64
		n                      int64
	}{
		{countsOf(1, 0, 1, 2), .95, 1, 0.012446979134609985, 6.288599868539932, 3},
		{countsOf(1, rare...), .95, .09, 0.021964087606355636, 0.24315678812164293, 100},
		{countsOf(2, 0, 3, 1, 0, 2, 2, 7, 1), .95, 1, 0.2992295050302174, 2.4197631694476747, 16},
		{countsOf(1, 40, 52, 47, 61, 38, 50), .9, 48, 41.33166077617209, 55.43325926467513, 6},
	} {
		i := c.of.RateInterval(c.level)
		within(t, "rate", i.Estimate, c.rate, 1e-12)
		within(t, "low", i.Low, c.low, 1e-9)
		within(t, "high", i.High, c.high, 1e-9)
		if i.N != c.n || i.Level != c.level || i.Method != "gamma, clusters" {
			t.Errorf("the interval is labelled %+v", i)
		}
	}
}

func TestRatesOfManyCountsHaveStudentsInterval(t *testing.T) {
	c := counted(rand.New(rand.NewPCG(3, 4)), 20_000, 2, 30, .5, 1)
	got, want := c.RateInterval(.95), c.StudentInterval(.95)
	within(t, "low", got.Low, want.Low, 3e-3)
	within(t, "high", got.High, want.High, 3e-3)
}

func TestRatesOfTooLittleAreOpen(t *testing.T) {
	for _, c := range []struct {
		of              *stats.Clusters
		rate, low, high float64
	}{
		{countsOf(1), 0, 0, math.Inf(1)},
		{countsOf(1, 7), 7, 0, math.Inf(1)},
		{countsOf(1, 0), 0, 0, math.Inf(1)},
		{countsOf(2, 0, 0, 0, 0), 0, 0, -math.Log(.025) / 4}, // nothing was seen in four
		// Four clusters that agree: Garwood's of 4, 1.0899 to 10.2416, a quarter of it.
		{countsOf(1, 3, 3, 3, 3), 3, 3 * 1.089865 / 4, 3 * 10.241589 / 4},
	} {
		i := c.of.RateInterval(.95)
		if i.Estimate != c.rate || math.Abs(i.Low-c.low) > 1e-5 || i.High != c.high && !(math.Abs(i.High-c.high) < 1e-5) {
			t.Errorf("the interval is %+v, want %v from %v to %v", i, c.rate, c.low, c.high)
		}
	}
	// Two clusters, whose quantile of Student's is far out, and levels near 1.
	for _, level := range []float64{.95, .999999, 1 - 1e-15} {
		i := countsOf(1, 1, 4).RateInterval(level)
		if !(i.Low >= 0 && i.Low < i.Estimate && i.High > i.Estimate) {
			t.Errorf("at level %v the interval is %+v", level, i)
		}
	}
}

// The reason for it: with few events Student's interval is too narrow.
func TestRatesOfRareEventsHoldTheTruth(t *testing.T) {
	student := 1.0
	for _, c := range []struct {
		clusters, most int
		games          int64
		rate, variance float64
	}{
		{400, 1, 1, .005, 0}, {400, 1, 1, .02, 0}, {60, 1, 1, .05, 0}, {400, 3, 1, .05, 0}, {100, 1, 2, .05, 1}, {200, 1, 2, 1, 2},
	} {
		of := func(i func(*stats.Clusters) stats.Interval) float64 {
			return coverage(1500, c.rate, func(r *rand.Rand) stats.Interval {
				return i(counted(r, c.clusters, c.games, c.rate, c.variance, c.most))
			})
		}
		got := of(func(s *stats.Clusters) stats.Interval { return s.RateInterval(.95) })
		if got < .935 {
			t.Errorf("%+v: the interval holds the truth in %.1f %% of all cases", c, 100*got)
		}
		student = math.Min(student, of(func(s *stats.Clusters) stats.Interval { return s.StudentInterval(.95) }))
	}
	if student > .92 {
		t.Errorf("Student's interval holds the truth in %.1f %% or more, which makes this one needless", 100*student)
	}
}
