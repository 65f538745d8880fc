package stats

import "math"

// Ratio returns the interval of a/b from the intervals of two independent estimates at
// the same level, which need not be symmetric. It contains the r for which the interval
// of a − r·b by [Difference] includes 0. This is the method of variance estimates
// recovery for ratios (Newcombe 2016, "MOVER-R Confidence Intervals for Ratios and
// Products of Two Independently Estimated Quantities"; Donner and Zou 2012, "Closed-Form
// Confidence Intervals for Functions of the Normal Mean and Standard Deviation"); for
// symmetric intervals it is Fieller's (1954). If the interval of b includes 0, or a bound
// is infinite, the ratio has infinite bounds, which makes the interval conservative. N
// counts both.
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

// negated returns the interval of the negated estimate.
func (i Interval) negated() Interval {
	i.Estimate, i.Low, i.High = -i.Estimate, -i.High, -i.Low
	return i
}

// leastRatio returns the least r with a − r·b ≤ √(below² + r²·d²), where d is the distance
// of b from the bound that increases r·b.
func leastRatio(a, below float64, b Interval) float64 {
	distance := b.High - b.Estimate
	if a < below {
		distance = b.Estimate - b.Low
	}
	square, middle, last := b.Estimate*b.Estimate-distance*distance, a*b.Estimate, a*a-below*below
	root := math.Sqrt(math.Max(0, middle*middle-square*last))
	switch {
	case a < below:
		return (middle - root) / square // square is above 0, because b.Low is
	case last == 0:
		return 0
	}
	return last / (middle + root) // the same root in a form for any sign of square
}
