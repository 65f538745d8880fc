package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Test is the result of a test of a hypothesis.
type Test struct {
	Statistic float64 `json:"statistic"` // as the method defines it
	// P is the probability of a result at least as extreme under the hypothesis. It is 1
	// without observations.
	P      float64 `json:"p"`
	N      int64   `json:"n"` // observations
	Method string  `json:"method"`
}

// Significance tests whether the estimated quantity equals a value, by the intervals of a
// method at each level. P is 1 minus the highest level whose interval excludes the value,
// so that test and interval agree (Lehmann and Romano, Testing Statistical Hypotheses,
// 3rd ed. 2005, section 3.5). Intervals must widen with the level. The statistic is the
// normal quantile for this P, with the sign of estimate − value. P is at least 1e−15.
func Significance(interval func(level float64) Interval, value float64) Test {
	const least, halvings = 1e-15, 45
	holds := func(p float64) bool {
		i := interval(1 - p)
		return i.Low <= value && value <= i.High
	}
	narrow := interval(Level)
	t := Test{P: least, N: narrow.N, Method: narrow.Method}
	if holds(least) {
		log, _ := halve(halvings, math.Log(least), 0, func(log float64) bool { return !holds(math.Exp(log)) })
		t.P = math.Exp(log)
	}
	if narrow.Estimate == value || t.P > 1-1e-12 {
		t.P = 1
	}
	t.Statistic = math.Copysign(math.Abs(distuv.UnitNormal.Quantile(t.P/2)), narrow.Estimate-value)
	return t
}

// Implied tests whether an estimated quantity equals a value if its interval, which may
// be asymmetric, is known only at one level. The distance between estimate and bound on
// the side of the value determines the standard error (Altman and Bland 2011, "How to
// Obtain the P Value from a Confidence Interval"). P is at most 1 − Level if the interval
// excludes the value. The statistic is the number of standard errors, with the sign of
// estimate − value. P is at least 1e−15.
func Implied(i Interval, value float64) Test {
	t := Test{P: 1, N: i.N, Method: i.Method}
	distance, reach := i.Estimate-value, i.Estimate-i.Low
	if distance < 0 {
		reach = i.High - i.Estimate
	}
	if distance == 0 || math.IsInf(distance, 0) || math.IsInf(reach, 0) || math.IsNaN(distance) {
		return t
	}
	const least = 1e-15
	farthest := -distuv.UnitNormal.Quantile(least / 2)
	if t.Statistic = math.Copysign(farthest, distance); reach > 0 {
		t.Statistic = math.Copysign(math.Min(farthest, math.Abs(distance)/reach*normalQuantile(i.Level)), distance)
	}
	t.P = math.Max(least, 2*distuv.UnitNormal.Survival(math.Abs(t.Statistic)))
	return t
}

// Equivalence tests by two one-sided tests whether the estimated quantity lies between
// low and high, the margins of a negligible difference; a small P shows that it does
// (Schuirmann 1987, "A Comparison of the Two One-Sided Tests Procedure and the Power
// Approach for Assessing the Equivalence of Average Bioavailability"). P is below α if
// the interval at level 1−2α lies between the margins. The statistic is that of
// [Significance] at the nearer margin.
func Equivalence(interval func(level float64) Interval, low, high float64) Test {
	above, below := Significance(interval, low), Significance(interval, high)
	below.Statistic = -below.Statistic
	for _, t := range []*Test{&above, &below} {
		t.P /= 2
		if t.Statistic < 0 {
			t.P = 1 - t.P
		}
	}
	if above.P < below.P {
		above = below
	}
	above.Method = "tost, " + above.Method
	return above
}

// Holm returns adjusted P values, in the order of p. If tests with an adjusted P value of
// at most α count as discoveries, the probability of any false discovery is at most α,
// for any dependence between the tests (Holm 1979, "A Simple Sequentially Rejective
// Multiple Test Procedure").
func Holm(p []float64) []float64 {
	adjusted, order := make([]float64, len(p)), ascending(p)
	worst := 0.0
	for rank, i := range order {
		worst = math.Max(worst, p[i]*float64(len(p)-rank))
		adjusted[i] = math.Min(1, worst)
	}
	return adjusted
}

// ascending returns the indices of the values in ascending order of value.
func ascending(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}
