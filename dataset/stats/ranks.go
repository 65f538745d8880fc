package stats

import (
	"math"
	"slices"
)

// A Sample holds finite numbers, and the cluster of each where they are not
// independent.
type Sample struct {
	Values   []float64
	Clusters []int32 // from 0 on, as many as values; nil: each value by itself
}

// CliffsDelta returns the interval of the probability that a number of a is
// greater than one of b less the probability that it is less: −1 to 1, 2·U/(n·m)−1
// with the statistic U of [MannWhitney] (Cliff 1993, "Dominance Statistics").
//
// The variance is the one of the placements of each number among those of the
// other sample, summed by cluster (DeLong, DeLong and Clarke-Pearson 1988; with
// clusters Obuchowski 1997, "Nonparametric Analysis of Clustered ROC Curve Data");
// no cluster may have numbers in both samples. From it comes Wilson's interval of
// (1+δ)/2 as in [Clusters], with Student's quantile of Welch's degrees of freedom.
// With nothing to compare the estimate is 0 and the interval −1 to 1.
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

// placements returns for each value the share of other's values that are less,
// less the share of those that are greater.
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

// scatter returns the variance of the mean of values of the sample, summed by
// cluster, and the number of clusters; the variance is 0 of one.
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
