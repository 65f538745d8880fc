package balance_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// withResults gives 80 games the results that a rule says.
func withResults(t *testing.T, paired bool, result func(i int) env.Result) (*dataset.Settings, []*dataset.Episode) {
	t.Helper()
	agents := "greedy"
	if paired {
		agents = "random"
	}
	settings, list := played(t, "trench/standard", "greedy", agents, 80, 3)
	for i, ep := range list {
		ep.Result = result(i)
	}
	return settings, list
}

// 40 won, 10 drawn and 30 lost, in blocks of ten.
func inTens(i int) env.Result {
	return [...]env.Result{1, 1, 1, 1, 0, -1, -1, -1}[i/10]
}

func TestResultsFromElsewhereStandBesideThese(t *testing.T) {
	settings, list := withResults(t, false, inTens)
	others := &balance.Results{Name: "people", Wins: 240, Draws: 60, Losses: 300}
	r := analyze(t, balance.Options{Against: others}, source(settings, list))
	a := r.Seats.Against
	if a == nil || a.Name != "people" || a.Games != 600 || a.First.Wins != 240 || a.First.Draws != 60 || a.First.Losses != 300 {
		t.Fatalf("theirs are %+v", a)
	}
	// scipy.stats.chi2_contingency([[30, 10, 40], [300, 60, 240]])
	if math.Abs(a.Same.Statistic-4.415584415584416) > 1e-9 || math.Abs(a.Same.P-0.1099431123088428) > 1e-9 || a.Same.N != 680 || a.Same.Method != "pearson, chi-square with 2 df" {
		t.Errorf("the test is %+v", a.Same)
	}
	// Clusters of one game are independent ones but for Student's quantile.
	want := stats.Difference(stats.Wilson(40, 80, .95), stats.Wilson(240, 600, .95))
	if d := a.Win; math.Abs(d.Estimate-.1) > 1e-12 || math.Abs(d.Low-want.Low) > .004 || math.Abs(d.High-want.High) > .004 || d.N != 680 {
		t.Errorf("the difference is %+v, must be near %+v", d, want)
	}
	if s := a.Score; math.Abs(s.Estimate-(.5625-.45)) > 1e-12 || s.Low >= s.Estimate || s.Low <= 0 {
		t.Errorf("the difference in score is %+v", s)
	}
	if analyze(t, balance.Options{}, source(settings, list)).Seats.Against != nil {
		t.Error("there are results from elsewhere that nobody gave")
	}
}

// Both games of each pair end alike: 80 games are worth 40.
func TestPairsThatAgreeCountHalfBesideOthers(t *testing.T) {
	settings, list := withResults(t, true, inTens)
	others := &balance.Results{Name: "people", Wins: 2400, Draws: 600, Losses: 3000}
	a := analyze(t, balance.Options{Against: others}, source(settings, list)).Seats.Against
	settings, list = withResults(t, false, inTens)
	b := analyze(t, balance.Options{Against: others}, source(settings, list)).Seats.Against
	if ratio := a.Same.Statistic / b.Same.Statistic; math.Abs(ratio-.45) > .05 || !strings.Contains(a.Same.Method, "design effect 2.0") {
		t.Errorf("in pairs the test is %+v, of single games %+v", a.Same, b.Same)
	}
	if a.Score.High-a.Score.Low < 1.3*(b.Score.High-b.Score.Low) {
		t.Errorf("in pairs the difference is %+v, of single games %+v", a.Score, b.Score)
	}
}

func TestResultsFromElsewhereBesideNothing(t *testing.T) {
	settings, _ := withResults(t, false, inTens)
	r := analyze(t, balance.Options{Against: &balance.Results{Name: "people", Draws: 3}}, source(settings, nil))
	a := r.Seats.Against
	if r.Seats.Games != 0 || a.Same.P != 1 || a.Draw.Low != -1 || a.Draw.High < .5 || strings.Contains(string(encoded(t, r)), "NaN") {
		t.Errorf("beside nothing there is %+v", a)
	}
	for _, bad := range []balance.Results{{Name: "people"}, {Name: "people", Wins: -1, Losses: 5}, {Name: "people", Draws: balance.MaxResults + 1}} {
		_, err := balance.Analyze(context.Background(), []balance.Source{source(settings, nil)}, balance.Options{Against: &bad})
		if !errors.Is(err, balance.ErrResults) || !strings.Contains(err.Error(), "people") {
			t.Errorf("%+v: the error is %v", bad, err)
		}
	}
}
