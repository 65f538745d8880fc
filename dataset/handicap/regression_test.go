package handicap_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// valued is a report of a control in which who is one ahead in a type has a score with
// an error.
func valued(scores map[string][2]float64, agents ...string) *balance.Report {
	phase := balance.PhaseValues{}
	for name, s := range scores {
		v := balance.TypeValue{Type: name}
		if s[1] == 0 {
			v.Problem = balance.Problem{Code: balance.NeverVaries}
		} else {
			v.Score = &stats.Interval{Estimate: s[0], Low: s[0] - 1.96*s[1], High: s[0] + 1.96*s[1], Level: stats.Level, N: 1000, Method: "t"}
		}
		phase.Types = append(phase.Types, v)
	}
	first := stats.Wilson(560, 1000, stats.Level)
	return &balance.Report{Data: balance.Data{Agents: agents}, Seats: &balance.Seats{First: dataset.Outcome{Score: first}},
		Values: &balance.Values{Unit: "Captain", Phases: []balance.PhaseValues{phase}}}
}

func TestTheRegressionStandsBesideTheExperiment(t *testing.T) {
	v := lookup(t, "trench/standard")
	e := &handicap.Experiment{Variant: v, Agent: agent, SameOpenings: true, Control: valued(map[string][2]float64{"Colonel": {.75, .02}, "Captain": {.62, .02}, "Soldier": {0, 0}}, agent)}
	for i, name := range []string{"Colonel", "Captain", "Soldier", "Sergeant"} {
		e.Played = append(e.Played, removed(t, name, source(v, uint64(i), 2000, counted([2]int64{400, 0}, [2]int64{360, 0}))))
	}
	r := analyze(t, e)
	if r.Unit != "Soldier" || r.Control == nil || !r.Control.SameAgent {
		t.Errorf("the unit is %q, the control %+v", r.Unit, r.Control)
	}
	c := r.Handicaps[0].Regression
	// 1-.38 is the causal score; math.hypot(1.96*.02, h) with its half width.
	if !near(c.Causal.Estimate, .62) || !near(c.Difference.Estimate, .13) || !near(c.Adjusted, 2*c.Same.P) || c.Adjusted > .001 || c.Problem != handicap.NoProblem {
		t.Errorf("the comparison is %+v", c)
	}
	if half := math.Hypot(1.96*.02, c.Causal.High-c.Causal.Estimate); !near(c.Difference.Low, .13-half) {
		t.Errorf("the difference is %+v, must begin %v below", c.Difference, half)
	}
	if c := r.Handicaps[1].Regression; c.Adjusted < .9 {
		t.Errorf("the comparison is %+v", c)
	}
	if c := r.Handicaps[2].Regression; c.Problem != handicap.NoRegression || c.Missing.Code != balance.NeverVaries || c.Same.P != 1 || c.Adjusted != 1 {
		t.Errorf("the comparison is %+v", c)
	}
	if c := r.Handicaps[3].Regression; c.Problem != handicap.NoRegression || !c.Missing.None() {
		t.Errorf("the comparison is %+v", c)
	}
	// The first player scores 0.56 in the control and 0.4 without a piece.
	for p, want := range [2]float64{.56 - .4, .44 - .36} {
		if loss := r.Handicaps[0].Seats[p].Loss; loss == nil || !near(loss.Estimate, want) {
			t.Errorf("player %d loses %+v, want %v", p, loss, want)
		}
	}
	e.Control = valued(map[string][2]float64{"Colonel": {.4, .02}}, agent, "other")
	r = analyze(t, e)
	if c := r.Handicaps[0].Regression; c.Difference.Estimate > -.2 || c.Adjusted > .001 || r.Control.SameAgent || r.Handicaps[0].Seats[0].Loss != nil {
		t.Errorf("the comparison is %+v, of the same agent %v", c, r.Control.SameAgent)
	}
	if !slices.ContainsFunc(r.Notes, func(n handicap.Note) bool { return n.Kind == handicap.OtherAgents }) || len(r.Notes) != 1 {
		t.Errorf("the notes are %+v", r.Notes)
	}
	e.Control, e.SameOpenings = valued(map[string][2]float64{"Colonel": {.4, .02}}, agent), false
	r = analyze(t, e)
	if r.Handicaps[0].Seats[0].Loss != nil || !r.Control.SameAgent || len(r.Notes) != 1 || r.Notes[0].Kind != handicap.OtherOpenings {
		t.Errorf("of other openings a seat loses %+v, the notes are %+v", r.Handicaps[0].Seats[0].Loss, r.Notes)
	}
	e.Control = nil
	if c := analyze(t, e).Handicaps[0].Regression; c.Problem != handicap.NoControl || c.Causal.N != 2000 {
		t.Errorf("the comparison is %+v", c)
	}
}
