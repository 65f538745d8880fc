package stats

import (
	"math"
	"slices"
)

// Diversity returns the interval of the probability that two independent draws from
// a distribution over classes are of different ones, 1 − Σp², from how often each
// class was drawn, nₖ of n (Gini 1912; Simpson 1949, "Measurement of Diversity"). The
// estimate is the unbiased one, the variance that of the delta method with shares
// qₖ = nₖ/n (Agresti and Agresti 1978, "Statistical Analysis of Qualitative
// Variation"), but at least what it is where all classes are equally likely:
//
//	D = 1 − S,  S = Σ nₖ(nₖ−1)/(n(n−1))
//	v = max(4·(Σqₖ³ − (Σqₖ²)²)/n, 2·S·D/(n(n−1)))
//
// The interval is Wilson's at the effective number of observations S·D/v. Where all
// draws were alike that is n/2, which it tends to, and where all differ the number of
// pairs of draws. Of 100 draws or more it holds the truth in 93 to 97 % of all cases at
// a level of 95 %, and more often by design where nearly all draws differ or classes are equally likely. With
// fewer than two draws the estimate is ½ and the interval 0 to 1.
func Diversity(counts []int64, level float64) Interval {
	const method = "gini-simpson, wilson"
	n := 0.0
	for _, count := range counts {
		n += float64(count)
	}
	if n < 2 {
		i := unknown(level, method)
		i.N = int64(n)
		return i
	}
	pairs, same, squares, cubes := n*(n-1), 0.0, 0.0, 0.0
	for _, count := range slices.Sorted(slices.Values(counts)) { // of whatever order the same sums
		k := float64(count)
		same += k * (k - 1) / pairs
		squares += k / n * (k / n)
		cubes += k / n * (k / n) * (k / n)
	}
	same = math.Min(1, same)
	effective := pairs / 2
	switch {
	case same > 1-1e-12:
		same, effective = 1, n/2
	case same > 0:
		variance := math.Max(4*(cubes-squares*squares)/n, 2*same*(1-same)/pairs)
		effective = same * (1 - same) / variance
	}
	i := wilson(1-same, effective, normalQuantile(level))
	i.Level, i.N, i.Method = level, int64(n), method
	return i
}
