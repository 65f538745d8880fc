package stats

import (
	"math"
	"slices"
)

// Diversity returns the interval of the probability 1 − Σp² that two independent draws
// from a distribution over classes have different classes, from the number nₖ of draws of
// each class among n (Gini 1912; Simpson 1949, "Measurement of Diversity"). The estimate
// is unbiased. The variance is that of the delta method with shares qₖ = nₖ/n (Agresti
// and Agresti 1978, "Statistical Analysis of Qualitative Variation"), but at least the
// variance for equally likely classes:
//
//	D = 1 − S,  S = Σ nₖ(nₖ−1)/(n(n−1))
//	v = max(4·(Σqₖ³ − (Σqₖ²)²)/n, 2·S·D/(n(n−1)))
//
// The interval is Wilson's at the effective number of observations S·D/v. If all draws
// are equal, that number is n/2, its limit; if all differ, it is the number of pairs of
// draws. With 100 draws or more, the coverage of a 95 % interval is 93 to 97 %, and
// higher if nearly all draws differ or classes are equally likely. With fewer than two
// draws the estimate is ½ and the interval is 0 to 1.
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
	for _, count := range slices.Sorted(slices.Values(counts)) { // sorted, so that sums do not depend on the order
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
