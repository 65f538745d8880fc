package handicap_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestAWorthHasBothWaysOfMeasuringPhasesAndTheLastPiece(t *testing.T) {
	v := lookup(t, "trench/standard")
	control := valued(map[string][2]float64{"Colonel": {.75, .01}, "Captain": {.60, .005}, "Soldier": {.55, .002}, "Sergeant": {.6, .04}, "General": {0, 0}}, agent)
	control.Values.Unit = "Soldier"
	value := stats.Interval{Estimate: 2, Low: 1.5, High: 3, Level: stats.Level, N: 9}
	types := control.Values.Phases[0].Types
	for i := range types {
		if types[i].Type == "Colonel" {
			types[i].Value = &value
		}
	}
	control.Values.Phases = append(control.Values.Phases, balance.PhaseValues{Phase: "early", Types: types}, balance.PhaseValues{Phase: "late"})
	play := func(name string, seed uint64, wins int64, change handicap.Change) handicap.Played {
		return measured(t, handicap.Handicap{Type: name, Change: change}, handicap.Games{Source: source(v, seed, 2000, counted([2]int64{wins, 0}, [2]int64{wins, 0})), Handicapped: byTurns})
	}
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Control: control, SameOpenings: true, Played: []handicap.Played{
		play("Colonel", 1, 400, handicap.Change{}), play("Captain", 2, 400, handicap.Change{}), play("Soldier", 3, 400, handicap.Change{}), play("Sergeant", 4, 400, handicap.Change{}),
		play("General", 5, 400, handicap.Change{}), play("Colonel", 6, 300, handicap.Change{Last: true}),
	}})
	if len(r.Worth) != 5 {
		t.Fatalf("the worths are %+v", r.Worth)
	}
	// Every removal costs 0.1; the scores by regression are above.
	for i, want := range []handicap.Relation{handicap.RegressionMore, handicap.Agree, handicap.RegressionLess, handicap.Open, handicap.Alone} {
		if w := r.Worth[i]; w.Relation != want || !near(w.Experiment.Score.Estimate, .6) {
			t.Errorf("%s: the relation is %q, must be %q; %+v", w.Type, w.Relation, want, w.Experiment.Score)
		}
	}
	colonel, captain, sergeant, general := r.Worth[0], r.Worth[1], r.Worth[3], r.Worth[4]
	if !near(colonel.Regression.Score.Estimate, .75) || colonel.Regression.Value == nil || *colonel.Regression.Value != value || len(colonel.Phases) != 1 || colonel.Phases[0].Phase != "early" || *colonel.Phases[0].Value != value {
		t.Errorf("a Colonel is %+v", colonel)
	}
	if colonel.Last == nil || !near(colonel.Last.Score.Estimate, .7) || colonel.Last.Value == nil || captain.Last != nil {
		t.Errorf("the last Colonel is %+v", colonel.Last)
	}
	// log(.7/.3)/log(.6/.4)
	if last := colonel.Last.Value; math.Abs(last.Estimate-2.0897) > 1e-4 {
		t.Errorf("the last Colonel is worth %+v", last)
	}
	if general.Regression.Score != nil || general.Regression.Value != nil {
		t.Errorf("a type without a value has %+v", general.Regression)
	}
	// The regression's half width of 1.96·.04 alone is too wide for agreement.
	if c := r.Handicaps[3].Regression; c.Needed != 0 || sergeant.Relation != handicap.Open {
		t.Errorf("the comparison of a Sergeant needs %+v", c)
	}
	// With another unit the values of the control are not comparable.
	control.Values.Unit = "General"
	if w := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Control: control, Played: []handicap.Played{play("Colonel", 1, 400, handicap.Change{})}}).Worth[0]; w.Regression.Value != nil || w.Regression.Score == nil {
		t.Errorf("in another unit it is %+v", w.Regression)
	}
}

// The regression's half width is 0.0098, and the experiment's variance of a pair is
// .24·(200/199)/2 = .120603: (1.959964)²·.120603/(.025² − .0098²) = 876 pairs.
func TestAnOpenRelationTellsHowManyPairsItNeeds(t *testing.T) {
	v := lookup(t, "trench/standard")
	r := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, SameOpenings: true, Control: valued(map[string][2]float64{"Soldier": {.62, .005}}, agent), Played: []handicap.Played{
		removed(t, "Soldier", source(v, 1, 400, counted([2]int64{80, 0}, [2]int64{80, 0}))),
	}})
	if c := r.Handicaps[0].Regression; r.Worth[0].Relation != handicap.Open || math.Abs(float64(c.Needed)-876) > 1 {
		t.Errorf("the relation is %q, it needs %+v", r.Worth[0].Relation, c)
	}
}

func TestStrengthIsTheDifferenceOfTwoExperiments(t *testing.T) {
	v := lookup(t, "trench/standard")
	report := func(seed uint64, colonel, soldier int64, change handicap.Change) *handicap.Report {
		return analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Unit: "Soldier", Played: []handicap.Played{
			removed(t, "Soldier", source(v, seed, 2000, counted([2]int64{soldier, 0}, [2]int64{soldier, 0}))),
			measured(t, handicap.Handicap{Type: "Colonel", Change: change}, handicap.Games{Source: source(v, seed+1, 2000, counted([2]int64{colonel, 0}, [2]int64{colonel, 0})), Handicapped: byTurns}),
		}})
	}
	weak, strong := report(1, 400, 410, handicap.Change{}), report(3, 300, 400, handicap.Change{})
	if err := handicap.Compare(weak, strong, [2]int64{500, 2000}); err != nil {
		t.Fatal(err)
	}
	s := strong.Strength
	if s.Nodes != [2]int64{500, 2000} || s.Unit != "Soldier" || len(s.Moves) != 2 {
		t.Fatalf("the strength is %+v", s)
	}
	soldier, colonel := s.Moves[0], s.Moves[1]
	if colonel.Name != "Colonel removed" || !near(colonel.Loss[0].Estimate, .1) || !near(colonel.Loss[1].Estimate, .2) || !near(colonel.Moved.Estimate, .1) {
		t.Errorf("a Colonel moves by %+v", colonel)
	}
	half := math.Hypot(colonel.Loss[1].Estimate-colonel.Loss[1].Low, colonel.Loss[0].High-colonel.Loss[0].Estimate)
	if !near(colonel.Moved.Low, .1-half) || colonel.Adjusted > .001 || colonel.Needed != 0 || colonel.Moved.N != 4000 {
		t.Errorf("a Colonel moves by %+v", colonel.Moved)
	}
	// log(.7/.3)/log(.6/.4) − log(.6/.4)/log(.59/.41)
	if m := colonel.ValueMoved; m == nil || math.Abs(m.Estimate-(2.08969-1.11410)) > 1e-4 {
		t.Errorf("the value of a Colonel moves by %+v", m)
	}
	// The unit's value does not move. Of its loss, .01, SmallLoss is looked for: the variance of
	// a pair is about .2405·1000/999/2 in each group, z = 2.241403 + .841621, so
	// 9.50504·(.120370 + .121071)/.02² = 5737 pairs of each.
	if soldier.ValueMoved != nil || soldier.Adjusted < .3 || math.Abs(float64(soldier.Needed)-5737) > 40 {
		t.Errorf("a Soldier moves by %+v", soldier)
	}
	for want, change := range map[string]func(r *handicap.Report){
		"the rules of the weaker agent's report are other":         func(r *handicap.Report) { r.Digest = "other" },
		`the unit of the weaker agent's report is "General"`:       func(r *handicap.Report) { r.Unit = "General" },
		"the weaker agent's report has 1 handicaps, must have 2":   func(r *handicap.Report) { r.Handicaps = r.Handicaps[:1] },
		"handicap 2 of the weaker agent's report is Colonel last,": func(r *handicap.Report) { *r = *report(1, 400, 410, handicap.Change{Last: true}) },
	} {
		other := *weak
		change(&other)
		if err := handicap.Compare(&other, strong, [2]int64{500, 2000}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
