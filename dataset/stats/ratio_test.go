package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// The bounds solve the defining equation with scipy.optimize.brentq on
//
//	a - r*b - math.hypot(a-la, r*((ub-b) if r >= 0 else (b-lb)))
//	a - r*b + math.hypot(ua-a, r*((b-lb) if r >= 0 else (ub-b)))
//
// and those of the fifth are Fieller's with norm.ppf(.975) and errors of 0.2 and 0.1:
// A = b*b-(z*sb)**2; B = a*b; C = a*a-(z*sa)**2; (B-sqrt(B*B-A*C))/A.
func TestRatioOfTwoEstimates(t *testing.T) {
	const z = 1.959963984540054
	for _, c := range []struct {
		a, b      [3]float64 // estimate, low, high
		low, high float64
	}{
		{[3]float64{1.2, .9, 1.6}, [3]float64{.5, .3, .65}, 1.6266125461479632, 4.29520655909919},
		{[3]float64{.1, -.2, .5}, [3]float64{.5, .3, .65}, -0.4234497137833241, 1.1161470911707512},
		{[3]float64{-.4, -.7, -.15}, [3]float64{.5, .3, .65}, -1.7098082724089005, -0.29236531541923116},
		{[3]float64{2, 1.5, 2.4}, [3]float64{.4, .1, .9}, 2.096511074047327, 20.13231212098732}, // the unit's distance above is greater than it
		{[3]float64{1.2, 1.2 - z*.2, 1.2 + z*.2}, [3]float64{.5, .5 - z*.1, .5 + z*.1}, 1.4350735857059518, 4.236394923539198},
		{[3]float64{.4, .15, .7}, [3]float64{-.5, -.65, -.3}, -1.7098082724089005, -0.29236531541923116}, // both turned
		{[3]float64{1, 1, 1}, [3]float64{2, 2, 2}, .5, .5},
		{[3]float64{0, 0, 0}, [3]float64{2, 1, 3}, 0, 0},
		{[3]float64{1, .5, 1.5}, [3]float64{2, 0, 3}, math.Inf(-1), math.Inf(1)},
		{[3]float64{1, .5, 1.5}, [3]float64{2, 1, math.Inf(1)}, math.Inf(-1), math.Inf(1)},
	} {
		of := func(x [3]float64) stats.Interval {
			return stats.Interval{Estimate: x[0], Low: x[1], High: x[2], Level: .95, N: 10}
		}
		r := stats.Ratio(of(c.a), of(c.b))
		same := func(x, y float64) bool { return x == y || math.Abs(x-y) < 1e-9 }
		if !same(r.Low, c.low) || !same(r.High, c.high) || r.N != 20 || r.Level != .95 {
			t.Errorf("%v by %v: %+v, want %v to %v", c.a, c.b, r, c.low, c.high)
		}
	}
	if r := stats.Ratio(stats.Interval{}, stats.Interval{}); r.Estimate != 0 || !math.IsInf(r.Low, -1) || !math.IsInf(r.High, 1) {
		t.Errorf("nothing by nothing is %+v", r)
	}
}

// 2*norm.sf(.3/.25*norm.ppf(.975)) and the same with 0.4.
func TestImpliedErrorsAreThoseOfTheSideOfTheValue(t *testing.T) {
	i := stats.Interval{Estimate: .3, Low: .05, High: .7, Level: .95, N: 9}
	for value, want := range map[float64]float64{0: 0.01867494461220307, .6: 0.14156906984427375, .3: 1, -100: 1e-15} {
		got := stats.Implied(i, value)
		if math.Abs(got.P-want) > 1e-12 || got.N != 9 || got.Statistic*(i.Estimate-value) < 0 {
			t.Errorf("that it is %v: %+v, want %v", value, got, want)
		}
	}
	if got := stats.Implied(stats.Interval{Low: math.Inf(-1), High: math.Inf(1), Level: .95}, 3); got.P != 1 || got.Statistic != 0 {
		t.Errorf("of nothing the test is %+v", got)
	}
	if got := stats.Implied(stats.Interval{Estimate: 1, Low: 1, High: 1, Level: .95}, 0); got.P != 1e-15 {
		t.Errorf("of certainty the test is %+v", got)
	}
	if got := stats.Implied(i, .05); math.Abs(got.P-.05) > 1e-12 {
		t.Errorf("at the end of the interval P is %v", got.P)
	}
}

func TestLogOddsAreNaturalLogarithms(t *testing.T) {
	i := stats.Interval{Estimate: .75, Low: .5, High: 1, Level: .95, N: 4, Method: "m"}.LogOdds()
	if math.Abs(i.Estimate-math.Log(3)) > 1e-12 || i.Low != 0 || !math.IsInf(i.High, 1) || i.Method != "m, log odds" {
		t.Errorf("the log odds are %+v", i)
	}
}

// 300 and 600 games with scores of 0.35 and 0.4 give losses in log odds whose ratio is
// to be held by its interval. Of fewer games the unit may now and then be 0, and the
// interval holds the ratio more often than it says.
func TestCoverageOfARatioOfLogOdds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const runs = 3000
	odds := func(n int, p float64) stats.Interval {
		k := int64(0)
		for range n {
			if r.Float64() < p {
				k++
			}
		}
		return stats.Wilson(k, int64(n), stats.Level).LogOdds()
	}
	truth, inside := math.Log(.35/.65)/math.Log(.4/.6), 0
	for range runs {
		if i := stats.Ratio(odds(300, .35), odds(600, .4)); i.Low <= truth && truth <= i.High {
			inside++
		}
	}
	if share := float64(inside) / runs; share < .938 || share > .962 {
		t.Errorf("the interval holds the ratio in %.3f of %d runs", share, runs)
	}
}
