package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func TestBalancePlaysChangesOfAttributes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "experiment")
	out := done(t, "", "balance", "--handicap", "tankchess/16x16", "--agent", "random", "--type", "Light Tank", "--change", "speed-1,speed+1", "--pairs", "2", "--control", "0", "--max-plies", "60", "--full", "--out", dir)
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
