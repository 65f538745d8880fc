package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// An Estimator writes estimates to dst, from observations in which cluster c counts
// times[c] times. An estimate that is not finite means that these observations give none.
// An Estimator must not keep either slice.
type Estimator func(dst []float64, times []int32)

// enoughReplicates is the share of replicates that must give an estimate.
const enoughReplicates = 0.9

// Percentile returns the bootstrap intervals of a number of estimates: the middle part of
// the estimates when clusters are drawn with replacement (Efron and Tibshirani, An
// Introduction to the Bootstrap, 1993, chapter 13; for clusters, Davison and Hinkley,
// Bootstrap Methods and Their Application, 1997, section 3.8). Clusters must be
// independent. With fewer than 50 clusters the intervals are too narrow. N counts clusters.
//
// Replicates without an estimate are omitted. The bounds are infinite if these are more
// than a tenth, if there are fewer than two clusters, or if the observations themselves
// give no estimate.
func (r Resampling) Percentile(clusters, estimates int, level float64, estimate Estimator) []Interval {
	observed := make([]float64, estimates)
	estimate(observed, slices.Repeat([]int32{1}, clusters))
	intervals := make([]Interval, estimates)
	for j, x := range observed {
		intervals[j] = Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: int64(clusters), Method: "bootstrap, percentile"}
		if finite(x) != nil {
			intervals[j].Estimate = x
		}
	}
	if clusters < 2 {
		return intervals
	}
	replicates := r.replicates(clusters, estimates, estimate)
	for j := range intervals {
		x := column(replicates, j)
		if finite(observed[j]) == nil || float64(len(x)) < enoughReplicates*float64(r.Replicates) || len(x) == 0 {
			continue
		}
		slices.Sort(x)
		intervals[j].Low, intervals[j].High = orderStatistic(x, (1-level)/2), orderStatistic(x, (1+level)/2)
	}
	return intervals
}

// replicates returns the estimates of every replicate.
func (r Resampling) replicates(clusters, estimates int, estimate Estimator) [][]float64 {
	all := make([][]float64, r.Replicates)
	share(len(all), r.Goroutines, func() func(int) {
		times := make([]int32, clusters)
		return func(i int) {
			random := r.generator(i)
			clear(times)
			for range clusters {
				times[random.IntN(clusters)]++
			}
			all[i] = make([]float64, estimates)
			estimate(all[i], times)
		}
	})
	return all
}

// column returns the finite numbers of a column.
func column(rows [][]float64, j int) []float64 {
	var all []float64
	for _, row := range rows {
		if finite(row[j]) != nil {
			all = append(all, row[j])
		}
	}
	return all
}

// orderStatistic returns the number below which a share p of sorted numbers lies: the one
// at position p·(n+1), counted from 1, interpolated linearly.
func orderStatistic(sorted []float64, p float64) float64 {
	at := math.Min(float64(len(sorted)-1), math.Max(0, p*float64(len(sorted)+1)-1))
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Resampling configures the random draws of a bootstrap or of a test.
type Resampling struct {
	Replicates int // 0 or more; 10,000 give a P of 5 % to ±0.4 %
	Seed       uint64
	// Goroutines is the number of goroutines that compute replicates; 0 means 1. Functions
	// that are passed in must be safe for concurrent use. Results do not depend on it.
	Goroutines int
}

// generator returns the random numbers of a replicate.
func (r Resampling) generator(replicate int) *rand.Rand {
	return rand.New(rand.NewPCG(scrambled(r.Seed), scrambled(scrambled(r.Seed)+uint64(replicate))))
}

// drawn returns the P value (1+k)/(1+Replicates), where k replicates have a statistic of
// at least the limit (Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero").
func (r Resampling) drawn(limit float64, begin func() func(replicate int) float64) float64 {
	reached := make([]bool, r.Replicates)
	share(len(reached), r.Goroutines, func() func(int) {
		statistic := begin()
		return func(i int) { reached[i] = statistic(i) >= limit }
	})
	count := 1
	for _, is := range reached {
		if is {
			count++
		}
	}
	return float64(count) / float64(r.Replicates+1)
}

// atLeast returns the limit for statistics that equal x up to rounding.
func atLeast(x float64) float64 { return x - 1e-9*math.Abs(x) }

// scrambled is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable
// Pseudorandom Number Generators"). It maps seeds that are close together to numbers that
// are not.
func scrambled(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
