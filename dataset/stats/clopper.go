package stats

import "gonum.org/v1/gonum/mathext"

// ClopperPearson returns the exact interval of a proportion of k in n independent
// trials: all that neither one-sided binomial test refuses (Clopper and Pearson
// 1934, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
// Binomial"). It holds the truth at least as often as its level says, by design
// mostly more often; [Wilson] is nearer to the level. Without trials the estimate
// is ½ and the interval 0 to 1. k must be 0 to n.
func ClopperPearson(k, n int64, level float64) Interval {
	const method = "clopper-pearson"
	if n <= 0 {
		return unknown(level, method)
	}
	tail, hits, misses := (1-level)/2, float64(k), float64(n-k)
	i := Interval{Estimate: hits / float64(n), Low: 0, High: 1, Level: level, N: n, Method: method}
	if k > 0 {
		i.Low = mathext.InvRegIncBeta(hits, misses+1, tail)
	}
	if k < n {
		i.High = mathext.InvRegIncBeta(hits+1, misses, 1-tail)
	}
	return i
}
