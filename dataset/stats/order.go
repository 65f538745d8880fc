package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile returns the least of rising numbers that so great a share of them, above 0
// and below 1, does not exceed, with the interval between the order statistics x₍l₎
// and x₍u₎, of n independent numbers and B binomial of n trials with the share,
//
//	l the greatest with P(B < l) ≤ α/2,  u the least with P(B ≥ u) ≤ α/2
//
// whatever their distribution (Conover, Practical Nonparametric Statistics, 3rd ed.
// 1999, section 3.2; David and Nagaraja, Order Statistics, 3rd ed. 2003, section
// 7.1). It holds the truth at least as often as its level says, by design mostly more
// often, and of numbers with many ties much more often. Too few numbers leave a bound
// infinite. Of none the estimate is 0.
func Quantile(rising []float64, share, level float64) Interval {
	n := len(rising)
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: int64(n), Method: "order statistics"}
	if n == 0 {
		return i
	}
	i.Estimate = rising[min(n-1, max(0, int(math.Ceil(share*float64(n)-1e-9))-1))]
	b, tail := distuv.Binomial{N: float64(n), P: share}, (1-level)/2
	// The first k of 0 to n with P(B ≤ k) above the tail is l, and with that at least 1 − tail is u − 1.
	l := sort.Search(n, func(k int) bool { return b.CDF(float64(k)) > tail })
	u := 1 + sort.Search(n, func(k int) bool { return 1-b.CDF(float64(k)) <= tail })
	if l >= 1 {
		i.Low = rising[l-1]
	}
	if u <= n {
		i.High = rising[u-1]
	}
	return i
}
