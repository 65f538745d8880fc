package stats

import (
	"math"
	"slices"
)

// A Sample holds finite numbers, and their clusters if they are not independent.
type Sample struct {
	Values   []float64
	Clusters []int32 // by value, 0 or more; nil if values are independent
}

// CliffsDelta returns the interval of the probability that a number of a is greater than
// one of b, minus the probability that it is less: −1 to 1. It equals 2·U/(n·m)−1 for the
// statistic U of Mann and Whitney (Cliff 1993, "Dominance Statistics").
//
// The variance is that of the placements of each number in the other sample, summed by
// cluster (DeLong, DeLong and Clarke-Pearson 1988; for clusters, Obuchowski 1997,
// "Nonparametric Analysis of Clustered ROC Curve Data"). No cluster may have numbers in
// both samples. The interval is Wilson's of (1+δ)/2, as in [Clusters], with Student's
// quantile of Welch's degrees of freedom. If a sample is empty, the estimate is 0 and the
// interval is −1 to 1.
func CliffsDelta(a, b Sample, level float64) Interval {
	const method = "cliff, placements"
	i := Interval{Low: -1, High: 1, Level: level, N: int64(len(a.Values) + len(b.Values)), Method: method}
	if len(a.Values) == 0 || len(b.Values) == 0 {
		return i
	}
	placedA, placedB := a.placements(b), b.placements(a)
	delta := 0.0
	for _, d := range placedA {
		delta += d
	}
	delta /= float64(len(placedA))
	varianceA, clustersA := a.scatter(placedA, delta)
	varianceB, clustersB := b.scatter(placedB, -delta)
	theta, variance := (1+delta)/2, (varianceA+varianceB)/4
	effective, quantile := math.Min(clustersA, clustersB), normalQuantile(level)
	if variance > 1e-15 && theta > 0 && theta < 1 {
		squares := 0.0
		for _, side := range [][2]float64{{varianceA, clustersA}, {varianceB, clustersB}} {
			if side[1] > 1 {
				squares += side[0] * side[0] / 16 / (side[1] - 1)
			}
		}
		effective, quantile = theta*(1-theta)/variance, studentQuantile(level, variance*variance/squares)
	}
	w := wilson(theta, effective, quantile)
	i.Estimate, i.Low, i.High = delta, 2*w.Low-1, 2*w.High-1
	return i
}

// placements returns, for each value, the share of values of other that are less minus
// the share that are greater.
func (s Sample) placements(other Sample) []float64 {
	sorted := slices.Sorted(slices.Values(other.Values))
	placed := make([]float64, len(s.Values))
	for i, x := range s.Values {
		less, found := slices.BinarySearch(sorted, x)
		most := less
		if found {
			most, _ = slices.BinarySearchFunc(sorted, x, func(y, x float64) int {
				if y <= x {
					return -1
				}
				return 1
			})
		}
		placed[i] = float64(less-(len(sorted)-most)) / float64(len(sorted))
	}
	return placed
}

// scatter returns the variance of the mean of values of the sample, summed by cluster,
// and the number of clusters. The variance is 0 if there is only one cluster.
func (s Sample) scatter(values []float64, mean float64) (variance, clusters float64) {
	sums := make([]float64, len(values))
	counted := make([]bool, len(values))
	for i, x := range values {
		c := i
		if s.Clusters != nil {
			c = int(s.Clusters[i])
			for c >= len(sums) {
				sums, counted = append(sums, 0), append(counted, false)
			}
		}
		if !counted[c] {
			counted[c] = true
			clusters++
		}
		sums[c] += x - mean
	}
	for _, sum := range sums {
		variance += sum * sum
	}
	if clusters < 2 {
		return 0, clusters
	}
	n := float64(len(values))
	return clusters / (clusters - 1) * variance / (n * n), clusters
}
