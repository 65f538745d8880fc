package search

import "math/bits"

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

// squareRoot returns the integer part of a square root, by Newton's method from above.
func squareRoot(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	x := uint64(1) << ((bits.Len64(n) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
