package search

import (
	"math"
	"math/bits"
)

// Values of the tree search are numbers of 1/one from −one, a loss, to one, a
// win. Everything that decides is an integer, so that it decides the same on
// every processor.
const one = 1 << 16

// softness is the score, in the evaluator's unit, that counts as half a win.
const softness = 400

// worth turns a score into a value; price is its inverse, but for rounding and
// for what is forced.
func worth(score int) int {
	if _, forced := Forced(score); forced {
		return max(-one, min(one, score))
	}
	return score * one / (max(score, -score) + softness)
}

// Value turns a score into an expected result from −1, a loss, to 1, a win: that
// of s is s / (|s| + 400).
func Value(score int) float32 { return float32(worth(score)) / one }

func price(value int) int {
	rest := max(1, one-max(value, -value))
	return max(-forcedBound+1, min(forcedBound-1, value*softness/rest))
}

// sooner is a score seen from one ply earlier: what is forced takes a ply more.
func sooner(score int) int {
	switch {
	case score >= forcedBound:
		return score - 1
	case score <= -forcedBound:
		return score + 1
	}
	return score
}

// squareRoot returns the integer part of a square root.
func squareRoot(n uint64) uint64 {
	r := uint64(math.Sqrt(float64(n)))
	if r > math.MaxUint32 || r*r > n { // n was rounded up
		r--
	}
	return r
}

// Fixed-point numbers and logarithms have logBits bits behind the point. They
// are computed from integers alone: math.Log and math.Exp differ between
// processors.
const (
	logBits = 32
	unit    = 1 << logBits // 1 as a fixed-point number
)

// ln2 is the natural logarithm of 2, with 64 bits behind the point.
const ln2 = 0xb17217f7d1cf79ab

// binaryLog returns the logarithm to the base 2 of an integer n, at least 1,
// digit by digit.
func binaryLog(n uint64) int64 {
	whole := bits.Len64(n) - 1
	m, log := n<<(63-whole), int64(whole) // m is 1 to 2, with 63 bits behind the point
	for range logBits {
		square, _ := bits.Mul64(m, m)
		log <<= 1
		if square < 1<<63 {
			m = square << 1
		} else {
			m, log = square, log|1
		}
	}
	return log
}

// fixedLog is the logarithm to the base 2 of a fixed-point number above 0.
func fixedLog(n uint64) int64 { return binaryLog(n) - logBits<<logBits }

// natural turns a logarithm to the base 2, not negative, into the natural one.
func natural(log int64) uint64 {
	n, _ := bits.Mul64(uint64(log), ln2)
	return n
}

// power returns 2 to the power of a logarithm below 31, by the series of the
// exponential function.
func power(log int64) uint64 {
	const digits = 62
	x, _ := bits.Mul64(uint64(log)<<logBits, ln2) // the fraction, in 64 bits
	term, sum := uint64(1)<<digits, uint64(1)<<digits
	for k := uint64(1); term > 0; k++ {
		term, _ = bits.Mul64(term, x)
		term /= k
		sum += term
	}
	if shift := digits - logBits - log>>logBits; shift < 64 {
		return sum >> shift
	}
	return 0
}
