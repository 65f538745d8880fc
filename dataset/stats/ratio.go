package stats

import "math"

// Ratio returns the interval of a/b from the intervals of two independent estimates
// at the same level, which need not be symmetric: it holds the r with which 0 lies in
// the interval of a − r·b that [Difference] makes. That is the method of variance
// estimates recovery for ratios (Newcombe 2016, "MOVER-R Confidence Intervals for
// Ratios and Products of Two Independently Estimated Quantities"; Donner and Zou
// 2012, "Closed-Form Confidence Intervals for Functions of the Normal Mean and
// Standard Deviation"); of symmetric intervals it is Fieller's (1954). Where b may be
// 0 at this level, or a bound is infinite, nothing bounds the ratio; a unit that often
// may be makes the interval hold the truth more often than it says. N counts both.
func Ratio(a, b Interval) Interval {
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: a.Level, N: a.N + b.N, Method: "mover-r, " + a.Method}
	if b.High < 0 {
		a, b = a.negated(), b.negated()
	}
	for _, x := range [...]float64{a.Estimate, b.Estimate, a.Low, a.High, b.Low, b.High} {
		if math.IsInf(x, 0) {
			return i
		}
	}
	if b.Estimate != 0 {
		i.Estimate = a.Estimate / b.Estimate
	}
	if b.Low <= 0 {
		return i
	}
	i.Low = leastRatio(a.Estimate, a.Estimate-a.Low, b)
	i.High = -leastRatio(-a.Estimate, a.High-a.Estimate, b)
	return i
}

// negated is the interval of the estimate with the other sign.
func (i Interval) negated() Interval {
	i.Estimate, i.Low, i.High = -i.Estimate, -i.High, -i.Low
	return i
}

// leastRatio is the least r with a − r·b ≤ √(below² + r²·d²), where d is the distance
// of b from the bound that makes r·b greater.
func leastRatio(a, below float64, b Interval) float64 {
	distance := b.High - b.Estimate
	if a < below {
		distance = b.Estimate - b.Low
	}
	square, middle, last := b.Estimate*b.Estimate-distance*distance, a*b.Estimate, a*a-below*below
	root := math.Sqrt(math.Max(0, middle*middle-square*last))
	switch {
	case a < below:
		return (middle - root) / square // a square above 0, for b.Low is
	case last == 0:
		return 0
	}
	return last / (middle + root) // that root, of a square of either sign
}
