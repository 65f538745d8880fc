package stats

import (
	"math"
	"math/rand/v2"
)

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
