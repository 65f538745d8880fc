package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// An Interval is an estimate with a confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"` // ±Inf if a bound is; JSON has null for infinities
	Low      float64 `json:"low"`      // may be −Inf
	High     float64 `json:"high"`     // may be +Inf
	Level    float64 `json:"level"`    // of confidence, such as 0.95
	N        int64   `json:"n"`        // observations
	Method   string  `json:"method"`
}

// Level is the default level of confidence.
const Level = 0.95

// An intervalJSON is an Interval in JSON, with nil for infinities.
type intervalJSON struct {
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	N        int64    `json:"n"`
	Method   string   `json:"method"`
}

// MarshalJSON encodes numbers that are not finite as null.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(intervalJSON{finite(i.Estimate), finite(i.Low), finite(i.High), i.Level, i.N, i.Method})
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// UnmarshalJSON decodes the form that MarshalJSON writes.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var in intervalJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("interval: %w", err)
	}
	estimate := math.Inf(1)
	if in.High != nil {
		estimate = math.Inf(-1)
	}
	*i = Interval{
		Estimate: orElse(in.Estimate, estimate), Low: orElse(in.Low, math.Inf(-1)), High: orElse(in.High, math.Inf(1)),
		Level: in.Level, N: in.N, Method: in.Method,
	}
	return nil
}

// Plus returns the sum of two independent estimates, which must be finite, with an
// interval at their common level. The distance of a bound from the estimate is the root
// of the sum of both squared distances (Zou and Donner 2008, "Construction of confidence
// limits about effect measures: a general approach", equation 7; the method of variance
// estimates recovery).
func (i Interval) Plus(j Interval) Interval {
	sum := i.Estimate + j.Estimate
	return Interval{
		Estimate: sum, Low: sum - math.Hypot(i.Estimate-i.Low, j.Estimate-j.Low), High: sum + math.Hypot(i.High-i.Estimate, j.High-j.Estimate),
		Level: i.Level, N: i.N + j.N, Method: "sum",
	}
}

func orElse(x *float64, other float64) float64 {
	if x == nil {
		return other
	}
	return *x
}

// Difference returns the interval of a − b from the intervals of two independent
// estimates at the same level, which need not be symmetric:
//
//	low  = (a−b) − √((a−a.low)² + (b.high−b)²)
//	high = (a−b) + √((a.high−a)² + (b−b.low)²)
//
// For two [Wilson] intervals it is Newcombe's hybrid score interval (Newcombe 1998,
// "Interval Estimation for the Difference Between Independent Proportions", method 10).
// For other intervals, such as those of [Clusters], it is the method of variance
// estimates recovery (Zou and Donner 2008, "Construction of Confidence Limits About
// Effect Measures"). If one estimate has no observations, the bounds are the extreme
// differences of both intervals. N counts both.
func Difference(a, b Interval) Interval {
	i := Interval{Estimate: a.Estimate - b.Estimate, Level: a.Level, N: a.N + b.N, Method: "newcombe, " + a.Method}
	if a.N == 0 || b.N == 0 {
		i.Low, i.High = a.Low-b.High, a.High-b.Low
		return i
	}
	i.Low = i.Estimate - math.Hypot(a.Estimate-a.Low, b.High-b.Estimate)
	i.High = i.Estimate + math.Hypot(a.High-a.Estimate, b.Estimate-b.Low)
	return i
}

// MeanDifference returns the interval of a's mean minus b's, for numbers that need not
// lie between 0 and 1, such as lengths of games: Student's with Welch's degrees of
// freedom (1947, "The Generalization of 'Student's' Problem when Several Different
// Population Variances are Involved"). Clusters are the observations. Its bounds are
// infinite if neither varies, or if one has fewer than two clusters. For results from 0
// to 1, the [Difference] of their intervals is better near 0 and 1.
func MeanDifference(a, b *Clusters, level float64) Interval {
	meanA, varianceA := a.Mean()
	meanB, varianceB := b.Mean()
	difference, variance := 0.0, varianceA+varianceB
	if a.clusters > 0 && b.clusters > 0 {
		difference = meanA - meanB
	}
	i := Interval{
		Estimate: difference, Low: math.Inf(-1), High: math.Inf(1),
		Level: level, N: int64(a.size + b.size), Method: "welch, clusters",
	}
	if a.clusters < 2 || b.clusters < 2 || variance == 0 {
		return i
	}
	degrees := variance * variance / (varianceA*varianceA/(a.clusters-1) + varianceB*varianceB/(b.clusters-1))
	half := studentQuantile(level, degrees) * math.Sqrt(variance)
	i.Low, i.High = i.Estimate-half, i.Estimate+half
	return i
}

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

// Wilson returns the score interval of a proportion of k in n independent trials (Wilson
// 1927, "Probable Inference, the Law of Succession, and Statistical Inference"). Without
// trials the estimate is ½ and the interval is 0 to 1. k must be 0 to n.
func Wilson(k, n int64, level float64) Interval {
	const method = "wilson"
	if n <= 0 {
		return unknown(level, method)
	}
	i := wilson(float64(k)/float64(n), float64(n), normalQuantile(level))
	i.Level, i.N, i.Method = level, n, method
	return i
}

// wilson returns the score interval of a proportion p in n trials, not necessarily an
// integer, with quantile z.
func wilson(p, n, z float64) Interval {
	shrink := 1 / (1 + z*z/n)
	centre := shrink * (p + z*z/(2*n))
	half := shrink * z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	i := Interval{Estimate: p, Low: math.Max(0, centre-half), High: math.Min(1, centre+half)}
	// At p = 0 and p = 1, only rounding keeps these bounds from being exact.
	if p == 0 {
		i.Low = 0
	}
	if p == 1 {
		i.High = 1
	}
	return i
}

// unknown returns the interval of a proportion without observations.
func unknown(level float64, method string) Interval {
	return Interval{Estimate: 0.5, Low: 0, High: 1, Level: level, Method: method}
}

// EloOfScore returns the rating difference 400·log₁₀(s/(1−s)) of an expected score s from
// 0 to 1 on the logistic scale: −Inf for 0 and +Inf for 1 (Elo, The Rating of
// Chessplayers, Past and Present, 1978, section 8.4).
func EloOfScore(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return 400 * math.Log10(score/(1-score))
}

// Elo returns the interval of a score from 0 to 1 on the logistic scale of Elo. The
// transformation is monotone, so it keeps the coverage of the interval.
func (i Interval) Elo() Interval {
	i.Estimate, i.Low, i.High = EloOfScore(i.Estimate), EloOfScore(i.Low), EloOfScore(i.High)
	i.Method += ", logistic"
	return i
}

// LogOdds returns the interval of ln(s/(1−s)) for a score s from 0 to 1, like Elo.
func (i Interval) LogOdds() Interval {
	method := i.Method + ", log odds"
	i = i.Elo().Times(1 / eloPerNat)
	i.Method = method
	return i
}

// eloPerNat is the rating difference for odds of e to 1.
const eloPerNat = 400 / math.Ln10

// Times returns the interval of an estimate multiplied by a factor of 0 or more.
func (i Interval) Times(factor float64) Interval {
	i.Estimate, i.Low, i.High = i.Estimate*factor, i.Low*factor, i.High*factor
	return i
}
