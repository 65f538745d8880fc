package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// handicapArgs are those of a small experiment in a folder.
func handicapArgs(dir string, more ...string) []string {
	return append([]string{"balance", "--handicap", "ntxuva/4", "--agent", "greedy", "--pairs", "20", "--out", dir}, more...)
}

func TestBalancePlaysHandicaps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "experiment")
	page := filepath.Join(t.TempDir(), "handicaps.html")
	begun := sandtable(t, "", handicapArgs(dir, "--full", "--report", page)...)
	if begun.code != exitDone {
		t.Fatalf("code %d: %s", begun.code, begun.err)
	}
	for _, want := range []string{"Cost of handicaps in ntxuva/4", "agent: greedy", "80 games of ntxuva/4", "attack house, one fewer", "defence house, one fewer",
		"DOES IT MATTER WHICH SIDE HAS THE HANDICAP?", "South", "DOES COUNTING PIECES IN ORDINARY GAMES AGREE?", "control", "n = 40"} {
		if !strings.Contains(strings.ToUpper(begun.out), strings.ToUpper(want)) {
			t.Errorf("balance --handicap does not tell %q:\n%s", want, begun.out)
		}
	}
	if !strings.Contains(begun.err, "detects=") || !strings.Contains(begun.err, "games=120") {
		t.Errorf("before playing it does not tell what the plan finds: %s", begun.err)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.HasPrefix(string(text), "<!DOCTYPE html>") {
		t.Errorf("the report: %v", err)
	}
	var plan handicap.Plan
	text, err := os.ReadFile(filepath.Join(dir, experiment.PlanName))
	if err != nil || json.Unmarshal(text, &plan) != nil || plan.Episodes() != 120 || len(plan.Arms) != 3 || plan.Agent != "greedy" {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	for _, arm := range plan.Arms {
		done(t, "", "dataset", "verify", filepath.Join(dir, arm.Name))
	}
	// What is lost of an arm is played again, by any number of workers.
	if err := os.RemoveAll(filepath.Join(dir, plan.Arms[1].Name)); err != nil {
		t.Fatal(err)
	}
	if again := done(t, "", handicapArgs(dir, "--full", "--workers", "3")...); again != begun.out {
		t.Errorf("played again it tells\n%s\nafter\n%s", again, begun.out)
	}
	var r handicap.Report
	if err := json.Unmarshal([]byte(done(t, "", handicapArgs(dir, "--json", "--unit", "defence house")...)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Unit != "defence house" || len(r.Handicaps) != 2 || r.Handicaps[0].Score.N != 40 || r.Control == nil || !r.Control.SameAgent || !r.Control.SameOpenings || r.Control.First.N != 40 {
		t.Errorf("the report is %+v", r)
	}
}

func TestBalanceTakesItsControlFromDataSets(t *testing.T) {
	games := smallFarm(t, "ntxuva/4", "--agent", "random", "--episodes", "200")
	dir := filepath.Join(t.TempDir(), "experiment")
	var r handicap.Report
	if err := json.Unmarshal([]byte(done(t, "", handicapArgs(dir, games, "--type", "A", "--json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Handicaps) != 1 || r.Control == nil || r.Control.SameAgent || r.Control.SameOpenings || r.Control.Data.Episodes != 200 || r.Handicaps[0].Regression.Problem != handicap.NoProblem {
		t.Errorf("the control is %+v, beside it %+v", r.Control, r.Handicaps[0].Regression)
	}
	if _, err := os.Stat(filepath.Join(dir, "control")); err == nil {
		t.Error("a control is played although there are data sets")
	}
}

func TestBalanceShowsWorthsSideBySide(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "experiment"), smallFarm(t, "trench/standard", "--episodes", "4")
	done(t, "", handicapArgs(dir, "--pairs", "60")...)
	control := filepath.Join(dir, "control")
	beside := done(t, "", "balance", control, "--full")
	for _, want := range []string{"WHAT IS ONE PIECE WORTH, BY BOTH WAYS OF MEASURING?", "By experiment, one side starts without the piece", "By counting in ordinary games", "attack house: ", "The side with one more scores: attack house"} {
		if !strings.Contains(strings.Join(strings.Fields(beside), " "), want) {
			t.Errorf("it does not tell %q:\n%s", want, beside)
		}
	}
	if given := done(t, "", "balance", control, "--full", "--handicap-from", dir); given != beside {
		t.Errorf("with the folder it tells\n%s\nwithout\n%s", given, beside)
	}
	var r struct {
		Schema int
		Worth  []handicap.Worth
		Unit   string `json:"worth_unit"`
		Values balance.Values
	}
	if err := json.Unmarshal([]byte(done(t, "", "balance", control, "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != 1 || len(r.Worth) != 2 || r.Worth[0].Experiment.Score.N != 120 || r.Worth[0].Regression.Score == nil || r.Values.Unit != r.Unit {
		t.Errorf("the worths are %+v, in units of %q; the values in %q", r.Worth, r.Unit, r.Values.Unit)
	}
	for want, args := range map[string][]string{
		"no such file":                           {"balance", control, "--handicap-from", t.TempDir()},
		"must be those of the data sets, trench": {"balance", other, "--handicap-from", dir},
		"--handicap-from is for data sets, not":  handicapArgs(dir, "--handicap-from", dir),
	} {
		if o := sandtable(t, "", args...); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%v: code %d, %s", args, o.code, o.err)
		}
	}
}

func TestBalancePlaysHandicapsUntilTheyAreKnown(t *testing.T) {
	var r handicap.Report
	args := []string{"balance", "--handicap", "ntxuva/4", "--agent", "random", "--control", "0", "--until", "±7%", "--out", filepath.Join(t.TempDir(), "experiment")}
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Until == nil || !r.Until.Points || r.Until.Within != .07 || len(r.Until.Open) != 0 || r.Handicaps[0].Loss.High-r.Handicaps[0].Loss.Low > .14 || r.Handicaps[0].Games > 4000 {
		t.Errorf("the report is %+v, %+v", r.Until, r.Handicaps[0])
	}
	if text := done(t, "", append(args, "--full")...); !strings.Contains(text, "known to ±7 points of 100") {
		t.Errorf("it does not tell why it ended:\n%s", text)
	}
}

func TestBalancePlaysHandicapsWithTwoBudgets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "experiment")
	args := []string{"balance", "--handicap", "ntxuva/4", "--agent", "alphabeta:noise=5", "--budgets", "5,20", "--pairs", "10", "--out", dir}
	text := done(t, "", append(args, "--full")...)
	for _, want := range []string{"DO STRONGER PLAYERS VALUE THE PIECES ALIKE?", "attack house removed: too few games to tell whether the loss changes from 5 to 20 nodes"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not tell %q:\n%s", want, text)
		}
	}
	var r handicap.Report
	if err := json.Unmarshal([]byte(done(t, "", append(args, "--json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if s := r.Strength; s == nil || s.Nodes != [2]int64{5, 20} || len(s.Moves) != 2 || s.Moves[0].Moved.N != 40 || !strings.Contains(s.Agents[0], "nodes=5,") || !strings.Contains(r.Agent, "nodes=20,") {
		t.Errorf("the strength is %+v", r.Strength)
	}
	for _, folder := range []string{"5-nodes/A-removed", "20-nodes/control"} {
		done(t, "", "dataset", "info", filepath.Join(dir, folder))
	}
	for want, more := range map[string][]string{
		"--budgets: \"5\" must be two numbers of nodes": {"--budgets", "5"},
		"--budgets: \"9,5\" must rise":                  {"--budgets", "9,5"},
		"has no option nodes":                           {"--agent", "greedy"},
		"--until: until is \"x\"":                       {"--until", "x"},
	} {
		if o := sandtable(t, "", append(args, more...)...); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%v: code %d, %s", more, o.code, o.err)
		}
	}
}

// smallTanks is a variant of Tank Chess whose rules are made in a moment.
const smallTanks = `tankchess/16x16{"layout":{"size":8,"obstacles":["d4","e5"],"water":[],"white":{"CLT":["d1"],"LT":["b1NE","f2W"],"MT":["g1"],"HT":[]},"black":{"CLT":["e8"],"LT":["g8","c7SW"],"MT":["b8"],"HT":[]}}}`

func TestBalancePlaysChangesOfAttributes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "experiment")
	out := done(t, "", "balance", "--handicap", smallTanks, "--openings", "start", "--agent", "random", "--type", "Light Tank", "--change", "speed-1,speed+1", "--pairs", "2", "--control", "0", "--max-plies", "60", "--full", "--out", dir)
	for _, want := range []string{"Light Tank speed-1", "Light Tank speed+1", "LT-speed+1-second"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not tell %q:\n%s", want, out)
		}
	}
}

func TestBalanceRefusesHandicapsThatCannotBe(t *testing.T) {
	trench, dir := smallFarm(t, "trench/standard", "--episodes", "4"), filepath.Join(t.TempDir(), "experiment")
	done(t, "", handicapArgs(dir, "--pairs", "2", "--control", "0")...)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"balance", trench, "--pairs", "3"}, "--pairs needs --handicap VARIANT"},
		{[]string{"balance", trench, "--seed", "3"}, "--seed needs --handicap VARIANT"},
		{[]string{"balance"}, "or --handicap VARIANT"},
		{[]string{"balance", "--handicap", "nothing/known"}, "nothing/known"},
		{handicapArgs(dir, "--against", "1,2,3"), "--against is for data sets, not for --handicap"},
		{handicapArgs(dir), "plan.json control is"},
		{handicapArgs(trench), "is not the folder of an experiment"},
		{handicapArgs(dir, "--pairs", "0"), "--pairs is 0, must be 1 to"},
		{handicapArgs(dir, "--control", "-1"), "--control is -1"},
		{handicapArgs(dir, "--workers", "0"), "--workers is 0"},
		{handicapArgs(dir, "--type", "Queen"), `"Queen" is not a piece type of ntxuva/4, must be one of attack house (A)`},
		{handicapArgs(dir, "--type", "A,A"), "is given twice"},
		{handicapArgs(dir, "--change", "speed"), "--change: change \"speed\""},
		{handicapArgs(dir, "--change", "speed+1"), "ntxuva"},
		{handicapArgs(dir, "--unit", "Queen"), `--unit: "Queen" is not a piece type`},
		{handicapArgs(dir, "--agent", "queen"), `--agent: agent "queen" is unknown`},
		{handicapArgs(dir, "--exec", "mine"), "--exec"},
		{handicapArgs(dir, "--max-plies", "5"), "max plies"},
		{handicapArgs(dir, "--report", "page.pdf"), "--report"},
		{handicapArgs(dir, trench), "must be those of the experiment, ntxuva/4"},
		{handicapArgs(dir, filepath.Join(dir, "none")), "is not a data set"},
	} {
		o := sandtable(t, "", c.args...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("%q: code %d, it says %q, want %q", c.args, o.code, o.err, c.want)
		}
	}
}
