package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// resampling draws so many replicates.
func resampling(replicates int) stats.Resampling {
	return stats.Resampling{Replicates: replicates, Seed: 41, Goroutines: 2}
}

// A cluster is the sum of n numbers that are not independent.
type cluster struct{ sum, n float64 }

// singles are clusters of one number each.
func singles(numbers ...float64) []cluster {
	var all []cluster
	for _, x := range numbers {
		all = append(all, cluster{x, 1})
	}
	return all
}

// meanOf estimates the mean of clusters.
func meanOf(clusters []cluster) stats.Estimator {
	return func(dst []float64, times []int32) {
		sum, n := 0.0, 0.0
		for i, c := range clusters {
			sum += float64(times[i]) * c.sum
			n += float64(times[i]) * c.n
		}
		dst[0] = sum / n
	}
}

func TestThreadsDoNotChangeWhatIsDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	clusters := skewed(r, 100)
	look := func(goroutines int, seed uint64) []float64 {
		r := stats.Resampling{Replicates: 500, Seed: seed, Goroutines: goroutines}
		i := r.Percentile(100, 1, .95, meanOf(clusters))[0]
		return []float64{i.Low, i.High}
	}
	want := look(1, 1)
	for _, goroutines := range []int{0, 3} {
		if got := look(goroutines, 1); !slices.Equal(got, want) {
			t.Errorf("%d goroutines give %v, one gives %v", goroutines, got, want)
		}
	}
	if slices.Equal(look(1, 2), want) {
		t.Errorf("another seed gives the same: %v", want)
	}
}

// Means over four seeds of
//
//	scipy.stats.bootstrap((x,), numpy.mean, n_resamples=200000, method='percentile')
//
// in SciPy 1.17.1; the noise of ours is about 0.03.
func TestBootstrapAgreesWithSciPy(t *testing.T) {
	x := singles(3.1, .2, .5, 7.7, 1.4, .9, 12.5, 2.2, .1, .6, 1.1, 4.4, .3, 2.9, 1.8, .7, 5.5, .4, 1.2, .8)
	i := resampling(20000).Percentile(len(x), 1, .95, meanOf(x))[0]
	within(t, "percentile: low", i.Low, 1.25875, .03)
	within(t, "percentile: high", i.High, 3.87875, .06)
	if i.Estimate != 2.415 || i.N != 20 || i.Method != "bootstrap, percentile" {
		t.Errorf("interval is labelled %+v", i)
	}
}

func TestBootstrapWithoutAnAnswerIsOpen(t *testing.T) {
	nothing := func(dst []float64, times []int32) { dst[0], dst[1], dst[2] = math.NaN(), 3, math.Inf(1) }
	rare := func(dst []float64, times []int32) { // known only where the first cluster is drawn
		dst[0] = 1
		if times[0] == 0 {
			dst[0] = math.NaN()
		}
	}
	both := resampling(200).Percentile(20, 3, .95, nothing)
	for _, i := range []stats.Interval{both[0], both[2]} {
		if i.Estimate != 0 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
			t.Errorf("an estimate that there is not has %+v", i)
		}
	}
	if i := both[1]; i.Estimate != 3 || i.Low != 3 || i.High != 3 {
		t.Errorf("an estimate that is always 3 has %+v", i)
	}
	for _, i := range append(resampling(200).Percentile(20, 1, .95, rare), resampling(200).Percentile(1, 1, .95, rare)[0]) {
		if i.Estimate != 1 || !math.IsInf(i.Low, -1) || !math.IsInf(i.High, 1) {
			t.Errorf("an estimate that a third of the replicates lack has %+v", i)
		}
	}
	none := func(dst []float64, times []int32) { dst[0] = math.NaN() }
	if i := resampling(0).Percentile(0, 1, .95, none)[0]; i.N != 0 || !math.IsInf(i.Low, -1) {
		t.Errorf("an estimate from nothing has %+v", i)
	}
}

// skewed are clusters of two numbers each with a common part and the mean 1, as
// skewed as an exponential distribution.
func skewed(r *rand.Rand, n int) []cluster {
	var all []cluster
	for range n {
		all = append(all, cluster{r.ExpFloat64() + (r.ExpFloat64()+r.ExpFloat64())/2, 2})
	}
	return all
}

func TestBootstrapIntervalsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	seed := uint64(0)
	got := coverage(400, 1, func(r *rand.Rand) stats.Interval {
		clusters := skewed(r, 80)
		seed++
		return stats.Resampling{Replicates: 400, Seed: seed}.Percentile(len(clusters), 1, .95, meanOf(clusters))[0]
	})
	// 3.5 standard errors of 400 runs are 3.8 %.
	if got < .91 || got > .985 {
		t.Errorf("the interval holds the truth in %.1f %% of all cases", 100*got)
	}
}
