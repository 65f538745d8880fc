package env

import (
	"math/bits"
	"math/rand/v2"
)

// Rand is the random generator for everything random in Sandtable: PCG-DXSM as in
// math/rand/v2, seeded through SplitMix64. Runs are reproducible because the sequence
// for a seed never changes; a test pins it. A zero Rand must be seeded before use. One
// goroutine at a time may use a Rand.
type Rand struct {
	pcg rand.PCG
}

// NewRand returns a generator with the given seed.
func NewRand(seed uint64) *Rand {
	r := new(Rand)
	r.Seed(seed)
	return r
}

// Seed starts the sequence of a seed.
func (r *Rand) Seed(seed uint64) { r.pcg.Seed(Derive(seed, 0), Derive(seed, 1)) }

// AppendBinary appends the position in the sequence: 20 bytes. Its error is always nil.
func (r *Rand) AppendBinary(dst []byte) ([]byte, error) { return r.pcg.AppendBinary(dst) }

// UnmarshalBinary sets the position in the sequence that AppendBinary wrote.
func (r *Rand) UnmarshalBinary(data []byte) error { return r.pcg.UnmarshalBinary(data) }

// Uint64 returns a uniform 64-bit number.
func (r *Rand) Uint64() uint64 { return r.pcg.Uint64() }

// IntN returns a uniform number from 0 to n−1; n must be positive. It is unbiased, by
// multiplication and rejection (Lemire 2019, "Fast Random Integer Generation in
// an Interval", algorithm 5).
func (r *Rand) IntN(n int) int {
	hi, lo := bits.Mul64(r.pcg.Uint64(), uint64(n))
	if lo < uint64(n) {
		for least := -uint64(n) % uint64(n); lo < least; {
			hi, lo = bits.Mul64(r.pcg.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// Float64 returns a uniform number in [0, 1), a multiple of 2⁻⁵³.
func (r *Rand) Float64() float64 { return float64(r.pcg.Uint64()>>11) / (1 << 53) }

// Derive returns the seed for a path of numbers below another seed, such as (run
// seed, episode, seat). Each step is one round of SplitMix64 (Steele, Lea, Flood
// 2014) of the exclusive or of the previous value and the next number.
func Derive(seed uint64, path ...uint64) uint64 {
	h := splitMix(seed)
	for _, n := range path {
		h = splitMix(h ^ n)
	}
	return h
}

func splitMix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
