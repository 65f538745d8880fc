package stats

import "math"

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
