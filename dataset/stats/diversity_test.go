package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestDiversityIsTheUnbiasedEstimateOfGiniAndSimpson(t *testing.T) {
	for _, c := range []struct {
		counts              []int64
		estimate, low, high float64
	}{
		// n, z = sum(c), scipy.stats.norm.ppf(.975); S = sum(k*(k-1) for k in c)/(n*(n-1)); D = 1-S; q = [k/n for k in c]
		// v = max(4*(sum(x**3 for x in q) - sum(x*x for x in q)**2)/n, 2*S*D/(n*(n-1)))
		// e = n/2 if S == 1 else n*(n-1)/2 if S == 0 else D*S/v; D, sorted(numpy.roots([1+z*z/e, -(2*D+z*z/e), D*D]))
		{[]int64{50, 30, 20}, 0.6262626263, 0.5762547333, 0.6737105343},
		{[]int64{1, 2, 3, 4}, 0.7777777778, 0.6341623829, 0.8760353996},
		{[]int64{100}, 0, 0, 0.0713475991},
		{[]int64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1, 0.9213484013, 1},
		{[]int64{0, 5, 0, 5}, 0.5555555556, 0.4117613449, 0.6906106997},
	} {
		i := stats.Diversity(c.counts, .95)
		if math.Abs(i.Estimate-c.estimate) > 1e-9 || math.Abs(i.Low-c.low) > 1e-9 || math.Abs(i.High-c.high) > 1e-9 {
			t.Errorf("diversity of %v is %+v, must be %v (%v to %v)", c.counts, i, c.estimate, c.low, c.high)
		}
	}
	for _, few := range [][]int64{nil, {1}, {0, 1}} {
		if i := stats.Diversity(few, .95); i.Estimate != .5 || i.Low != 0 || i.High != 1 {
			t.Errorf("diversity of %v is %+v", few, i)
		}
	}
}

func TestDiversityHoldsTheTruthAtItsLevel(t *testing.T) {
	const trials = 3000
	r := rand.New(rand.NewPCG(7, 1))
	for name, shares := range map[string][]float64{
		"skewed": {.6, .2, .1, .05, .05}, "even": {.25, .25, .25, .25}, "two": {.9, .1}, "nearly even": {.2, .16, .14, .13, .11, .1, .09, .07}, "long": {.3, .2, .1, .1, .05, .05, .05, .05, .05, .05},
	} {
		for _, n := range []int{100, 500} {
			truth := 1.0
			for _, p := range shares {
				truth -= p * p
			}
			inside := 0
			for range trials {
				counts := make([]int64, len(shares))
				for range n {
					x := r.Float64()
					k := 0
					for k+1 < len(shares) && x >= shares[k] {
						x -= shares[k]
						k++
					}
					counts[k]++
				}
				if i := stats.Diversity(counts, .95); i.Low <= truth && truth <= i.High {
					inside++
				}
			}
			held := float64(inside) / trials
			if held < .925 || held > .97 && name != "even" { // 93 to 97 %, and three standard errors of the simulation
				t.Errorf("%s, %d draws: intervals hold the truth in %.3f of all trials", name, n, held)
			}
		}
	}
}
