package stats

import "math"

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
