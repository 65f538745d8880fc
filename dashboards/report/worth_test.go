package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// worths is a report by hand on three types with worths.
func worths() *handicap.Report {
	measured := func(score, value float64) handicap.Measured {
		return handicap.Measured{Score: pointer(interval(score, score-.02, score+.02)), Value: pointer(interval(value, value-.5, value+.5))}
	}
	effect := func(kind string, needed int64) handicap.Effect {
		return handicap.Effect{Type: kind, Games: 800, Score: interval(.4, .37, .43), Loss: interval(.1, .07, .13), Adjusted: .01, Regression: &handicap.Comparison{Problem: handicap.NoControl, Needed: needed}}
	}
	last := measured(.7, 2)
	soldier := measured(.55, 1)
	soldier.Value = &stats.Interval{Estimate: 1, Low: 1, High: 1, Level: .95, Method: "the unit"}
	return &handicap.Report{
		Variant: "trench/standard", Players: [2]string{"Black", "White"}, Agent: "greedy", Unit: "Soldier",
		Handicaps: []handicap.Effect{effect("General", 0), effect("Colonel", 0), effect("Captain", 1234), effect("Soldier", 0), effect("Sergeant", 0)},
		Worth: []handicap.Worth{
			{Type: "General", Experiment: measured(.6, 3), Regression: measured(.8, 5), Relation: handicap.RegressionMore, Last: &last, Phases: []handicap.PhaseWorth{{Phase: "early: more than 2/3", Measured: measured(.65, 4)}}},
			{Type: "Colonel", Experiment: measured(.6, 3), Regression: measured(.5, 0), Relation: handicap.RegressionLess},
			{Type: "Captain", Experiment: measured(.6, 3), Regression: measured(.62, 3), Relation: handicap.Open},
			{Type: "Soldier", Experiment: soldier, Regression: measured(.55, 1), Relation: handicap.Agree},
			{Type: "Sergeant", Relation: handicap.Alone},
		},
	}
}

func text(t *testing.T, p *report.Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := p.Full(&out); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func TestEverySentenceOfWorths(t *testing.T) {
	r := worths()
	const general = "General: 60.0 % (58.0 to 62.0, n = 1,000) by experiment, 80.0 % (78.0 to 82.0, n = 1,000) by counting"
	says(t, report.HandicapJSON(r), map[string]string{
		"worth/0/answer": general + ". Counting gives more: part of it is that the side stands better, not the piece.",
		"worth/1/answer": "Colonel: 60.0 % (58.0 to 62.0, n = 1,000) by experiment, 50.0 % (48.0 to 52.0, n = 1,000) by counting. " +
			"Counting gives less: the side gave up something for the piece, or the piece matters more at the start than later.",
		"worth/2/answer": "Captain: 60.0 % (58.0 to 62.0, n = 1,000) by experiment, 62.0 % (60.0 to 64.0, n = 1,000) by counting; " +
			"too few games to tell whether they differ. About 1,300 pairs of games would show it.",
		"worth/3/answer": "Soldier: 55.0 % (53.0 to 57.0, n = 1,000) by experiment, 55.0 % (53.0 to 57.0, n = 1,000) by counting; they agree within 5 points.",
		"worth/4/answer": "",
	})
	page := text(t, report.Handicap(r))
	for _, want := range []string{
		"WHAT IS ONE PIECE WORTH, BY BOTH WAYS OF MEASURING?", "By experiment, one side starts without the piece", "By counting in ordinary games",
		"General experiment 60.0 % (58.0 to 62.0) 3.00 (2.50 to 3.50) 1,000 General experiment, last one 70.0 % (68.0 to 72.0) 2.00 (1.50 to 2.50) 1,000 " +
			"General counting 80.0 % (78.0 to 82.0) 5.00 (4.50 to 5.50) 1,000 General counting, early 65.0 % (63.0 to 67.0) 4.00 (3.50 to 4.50) 1,000 Colonel experiment",
		"Soldier experiment 55.0 % (53.0 to 57.0) 1, the unit",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "Sergeant experiment") {
		t.Errorf("a type without games has a worth:\n%s", page)
	}
}

func TestWorthsStandBesideABalance(t *testing.T) {
	b := analysis(t, "trench/standard", 60, balance.Options{Replicates: 20})
	page := report.BalanceWorth(b, worths())
	full := text(t, page)
	const side = "The side with one more scores: General 60 % by experiment and 80 % by counting, Colonel 60 % by experiment and 50 % by counting, " +
		"Captain 60 % by experiment and 62 % by counting and Soldier 55 % by experiment and 55 % by counting. By experiment, one side starts without the piece"
	if !strings.Contains(full, side) || strings.Index(full, "BY BOTH WAYS") > strings.Index(full, "IS IT FAIR") {
		t.Errorf("the page is\n%s", full)
	}
	says(t, report.BalanceWorthJSON(b, worths()), map[string]string{"worth_unit": "Soldier", "worth/3/relation": "agree", "variant": "trench/standard"})
	none := &handicap.Report{Worth: []handicap.Worth{{Type: "General", Relation: handicap.Alone}}}
	if page := text(t, report.BalanceWorth(b, none)); !strings.Contains(page, "By experiment, one side starts without the piece") || strings.Contains(page, "scores: General") {
		t.Errorf("without scores the page is\n%s", page)
	}
}

func TestEverySentenceOfTheEndOfAnExperiment(t *testing.T) {
	for want, u := range map[string]*handicap.Until{
		"known to ±2 points of 100, or at the greatest number of games. The intervals allow for the looks in between. All are known so well.":                                                                       {Precision: handicap.Precision{Within: .02, Points: true}},
		"known to ±0.3 of a Soldier, or at the greatest number of games. The intervals allow for the looks in between. Not known so well at the end: General removed and Captain removed. More --pairs would help.": {Precision: handicap.Precision{Within: .3}, Open: []int{0, 2}},
	} {
		r := worths()
		r.Until = u
		if page := text(t, report.Handicap(r)); !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func TestEverySentenceOfStrength(t *testing.T) {
	r := worths()
	move := func(name string, moved, adjusted float64, needed int64) handicap.Move {
		return handicap.Move{Name: name, Loss: [2]stats.Interval{interval(.1, .08, .12), interval(.1+moved, .08+moved, .12+moved)}, Moved: interval(moved, moved-.03, moved+.03), Adjusted: adjusted, Needed: needed}
	}
	r.Strength = &handicap.Strength{Nodes: [2]int64{500, 2000}, Moves: []handicap.Move{
		move("General removed", .05, .01, 0), move("Colonel removed", -.05, .05, 0), move("Captain removed", .01, .06, 5678), move("Soldier removed", 0, 1, 0),
	}}
	page := text(t, report.Handicap(r))
	for _, want := range []string{
		"DO STRONGER PLAYERS VALUE THE PIECES ALIKE?",
		"General removed: stronger players lose more by it, 5.0 points (2.0 to 8.0).",
		"Colonel removed: stronger players lose less by it, 5.0 points (2.0 to 8.0).",
		"Captain removed: too few games to tell whether the loss changes from 500 to 2,000 nodes. About 5,700 pairs of games of each would show it.",
		"Soldier removed: too few games to tell whether the loss changes from 500 to 2,000 nodes. ",
		"General removed +10.0 (+8.0 to +12.0) +15.0 (+13.0 to +17.0) +5.0 (+2.0 to +8.0) 0.0100",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(text(t, report.Handicap(worths())), "DO STRONGER PLAYERS") {
		t.Error("without a second budget the page has a section on strength")
	}
}
