package stats

import (
	"math"
	"slices"
)

// exactKolmogorov is the greatest product of both sizes for an exact P.
const exactKolmogorov = 1 << 22

// KolmogorovSmirnov tests whether two samples come from the same distribution, against
// any difference. The statistic is the greatest distance of their empirical distribution
// functions. All numbers must be independent and finite.
//
// For up to about four million pairs of numbers, P is exact given the ties: the share of
// the orders of the numbers with at least the same distance between groups of ties
// (Schröer and Trenkler 1995, "Exact and Randomization Distributions of
// Kolmogorov–Smirnov Tests Two or Three Samples"). For more, it is Kolmogorov's with
// Stephens's correction (Press et al., Numerical Recipes, 3rd ed. 2007, section 14.3.3),
// which is too large if there are many ties.
func KolmogorovSmirnov(a, b []float64) Test {
	t := Test{P: 1, N: int64(len(a) + len(b)), Method: "kolmogorov-smirnov, exact"}
	if len(a) == 0 || len(b) == 0 {
		return t
	}
	all := slices.Concat(a, b)
	order := ascending(all)
	ends := make([]bool, len(all)+1) // by number of values: whether a group of ties ends after them
	n, m := len(a), len(b)
	i, j, farthest := 0, 0, 0 // the distance is farthest/(n·m)
	for rank, k := range order {
		if k < n {
			i++
		} else {
			j++
		}
		if rank+1 == len(order) || all[order[rank+1]] != all[k] {
			ends[i+j] = true
			farthest = max(farthest, i*m-j*n, j*n-i*m)
		}
	}
	t.Statistic = float64(farthest) / (float64(n) * float64(m))
	if n*m <= exactKolmogorov {
		t.P = pathsAsFar(n, m, farthest, ends)
		return t
	}
	t.Method = "kolmogorov-smirnov, limit"
	root := math.Sqrt(float64(n) * float64(m) / float64(n+m))
	t.P = kolmogorovTail((root + 0.12 + 0.11/root) * t.Statistic)
	return t
}

// pathsAsFar returns the share of lattice paths from (0, 0) to (n, m) through a point (i,
// j) at which a group of ties ends and |i·m − j·n| is at least farthest. The share of
// those to (i, j) is the mean of those to the two previous points, weighted by the share
// of all paths that come from there.
func pathsAsFar(n, m, farthest int, ends []bool) float64 {
	share := make([]float64, m+1) // at (i, j), by j
	for i := range n + 1 {
		for j := range m + 1 {
			if ends[i+j] && max(i*m-j*n, j*n-i*m) >= farthest {
				share[j] = 1
				continue
			}
			from := 0.0
			if i > 0 {
				from += float64(i) / float64(i+j) * share[j]
			}
			if j > 0 {
				from += float64(j) / float64(i+j) * share[j-1]
			}
			share[j] = from
		}
	}
	return share[m]
}

// kolmogorovTail returns 2·Σ (−1)^(k−1)·e^(−2k²x²) over k ≥ 1.
func kolmogorovTail(x float64) float64 {
	if x < 0.2 { // 1 to within 1e−12; the sum would converge slowly
		return 1
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k <= 100; k++ {
		term := math.Exp(-2 * k * k * x * x)
		sum += sign * term
		sign = -sign
		if term < 1e-17 {
			break
		}
	}
	return math.Min(1, math.Max(0, 2*sum))
}
