package search

import (
	"math"
	"math/bits"
)

// Values of the tree search are integers from −winValue, a loss, to winValue, a win, so
// that every processor makes the same decisions.
const winValue = 1 << 16

// valueScale is the score, in the evaluator's unit, whose value is half a win.
const valueScale = 400

// valueOf converts a score to a value. scoreOf is its inverse, except for rounding and
// forced scores.
func valueOf(score int) int {
	if _, forced := Forced(score); forced {
		return max(-winValue, min(winValue, score))
	}
	return score * winValue / (max(score, -score) + valueScale)
}

// scoreOf never returns a forced score.
func scoreOf(value int) int {
	rest := max(1, winValue-max(value, -value))
	return max(-forcedBound+1, min(forcedBound-1, value*valueScale/rest))
}

// Value converts a score s to an expected result from −1, a loss, to 1, a win:
// s / (|s| + 400).
func Value(score int) float32 { return float32(valueOf(score)) / winValue }

// squareRoot returns the integer part of a square root.
func squareRoot(n uint64) uint64 {
	r := uint64(math.Sqrt(float64(n)))
	if r > math.MaxUint32 || r*r > n { // float64(n) was rounded up
		r--
	}
	return r
}

// Fixed-point numbers and logarithms have fixedBits fractional bits. They are computed
// with integers because math.Log and math.Exp differ between processors.
const (
	fixedBits = 32
	fixedOne  = 1 << fixedBits
)

// ln2 is the natural logarithm of 2, with 64 fractional bits.
const ln2 = 0xb17217f7d1cf79ab

// binaryLog returns the binary logarithm of an integer n ≥ 1, one bit at a time.
func binaryLog(n uint64) int64 {
	whole := bits.Len64(n) - 1
	m, log := n<<(63-whole), int64(whole) // m is in [1, 2), with 63 fractional bits
	for range fixedBits {
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

// fixedLog returns the binary logarithm of a fixed-point number above 0.
func fixedLog(n uint64) int64 { return binaryLog(n) - fixedBits<<fixedBits }

// naturalLog converts a binary logarithm, at least 0, to a natural one.
func naturalLog(log int64) uint64 {
	n, _ := bits.Mul64(uint64(log), ln2)
	return n
}

// power returns 2 to the power of log, a fixed-point number below 31, with the series
// of the exponential function.
func power(log int64) uint64 {
	const fractionBits = 62
	x, _ := bits.Mul64(uint64(log)<<fixedBits, ln2) // the fraction of log times ln 2, with 64 fractional bits
	term, sum := uint64(1)<<fractionBits, uint64(1)<<fractionBits
	for k := uint64(1); term > 0; k++ {
		term, _ = bits.Mul64(term, x)
		term /= k
		sum += term
	}
	if shift := fractionBits - fixedBits - log>>fixedBits; shift < 64 {
		return sum >> shift
	}
	return 0
}
