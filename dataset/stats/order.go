package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile returns a quantile of ascending numbers: the least of them that at least the
// given share, above 0 and below 1, do not exceed. Its interval is that between the order
// statistics x₍l₎ and x₍u₎ for n independent numbers, with B binomial with n trials and
// the share,
//
//	l the greatest with P(B < l) ≤ α/2,  u the least with P(B ≥ u) ≤ α/2
//
// for any distribution (Conover, Practical Nonparametric Statistics, 3rd ed. 1999,
// section 3.2; David and Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1). It is
// conservative, and more so with many ties. With too few numbers a bound is infinite.
// Without numbers the estimate is 0.
func Quantile(rising []float64, share, level float64) Interval {
	n := len(rising)
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: int64(n), Method: "order statistics"}
	if n == 0 {
		return i
	}
	i.Estimate = rising[min(n-1, max(0, int(math.Ceil(share*float64(n)-1e-9))-1))]
	b, tail := distuv.Binomial{N: float64(n), P: share}, (1-level)/2
	// l is the first k from 0 to n with P(B ≤ k) above the tail; u − 1 is the first with at
	// least 1 − tail.
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
