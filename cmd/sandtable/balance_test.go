package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func TestBalanceTellsOfSeatsValuesAndActivity(t *testing.T) {
	dir := smallFarm(t, "trench/standard", "--agent", "greedy", "--episodes", "200")
	out := done(t, "", "balance", dir)
	for _, want := range []string{"Balance of trench/standard", "sha256:", dir, "200, ", "200 independent games", "SEATS", "first player's score", "points",
		"VALUES", "In units of Soldier", "clusters are openings", "the whole game: n = ", "Colonel", "being to move", "VIF", "gain", "ACTIVITY", "In 200 games",
		"share of turns", "half-life", "who takes", "greedy."} {
		if !strings.Contains(out, want) {
			t.Errorf("balance does not tell %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
		t.Errorf("balance tells of no numbers:\n%s", out)
	}
	var r balance.Report
	if err := json.Unmarshal([]byte(done(t, "", "balance", dir, "--json", "--unit", "General")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Values.Unit != "General" || r.Data.Episodes != 200 || r.Seats.First.Score.N != 200 || len(r.Placement.Types[0].Presence.Low) != 64 {
		t.Errorf("the report is of %+v", r.Data)
	}
}

func TestBalanceTellsOfShotsAndFaces(t *testing.T) {
	dir := smallFarm(t, "tankchess/16x16", "--agent", "greedy", "--episodes", "4")
	out := done(t, "", "balance", dir)
	for _, want := range []string{"shots a game", "in the rear", "only 4 independent", "the difference never varies"} {
		if !strings.Contains(out, want) {
			t.Errorf("balance does not tell %q:\n%s", want, out)
		}
	}
}

func TestBalanceRefusesWhatDoesNotGoTogether(t *testing.T) {
	dir, other := smallFarm(t, "ntxuva/4", "--episodes", "4"), smallFarm(t, "ntxuva/8", "--episodes", "4")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{dir, other}, "data of one rule set are pooled"},
		{[]string{dir, dir}, "same run"},
		{[]string{dir, "--unit", "Queen"}, `--unit "Queen": no such piece type of ntxuva/4, must be one of "attack house"`},
		{[]string{dir, filepath.Join(dir, "none")}, "is no data set"},
		{[]string{dir, "--report", "balance.pdf"}, `--report is "balance.pdf", must end in .html or .md`},
		{[]string{dir, "--report", filepath.Join(dir, "none", "balance.html")}, "--report: "},
	} {
		o := sandtable(t, "", append([]string{"balance"}, c.args...)...)
		if o.code != exitUsage || !strings.Contains(o.err, c.want) || o.out != "" {
			t.Errorf("balance %q: code %d, it says %q, want %q", c.args, o.code, o.err, c.want)
		}
	}
}

func TestBalanceWritesReports(t *testing.T) {
	dir := smallFarm(t, "ntxuva/4", "--episodes", "40")
	out := done(t, "", "balance", dir)
	for file, want := range map[string]string{"balance.html": "<!DOCTYPE html>", "balance.md": "# Balance of ntxuva/4"} {
		file = filepath.Join(t.TempDir(), file)
		if with := done(t, "", "balance", dir, "--report", file); with != out {
			t.Errorf("with a report balance tells\n%s", with)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), "Method") {
			t.Errorf("%s: %v, it begins %.40q", file, err, text)
		}
	}
}
