package stats_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// Values of
//
//	statsmodels.stats.proportion.proportion_confint(k, n, 1-level, 'wilson')
//
// in statsmodels 0.15.0.
func TestWilsonAgreesWithStatsmodels(t *testing.T) {
	for _, c := range []struct {
		k, n             int64
		level, low, high float64
	}{
		{0, 10, .95, 0, 0.277532799862889},
		{10, 10, .95, 0.722467200137111, 1},
		{1, 1, .95, 0.206549314377237, 1},
		{3, 10, .95, 0.107791267406301, 0.603221852538855},
		{523, 1000, .95, 0.492014201254593, 0.553809767855071},
		{523, 1000, .99, 0.482298095178732, 0.563398711235711},
		{1, 100000, .9, 2.23092536878799e-06, 4.48232361013806e-05},
		{0, 1, .95, 0, 0.793450685622763},
	} {
		i := stats.Wilson(c.k, c.n, c.level)
		near(t, "low", i.Low, c.low)
		near(t, "high", i.High, c.high)
		near(t, "estimate", i.Estimate, float64(c.k)/float64(c.n))
		if i.N != c.n || i.Level != c.level || i.Method != "wilson" {
			t.Errorf("%d of %d: interval is labelled %+v", c.k, c.n, i)
		}
	}
}

func TestNothingObservedIsTheWidestInterval(t *testing.T) {
	var none stats.Clusters
	none.Add(0, 0)
	for _, i := range []stats.Interval{stats.Wilson(0, 0, .95), none.Interval(.95)} {
		if i.Estimate != 0.5 || i.Low != 0 || i.High != 1 || i.N != 0 {
			t.Errorf("interval of nothing is %+v", i)
		}
	}
	var m stats.Moments
	if i := m.Interval(.95); i.Estimate != 0 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("mean of nothing is %+v", i)
	}
	m.Add(3, 1)
	if i := m.Interval(.95); i.Estimate != 3 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
		t.Errorf("mean of one number is %+v", i)
	}
}

// Values of numpy.mean(x), numpy.var(x, ddof=1) and
//
//	scipy.stats.t.interval(level, len(x)-1, loc=numpy.mean(x), scale=scipy.stats.sem(x))
//
// in SciPy 1.17.1.
func TestMeanAgreesWithSciPy(t *testing.T) {
	var m stats.Moments
	for _, x := range []float64{4, 8, 15, 16, 23, 42} {
		m.Add(x, 1)
	}
	near(t, "variance", m.Variance(), 182)
	i := m.Interval(.95)
	near(t, "mean", i.Estimate, 18)
	near(t, "low", i.Low, 3.84233919266079)
	near(t, "high", i.High, 32.1576608073392)

	var two stats.Moments
	two.Add(1, 1)
	two.Add(2, 1)
	i = two.Interval(.99)
	near(t, "low", i.Low, -30.3283705814358)
	near(t, "high", i.High, 33.3283705814358)
}

func TestAddingManyAtOnceIsAddingEach(t *testing.T) {
	var one, many stats.Moments
	for _, c := range []struct {
		x     float64
		times int64
	}{{3, 5}, {1000, 2}, {-7, 0}, {12, 9}} {
		many.Add(c.x, c.times)
		for range c.times {
			one.Add(c.x, 1)
		}
	}
	near(t, "mean", many.Mean(), one.Mean())
	near(t, "variance", many.Variance(), one.Variance())
	if many.N() != one.N() {
		t.Errorf("%d numbers, want %d", many.N(), one.N())
	}
}

// Mean and variance of
//
//	statsmodels.api.OLS(y, numpy.ones(12)).fit(cov_type='cluster', cov_kwds={'groups': g, 'use_correction': True})
//
// with y = [1,0, 1,1, .5,0, .5, 0,0, 1,.5, 1] and g = [0,0,1,1,2,2,3,4,4,5,5,6]; the
// bounds are the roots of (p−mean)² = t²·p·(1−p)·variance/(mean·(1−mean)) with
// t = scipy.stats.t.ppf(.975, 6), found by scipy.optimize.brentq.
func TestClustersAgreeWithTheClusterRobustVarianceOfStatsmodels(t *testing.T) {
	var c stats.Clusters
	for _, pair := range []struct {
		sum float64
		n   int64
	}{{1, 2}, {2, 2}, {.5, 2}, {.5, 1}, {0, 2}, {1.5, 2}, {1, 1}} {
		c.Add(pair.sum, pair.n)
	}
	mean, variance := c.Mean()
	near(t, "mean", mean, 0.541666666666667)
	near(t, "variance", variance, 0.0222519611625515)
	i := c.Interval(.95)
	near(t, "low", i.Low, 0.232303623402796)
	near(t, "high", i.High, 0.821926888615445)
	if i.N != 12 {
		t.Errorf("n is %d, want the 12 games", i.N)
	}
}

func TestClustersThatAreMergedAreThoseAddedOneByOne(t *testing.T) {
	var all, first, rest stats.Clusters
	for i := range 40 {
		part := &first
		if i > 15 {
			part = &rest
		}
		for _, c := range []*stats.Clusters{&all, part} {
			c.Add(float64(i*i%7)/2, 3)
		}
	}
	if first.Merge(&rest); first != all || first.Interval(.95) != all.Interval(.95) {
		t.Errorf("merged %+v, one by one %+v", first, all)
	}
}

// When all clusters agree nothing is known of their variance; the interval then
// is the one of as many independent games as there are clusters.
func TestClustersThatAllAgreeAreNotCertain(t *testing.T) {
	for _, sum := range []float64{0, 1, 2} {
		var c stats.Clusters
		for range 10 {
			c.Add(sum, 2)
		}
		i := c.Interval(.95)
		if i.High-i.Low < .2 || i.Low > i.Estimate || i.High < i.Estimate {
			t.Errorf("10 pairs of %v points each: interval is %+v", sum, i)
		}
	}
	var one stats.Clusters
	one.Add(1, 2)
	if i := one.Interval(.95); i.High-i.Low < .7 {
		t.Errorf("a single pair: interval is %+v", i)
	}
}

func TestIntervalsSurviveJSON(t *testing.T) {
	var m stats.Moments
	m.Add(5, 1)
	for _, want := range []stats.Interval{stats.Wilson(1, 3, .9), m.Interval(.95)} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got stats.Interval
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s read back is %+v, want %+v", data, got, want)
		}
	}
	data, _ := json.Marshal(stats.Wilson(1, 2, .95))
	const want = `{"estimate":0.5,"low":0.094531205734230`
	if string(data[:len(want)]) != want {
		t.Errorf("JSON is %s", data)
	}
}

func TestASumOfEstimatesIsAsUnsureAsBoth(t *testing.T) {
	a := stats.Interval{Estimate: 10, Low: 7, High: 15, Level: .95, N: 3}
	b := stats.Interval{Estimate: 1, Low: -3, High: 13, Level: .95, N: 4}
	sum := a.Plus(b)
	if sum.Estimate != 11 || sum.Low != 6 || sum.High != 24 || sum.N != 7 || sum.Level != .95 {
		t.Errorf("sum is %+v, want 11 from 6 to 24", sum)
	}
	b.High = math.Inf(1)
	if open := a.Plus(b); !math.IsInf(open.High, 1) || open.Low != 6 {
		t.Errorf("with an open end the sum is %+v", open)
	}
}

func TestTrialsInClustersOfOneHaveWilsonsInterval(t *testing.T) {
	var c stats.Clusters
	for i := range 148 {
		sum := 0.0
		if i < 15 {
			sum = 1
		}
		c.Add(sum, 1)
	}
	got := c.Interval(0.95)
	if got != stats.Wilson(15, 148, 0.95) {
		t.Errorf("the interval of the clusters is %+v, Wilson's %+v", got, stats.Wilson(15, 148, 0.95))
	}
	if c.Add(0.5, 1); c.Interval(0.95).Method != "wilson, clusters" {
		t.Errorf("with a draw, the method is %q", c.Interval(0.95).Method)
	}
}
