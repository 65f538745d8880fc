package stats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

var (
	lifeTimes = []int{3, 5, 5, 8, 12, 12, 12, 15, 20, 20, 2, 9, 9, 30, 30, 4, 7, 7, 18, 25}
	lifeEnds  = []bool{true, true, false, true, true, true, false, false, true, true, true, true, false, false, false, true, true, true, false, true}
)

func live(t testing.TB, l *stats.Lifetimes, cluster int64, time int, died bool) {
	t.Helper()
	if err := l.Add(cluster, time, died); err != nil {
		t.Fatal(err)
	}
}

// The shares alive are those of statsmodels.duration.survfunc.SurvfuncRight of
// statsmodels 0.15.0. The first bounds are S**exp(±t·se) with its standard errors,
//
//	se = surv_prob_se/surv_prob·(20/19)**.5/abs(log(S)), t = scipy.stats.t.ppf(.975, 19)
//
// the second ones, of ten pairs, follow from the sums over pairs in NumPy, with
// 10/9 and 9 degrees of freedom.
func TestSurvivalAgreesWithStatsmodels(t *testing.T) {
	for size, bounds := range map[int][][2]float64{
		1: {{0.644484497982, 0.994028881702}, {0.617967941707, 0.977200542279}, {0.569921053662, 0.954110639745},
			{0.519745592772, 0.92673485894}, {0.411909061577, 0.8596488871}, {0.362375973098, 0.821835822212},
			{0.315398410924, 0.781554170836}, {0.216207184301, 0.68823896029}, {0.0686611530206, 0.549052579807}, {0.0267723985256, 0.461692649207}},
		2: {{0.593000850893, 0.994977815746}, {0.596380009877, 0.978752241639}, {0.566854614701, 0.954536705376},
			{0.404236812249, 0.946509650405}, {0.29105101617, 0.897020369885}, {0.266388634987, 0.860218597287},
			{0.198627417666, 0.83865214489}, {0.121221196837, 0.762487464107}, {0.0318462185564, 0.627554357688}, {0.0159432331955, 0.508615609862}},
	} {
		var l stats.Lifetimes
		for i, time := range lifeTimes {
			live(t, &l, int64(i/size), time, lifeEnds[i])
		}
		s := l.Survival(.95)
		if len(s.Steps) != 10 {
			t.Fatalf("%d steps, want 10", len(s.Steps))
		}
		for k, step := range s.Steps {
			if step.Time != []int{2, 3, 4, 5, 7, 8, 9, 12, 20, 25}[k] ||
				step.AtRisk != []int64{20, 19, 18, 17, 15, 13, 12, 10, 5, 3}[k] || step.Died != []int64{1, 1, 1, 1, 2, 1, 1, 2, 2, 1}[k] {
				t.Errorf("step %d is %+v", k, step)
			}
			within(t, "alive", step.Alive.Estimate, []float64{.95, .9, .85, .8, 0.693333333333, .64, 0.586666666667, 0.469333333333, .2816, 0.187733333333}[k], 1e-11)
			within(t, "low", step.Alive.Low, bounds[k][0], 1e-10)
			within(t, "high", step.Alive.High, bounds[k][1], 1e-10)
			if step.Alive.N != step.AtRisk || step.Alive.Level != .95 || step.Alive.Method != "kaplan-meier, log-log, clusters" {
				t.Errorf("interval is labelled %+v", step.Alive)
			}
		}
		at, want := s.At(11), s.Steps[6].Alive
		if want.N = 10; at != want { // those that die at 12 or are seen longer
			t.Errorf("beyond 11 live %+v, want %+v", at, want)
		}
	}
	// quantile(.5) and quantile_ci(.5) of statsmodels.
	var l stats.Lifetimes
	for i, time := range lifeTimes {
		live(t, &l, int64(i), time, lifeEnds[i])
	}
	if m := l.Survival(.95).Median(); m.Estimate != 12 || m.Low != 7 || m.High != 25 {
		t.Errorf("median is %+v, want 12 from 7 to 25", m)
	}
}

func TestSurvivalOfTooLittleIsOpen(t *testing.T) {
	var none stats.Lifetimes
	if i := none.Survival(.95).At(0); i.Estimate != .5 || i.Low != 0 || i.High != 1 || i.N != 0 {
		t.Errorf("of nothing live %+v", i)
	}
	if m := none.Survival(.95).Median(); m.Low != 0 || !math.IsInf(m.High, 1) || m.N != 0 {
		t.Errorf("median of nothing is %+v", m)
	}

	var one, living, dying, alike stats.Lifetimes
	for i := range int64(10) {
		live(t, &one, 0, int(i), true) // a single cluster
		live(t, &living, i, 20, false)
		live(t, &dying, i, 20, true)
		live(t, &alike, i, 5, true) // in every cluster one dies at 5 and one lives on
		live(t, &alike, i, 9, false)
	}
	for _, step := range one.Survival(.95).Steps {
		if step.Alive.Low != 0 || step.Alive.High != 1 {
			t.Errorf("of one cluster live %+v", step.Alive)
		}
	}
	bound := stats.Wilson(10, 10, .95).Low
	s := living.Survival(.95)
	if i := s.At(20); len(s.Steps) != 0 || i.Estimate != 1 || math.Abs(i.Low-bound) > 1e-12 || i.High != 1 || i.N != 10 {
		t.Errorf("where nothing dies live %+v", i)
	}
	if s.Lasting(20) != 10 || s.Lasting(21) != 0 || s.Lasting(-1) != 10 || none.Survival(.95).Lasting(0) != 0 {
		t.Errorf("until 20 last %d clusters, until 21 %d", s.Lasting(20), s.Lasting(21))
	}
	if i := s.At(21); i.Low != 0 || i.High != 1 || i.N != 0 {
		t.Errorf("beyond what was seen live %+v", i)
	}
	if m := s.Median(); !math.IsInf(m.Estimate, 1) || !math.IsInf(m.High, 1) {
		t.Errorf("median of what lives on is %+v", m)
	}
	s = dying.Survival(.95)
	if i := s.At(20); i.Estimate != 0 || i.Low != 0 || i.High != 1 {
		t.Errorf("where all die at once live %+v", i)
	}
	if i := s.At(19); i.Estimate != 1 || math.Abs(i.Low-bound) > 1e-12 {
		t.Errorf("before they do live %+v", i)
	}
	if m := s.Median(); m.Estimate != 20 || m.Low != 20 || !math.IsInf(m.High, 1) {
		t.Errorf("median is %+v", m)
	}
	want := stats.Wilson(5, 10, .95)
	if i := alike.Survival(.95).At(7); i.Estimate != .5 || math.Abs(i.Low-want.Low) > 1e-12 || math.Abs(i.High-want.High) > 1e-12 {
		t.Errorf("where all clusters are alike live %+v, want the bounds of %+v", i, want)
	}
}

func TestLifetimesThatMakeNoSenseAreRefused(t *testing.T) {
	var l stats.Lifetimes
	live(t, &l, 7, 3, true)
	for want, err := range map[string]error{
		"lifetime 1 is -1, must":             l.Add(7, -1, true),
		"lifetime 1 is 16777217, must":       l.Add(7, 1<<24+1, true),
		"lifetime 1: cluster 6 comes after ": l.Add(6, 1, true),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error is %v, want %s…", err, want)
		}
	}
	if s := l.Survival(.95); len(s.Steps) != 1 || s.Steps[0].Alive.N != 1 {
		t.Errorf("what was refused came in: %+v", s)
	}
}

// deadly plays games with eight pieces each that are more or less deadly, and end
// at a time of their own.
func deadly(t testing.TB, r *rand.Rand, games int) *stats.Survival {
	var l stats.Lifetimes
	for g := range games {
		hazard := .01 * math.Exp(.8*r.NormFloat64())
		end := 20 + r.IntN(120)
		for range 8 {
			time := int(math.Ceil(r.ExpFloat64() / hazard))
			live(t, &l, int64(g), min(time, end), time <= end)
		}
	}
	return l.Survival(.95)
}

func TestIntervalsOfSurvivalHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	large := deadly(t, rand.New(rand.NewPCG(71, 72)), 60000)
	for _, time := range []int{5, 40, 110} {
		truth := large.At(time).Estimate
		got := coverage(500, truth, func(r *rand.Rand) stats.Interval { return deadly(t, r, 40).At(time) })
		// 3 standard errors of 500 runs are 2.9 %.
		if got < .92 || got > .98 {
			t.Errorf("the interval holds the share alive at %d, %.3f, in %.1f %% of all cases", time, truth, 100*got)
		}
	}
	median := large.Median().Estimate
	if got := coverage(500, median, func(r *rand.Rand) stats.Interval { return deadly(t, r, 40).Median() }); got < .92 || got > .985 {
		t.Errorf("the interval holds the median, %v, in %.1f %% of all cases", median, 100*got)
	}
}
