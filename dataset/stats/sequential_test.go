package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// The first five bounds are those of DeMets and Lan 1994, "Interim Analysis: The
// Alpha Spending Function Approach": 4.88, 3.36, 2.68, 2.29 and 2.03. The digits
// are of the same integrals over 6,001 points by Simpson's rule, with
// scipy.optimize.brentq and scipy.stats.norm of SciPy 1.17.1.
func TestBoundsOfLooksAreThoseOfLanAndDeMets(t *testing.T) {
	for _, c := range []struct {
		level              float64
		information, bound []float64
	}{
		{.95, []float64{.2, .4, .6, .8, 1}, []float64{4.8768849488, 3.3570119216, 2.6802800645, 2.2898167677, 2.0310320433}},
		{.9, []float64{.3, .35, .7, 1.1}, []float64{3.3929513547, 3.1495704039, 2.0784840792, 1.7186162022}},
	} {
		looks, err := stats.Sequential{Level: c.level}.Looks(c.information)
		if err != nil {
			t.Fatal(err)
		}
		for k, look := range looks {
			within(t, "bound", look.Bound, c.bound[k], 1e-6)
			// One in 1e−16, what a level near 1 is rounded to.
			within(t, "level", look.Level, math.Erf(look.Bound/math.Sqrt2), 1e-15)
			if look.Information != c.information[k] {
				t.Errorf("look %d is %+v", k, look)
			}
		}
		within(t, "error spent", looks[len(looks)-1].Spent, 1-c.level, 1e-12)
	}
}

// Values of ldBounds of the R package ldbounds with its Pocock-type spending (iuse = 2) to
// two decimals; the digits are of the same integrals over 1,501 points by Simpson's rule in
// Python, by bisection.
func TestBoundsOfEvenSpendingAreThoseOfLanAndDeMets(t *testing.T) {
	for _, c := range []struct{ information, bound []float64 }{
		{[]float64{.2, .4, .6, .8, 1}, []float64{2.437977, 2.426814, 2.410194, 2.396645, 2.385985}},
		{[]float64{.0625, .125, .25, .5, 1}, []float64{2.800623, 2.762568, 2.574449, 2.391295, 2.232977}},
	} {
		looks, err := stats.Sequential{Level: .95, Spending: stats.EvenSpending}.Looks(c.information)
		if err != nil {
			t.Fatal(err)
		}
		for k, look := range looks {
			within(t, "bound", look.Bound, c.bound[k], 2e-6)
		}
		within(t, "error spent", looks[len(looks)-1].Spent, .05, 1e-12)
	}
}

func TestASingleLookIsTheTestWithoutLooks(t *testing.T) {
	looks, err := stats.Sequential{Level: .95}.Looks([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "bound", looks[0].Bound, 1.959963984540054)
	near(t, "level", looks[0].Level, .95)
}

func TestLooksNeverChangeThoseBefore(t *testing.T) {
	information := []float64{.001, .002, .1, .101, .5, .9, 1}
	all, err := stats.Sequential{Level: .99}.Looks(information)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Bound != stats.MaxBound {
		t.Errorf("a look at a thousandth has the bound %v", all[0].Bound)
	}
	for n := range information {
		some, err := stats.Sequential{Level: .99}.Looks(information[:n])
		if err != nil {
			t.Fatal(err)
		}
		for k := range some {
			within(t, "bound", some[k].Bound, all[k].Bound, 1e-7)
		}
	}
}

func TestLooksThatMakeNoSenseAreRefused(t *testing.T) {
	for want, c := range map[string]struct {
		level       float64
		information []float64
	}{
		"level is 1":                        {1, []float64{1}},
		"information of look 1 is 0, must":  {.95, []float64{0, 1}},
		"information of look 2 is 0.5, mus": {.95, []float64{.5, .5}},
		"information of look 2 is 0.4, mus": {.95, []float64{.5, .4}},
		"information of look 2 is NaN, mus": {.95, []float64{.5, math.NaN()}},
		"information of look 1 is +Inf, mu": {.95, []float64{math.Inf(1)}},
		"information of look 3 is 1.2, but": {.95, []float64{.5, 1, 1.2}},
	} {
		if _, err := (stats.Sequential{Level: c.level}).Looks(c.information); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error is %v, want %s", c.information, err, want)
		}
	}
}

// Two groups of pairs that are looked at seven times, by the interval at each
// look's level: it leaves out no difference in 5 % of all trials, where intervals
// at 95 % would in some 16 %.
func TestSequentialTestsErrAsOftenAsTheySay(t *testing.T) {
	information := []float64{.1, .2, .35, .5, .65, .8, 1}
	looks, err := stats.Sequential{Level: .95}.Looks(information)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(55, 56))
	const runs, planned = 1500, 300
	var sequential, naive int
	for range runs {
		var a, b stats.Clusters
		var ended, endedNaively bool
		at := 0
		for _, look := range looks {
			for ; at < int(look.Information*planned+.5); at++ {
				for _, side := range []*stats.Clusters{&a, &b} {
					first := float64(r.IntN(2))
					second := first
					if r.IntN(2) == 0 {
						second = float64(r.IntN(2))
					}
					side.Add(first+second, 2)
				}
			}
			out := func(level float64) bool {
				i := stats.Difference(a.Interval(level), b.Interval(level))
				return i.Low > 0 || i.High < 0
			}
			ended = ended || out(look.Level)
			endedNaively = endedNaively || out(.95)
		}
		if ended {
			sequential++
		}
		if endedNaively {
			naive++
		}
	}
	// Three standard errors of 1,500 runs are 1.7 %.
	if share := float64(sequential) / runs; share < .033 || share > .067 {
		t.Errorf("the sequential test errs in %.1f %% of all trials", 100*share)
	}
	if share := float64(naive) / runs; share < .1 {
		t.Errorf("looks without a correction err in %.1f %%, which makes Sequential needless", 100*share)
	}
}

// Games of a share of 0.3 are counted until its interval at the look's level is within a
// distance of the estimate. Looks grow by half up to 4,000 games. The interval at the end
// holds the truth at least at its rate, and those of all looks together in 95 %.
func TestIntervalsThatEndATrialByTheirWidthHoldTheTruth(t *testing.T) {
	const runs, planned, share = 3000, 4000, .3
	var information []float64
	for n := 250.; n < planned; n *= 1.5 {
		information = append(information, math.Floor(n)/planned)
	}
	looks, err := stats.Sequential{Level: .95, Spending: stats.EvenSpending}.Looks(append(information, 1))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(91, 92))
	for _, within := range []float64{.06, .03, .02} {
		atEnd, always := 0, 0
		for range runs {
			yes, n, ended, all := int64(0), int64(0), false, true
			for _, look := range looks {
				for ; n < int64(look.Information*planned+.5); n++ {
					if r.Float64() < share {
						yes++
					}
				}
				i := stats.Wilson(yes, n, look.Level)
				holds := i.Low <= share && share <= i.High
				all = all && holds
				if last := look.Information == 1; !ended && (last || i.High-i.Estimate <= within && i.Estimate-i.Low <= within) {
					if ended = true; holds {
						atEnd++
					}
				}
			}
			if all {
				always++
			}
		}
		// 3.5 standard errors of 3,000 runs are 1.4 %.
		if rate := float64(atEnd) / runs; rate < .936 {
			t.Errorf("within %v the interval at the end holds the truth in %.1f %%", within, 100*rate)
		}
		if rate := float64(always) / runs; rate < .936 || rate > .964 {
			t.Errorf("the intervals of all looks hold the truth in %.1f %%", 100*rate)
		}
	}
}
