package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Values of
//
//	statsmodels.stats.power.TTestIndPower().power(d, n, .05)  (two groups)
//	statsmodels.stats.power.TTestPower().power(d, n, .05)     (one)
//
// and of solve_power of either, in statsmodels 0.15.0.
func TestPlansAgreeWithStatsmodels(t *testing.T) {
	for _, c := range []struct {
		groups        int
		difference    float64
		units         int64
		power, within float64
	}{
		{2, .5, 64, 0.801460, 1e-3}, {2, .2, 394, 0.800593, 1e-3}, {2, .8, 10, 0.395069, 5e-3},
		{1, .5, 34, 0.807778, 1e-3}, {1, .1, 800, 0.806498, 1e-3}, {1, .8, 8, 0.496382, 1e-2},
	} {
		for _, scale := range []float64{1, 7} {
			got, err := stats.Trial{Level: .95, Groups: c.groups, Variance: scale * scale}.Power(-scale*c.difference, c.units)
			if err != nil {
				t.Error(err)
			}
			within(t, "power", got, c.power, c.within)
		}
	}
	for _, c := range []struct {
		groups                   int
		level, difference, power float64
		units                    int64
	}{{2, .95, .2, .8, 394}, {1, .95, .1, .9, 1053}, {2, .99, .8, .9, 49}} {
		got, err := stats.Trial{Level: c.level, Groups: c.groups, Variance: 1}.Units(c.difference, c.power)
		if err != nil || got != c.units {
			t.Errorf("%+v: %d units (%v), want %d", c, got, err, c.units)
		}
	}
	mde, err := stats.Trial{Level: .95, Groups: 2, Variance: 1}.Detectable(100, .8)
	within(t, "least difference between two groups of 100", mde, 0.3981391138964959, 5e-4)
	mde1, err1 := stats.Trial{Level: .95, Groups: 1, Variance: 1}.Detectable(200, .8)
	within(t, "least difference of 200", mde1, 0.19906465946973934, 3e-4)
	if err != nil || err1 != nil {
		t.Error(err, err1)
	}
}

func TestPlansThatMakeNoSenseAreRefused(t *testing.T) {
	good := stats.Trial{Level: .95, Groups: 2, Variance: .25}
	units := func(trial stats.Trial, difference, power float64) error {
		_, err := trial.Units(difference, power)
		return err
	}
	_, few := good.Detectable(1, .8)
	_, sure := good.Detectable(100, 1)
	_, without := stats.Trial{}.Power(1, 10)
	_, nan := good.Power(math.NaN(), 10)
	for want, err := range map[string]error{
		"level is 1, must":                      units(stats.Trial{Level: 1, Groups: 2, Variance: 1}, 1, .8),
		"groups is 3, must":                     units(stats.Trial{Level: .9, Groups: 3, Variance: 1}, 1, .8),
		"variance of a unit is 0, must":         units(stats.Trial{Level: .9, Groups: 1}, 1, .8),
		"variance of a unit is NaN, m":          units(stats.Trial{Level: .9, Groups: 1, Variance: math.NaN()}, 1, .8),
		"power is 1, must be more than":         units(good, .1, 1),
		"power is 0.05, must be more":           units(good, .1, .05),
		"difference is 0, must be fin":          units(good, 0, .8),
		"difference is NaN, must be finite and": units(good, math.NaN(), .8),
		"difference is NaN, must be f":          nan,
		"a difference of 1e-09 needs":           units(good, 1e-9, .8),
		"units is 1 in each group, mus":         few,
		"power is 1, must be more than t":       sure,
		"level is 0, must":                      without,
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error is %v, want %s…", err, want)
		}
	}
	if power, err := good.Power(1, 1); power != 0 || err != nil {
		t.Errorf("one unit has power %v (%v)", power, err)
	}
}

// Pairs of games planned from the variance that other pairs had are found as often
// as planned.
func TestWhatIsPlannedIsFoundAsOftenAsPlanned(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	pilot := pairs(r, 20000, .5, .4, true)
	const win, power, runs = .55, .8, 1200
	difference := (win - .5) * 5 / 6 // the third of what is not won that is drawn counts half
	trial := stats.Trial{Level: .95, Groups: 2, Variance: pilot.PerCluster()}
	units, err := trial.Units(difference, power)
	if err != nil || units < 800 || units > 2500 {
		t.Fatalf("%d pairs of pairs (%v)", units, err)
	}
	found := 0
	for range runs {
		a, b := pairs(r, int(units), win, .4, true), pairs(r, int(units), .5, .4, true)
		if i := stats.Difference(a.Interval(.95), b.Interval(.95)); i.Low > 0 || i.High < 0 {
			found++
		}
	}
	within(t, "share of the differences found", float64(found)/runs, power, .035)
}

// An interval of ±0.02 by 10,000 observations has a standard error of 0.02/1.959964 and thus
// a variance of 1.0412 per observation. The sample size of a test of a mean by the normal
// distribution is variance·((1.959964 + 0.841621)/0.02)².
func TestTheWidthOfAnIntervalPlansTheNextOne(t *testing.T) {
	i := stats.Interval{Estimate: .51, Low: .49, High: .53, Level: .95, N: 10_000}
	n, err := i.Needed(.02, .8)
	if want := 1.0412 * math.Pow((1.959964+.841621)/.02, 2); err != nil || math.Abs(float64(n)-want) > 5 {
		t.Errorf("%d observations (%v), want about %.0f", n, err, want)
	}
	for _, bad := range []stats.Interval{{Level: .95}, {Low: .5, High: .5, Level: .95, N: 9}, {Low: math.Inf(-1), High: 1, Level: .95, N: 9}} {
		if n, err := bad.Needed(.02, .8); err == nil {
			t.Errorf("%+v needs %d", bad, n)
		}
	}
}

// z²·v/d²: 1.959964²·0.25/0.02² = 2400.9 for one group, twice that for two.
func TestPreciseIntervalsNeedSoManyUnits(t *testing.T) {
	for groups, want := range map[int]int64{1: 2401, 2: 4802} {
		if got, err := (stats.Trial{Level: .95, Groups: groups, Variance: .25}).Precise(.02); err != nil || got != want {
			t.Errorf("%d groups need %d units (%v), must be %d", groups, got, err, want)
		}
	}
	for want, c := range map[string]struct {
		trial    stats.Trial
		distance float64
	}{
		"level is 1":                      {stats.Trial{Level: 1, Groups: 1, Variance: 1}, .1},
		"distance is 0, must be":          {stats.Trial{Level: .9, Groups: 1, Variance: 1}, 0},
		"distance is +Inf":                {stats.Trial{Level: .9, Groups: 1, Variance: 1}, math.Inf(1)},
		"distance is NaN":                 {stats.Trial{Level: .9, Groups: 1, Variance: 1}, math.NaN()},
		"a distance of 1e-09 needs more ": {stats.Trial{Level: .9, Groups: 1, Variance: 1}, 1e-9},
	} {
		if got, err := c.trial.Precise(c.distance); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %d, %v, want %q", c.trial, got, err, want)
		}
	}
}
