package stats

import "math"

// Wilson returns the score interval of a proportion of k in n independent trials (Wilson
// 1927, "Probable Inference, the Law of Succession, and Statistical Inference"). Without
// trials the estimate is ½ and the interval is 0 to 1. k must be 0 to n.
func Wilson(k, n int64, level float64) Interval {
	const method = "wilson"
	if n <= 0 {
		return unknown(level, method)
	}
	i := wilson(float64(k)/float64(n), float64(n), normalQuantile(level))
	i.Level, i.N, i.Method = level, n, method
	return i
}

// wilson returns the score interval of a proportion p in n trials, not necessarily an
// integer, with quantile z.
func wilson(p, n, z float64) Interval {
	shrink := 1 / (1 + z*z/n)
	centre := shrink * (p + z*z/(2*n))
	half := shrink * z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	i := Interval{Estimate: p, Low: math.Max(0, centre-half), High: math.Min(1, centre+half)}
	// At p = 0 and p = 1, only rounding keeps these bounds from being exact.
	if p == 0 {
		i.Low = 0
	}
	if p == 1 {
		i.High = 1
	}
	return i
}

// unknown returns the interval of a proportion without observations.
func unknown(level float64, method string) Interval {
	return Interval{Estimate: 0.5, Low: 0, High: 1, Level: level, Method: method}
}
