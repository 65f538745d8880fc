package stats

import (
	"math"
	"slices"
)

// Diversity returns the interval of the probability that two independent draws from
// a distribution over classes are of different ones, 1 − Σp², from how often each
// class was drawn, nₖ of n (Gini 1912; Simpson 1949, "Measurement of Diversity"). The
// estimate is the unbiased one with its variance
//
//	D = 1 − S,  S = Σ nₖ(nₖ−1)/(n(n−1))
//	v = (4(n−2)(T − S²) + 2(S − S²)) / (n(n−1)),  T = Σ nₖ(nₖ−1)(nₖ−2)/(n(n−1)(n−2))
//
// (Simpson's, with unbiased estimates of Σp² and Σp³; a U-statistic's, Hoeffding 1948),
// T being at least S². The interval is Wilson's at the effective number of
// observations D(1−D)/v. Where all draws were alike that is n/2, which it tends to, and
// where all differ the number of pairs of draws. Of 100 draws or more it holds the
// truth in 93 to 95 % of all cases at a level of 95 %, and more often by design where
// classes are nearly equally likely, so that v is 4(n−2)(T−S²) too great. With fewer than two draws the
// estimate is ½ and the interval 0 to 1.
func Diversity(counts []int64, level float64) Interval {
	const method = "gini-simpson, wilson"
	n, two, three := 0.0, 0.0, 0.0
	for _, count := range slices.Sorted(slices.Values(counts)) { // of whatever order the same sum
		k := float64(count)
		n += k
		two += k * (k - 1)
		three += k * (k - 1) * (k - 2)
	}
	if n < 2 {
		i := unknown(level, method)
		i.N = int64(n)
		return i
	}
	pairs := n * (n - 1)
	same := two / pairs
	square := same * same
	third := square
	if n > 2 {
		third = math.Max(square, three/(pairs*(n-2)))
	}
	variance := (4*(n-2)*(third-square) + 2*(same-square)) / pairs
	effective := pairs / 2
	switch {
	case same == 1:
		effective = n / 2
	case same > 0:
		effective = same * (1 - same) / variance
	}
	i := wilson(1-same, effective, normalQuantile(level))
	i.Level, i.N, i.Method = level, int64(n), method
	return i
}
