package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactRanks is how many numbers may be ranked for an exact test: up to it, counts
// of rank sums are whole in a float64.
const exactRanks = 50

// MannWhitney tests whether two samples come from the same distribution, against
// one tending to be greater (Mann and Whitney 1947, "On a Test of Whether One of
// Two Random Variables Is Stochastically Larger than the Other"). The statistic is
// U of a: how many pairs of an a and a b have the a greater, equal ones counting
// half. All numbers must be independent and finite; [CliffsDelta] has an interval
// for those that come in clusters.
//
// Of at most 50 numbers P is exact, ties and all: the share of the divisions of
// their ranks that are as far from the mean (Streitberg and Röhmel 1986, "Exact
// Distributions for Permutation and Rank Tests"). Of more it is the normal one,
// corrected for ties and continuity.
func MannWhitney(a, b []float64) Test {
	t := Test{P: 1, N: int64(len(a) + len(b)), Method: "mann-whitney, exact"}
	if len(a) == 0 || len(b) == 0 {
		return t
	}
	n, m := float64(len(a)), float64(len(b))
	doubled, ties := doubledRanks(slices.Concat(a, b))
	sum := 0
	for _, rank := range doubled[:len(a)] {
		sum += rank
	}
	t.Statistic = float64(sum)/2 - n*(n+1)/2
	off := math.Abs(t.Statistic - n*m/2)
	if len(doubled) <= exactRanks {
		t.P = rankSumsAsFar(doubled, len(a), sum)
		return t
	}
	t.Method = "mann-whitney, normal"
	all := n + m
	if variance := n * m / 12 * (all + 1 - ties/(all*(all-1))); variance > 0 && off > 0.5 {
		t.P = math.Min(1, 2*distuv.UnitNormal.Survival((off-0.5)/math.Sqrt(variance)))
	}
	return t
}

// doubledRanks returns twice the rank of each number, equal numbers having the
// mean of their ranks, and Σ(t³−t) over groups of t equal ones.
func doubledRanks(x []float64) (doubled []int, ties float64) {
	order := ascending(x)
	doubled = make([]int, len(x))
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && x[order[end]] == x[order[first]] {
			end++
		}
		for _, i := range order[first:end] {
			doubled[i] = first + 1 + end
		}
		t := float64(end - first)
		ties += t*t*t - t
		first = end
	}
	return doubled, ties
}

// rankSumsAsFar returns the share of the ways to choose n of the doubled ranks
// whose sum is as far from the mean as the given one.
func rankSumsAsFar(doubled []int, n, sum int) float64 {
	total := 0
	for _, rank := range doubled {
		total += rank
	}
	ways := make([][]float64, n+1) // by how many are chosen, and their sum
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, rank := range doubled {
		for k := n; k > 0; k-- {
			for s := total; s >= rank; s-- {
				ways[k][s] += ways[k-1][s-rank]
			}
		}
	}
	// Distances from the mean n·total/N are compared as whole numbers.
	far := func(sum int) int { return max(sum*len(doubled)-n*total, n*total-sum*len(doubled)) }
	as, all := 0.0, 0.0
	for s, count := range ways[n] {
		all += count
		if far(s) >= far(sum) {
			as += count
		}
	}
	return as / all
}

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
