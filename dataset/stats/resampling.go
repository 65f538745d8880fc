package stats

import "math/rand/v2"

// Resampling says how a bootstrap or a permutation test draws.
type Resampling struct {
	Replicates int // 0 or more; 10,000 give a P of 5 % to ±0.4 %
	Seed       uint64
	// Goroutines share the replicates out; what they call must be safe for that.
	// Their number never changes the result.
	Goroutines int
}

// generator returns the random numbers of a replicate.
func (r Resampling) generator(replicate int) *rand.Rand {
	return rand.New(rand.NewPCG(scrambled(r.Seed), scrambled(scrambled(r.Seed)+uint64(replicate))))
}

// scrambled is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast
// Splittable Pseudorandom Number Generators"): seeds that are near each other give
// numbers that are not.
func scrambled(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
