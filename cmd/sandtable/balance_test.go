package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func TestBalanceTellsOfSeatsValuesAndActivity(t *testing.T) {
	dir := smallFarm(t, "trench/standard", "--agent", "greedy", "--episodes", "200", "--openings", "random:8")
	first := done(t, "", "balance", dir)
	out := done(t, "", "balance", dir, "--full")
	if lines := strings.Split(first, "\n"); len(lines) > 45 || !strings.HasPrefix(out, first[:strings.Index(first, "\nAll numbers:")]) {
		t.Errorf("the first screen has %d lines:\n%s", len(lines), first)
	}
	for _, want := range []string{"Balance of trench/standard", "sha256:", dir, "200 games, ", "200 independent games", "IS IT FAIR TO MOVE FIRST?", "first player's score", "points",
		"WHAT ARE THE PIECES WORTH?", "in units of Soldier", "the whole game: n = ", "Colonel", "being to move", "gain", "WHAT DO THE PIECES DO?", "200 games with",
		"share of turns", "half-life", "killer", "agents: greedy"} {
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
	out := done(t, "", "balance", dir, "--full")
	for _, want := range []string{"shots per game", "rear", "only 4 independent", "both sides always have equally many"} {
		if !strings.Contains(out, want) {
			t.Errorf("balance does not tell %q:\n%s", want, out)
		}
	}
}

func TestBalanceTellsOfPeopleBesideSelfPlay(t *testing.T) {
	dir := smallFarm(t, "tankbattle/standard", "--agent", "greedy", "--episodes", "60")
	file := filepath.Join(t.TempDir(), "people.html")
	out := done(t, "", "balance", dir, "--against", "6343, 925,6533", "--against-name", "BrainKing", "--full", "--report", file)
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{out, string(page)} {
		for _, want := range []string{"Compared with BrainKing", "13,801", "(45.1 to 46.8)", "difference", "chi-square", "assumed to be independent"} {
			if !strings.Contains(text, want) {
				t.Errorf("balance does not tell %q:\n%.3000s", want, text)
			}
		}
	}
	var r balance.Report
	if err := json.Unmarshal([]byte(done(t, "", "balance", dir, "--against", "6343,925,6533", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if a := r.Seats.Against; a == nil || a.Name != "others" || a.Games != 13801 || a.Score.N != r.Seats.Games+13801 || a.Same.P < 0 || a.Same.P > 1 {
		t.Errorf("beside others there is %+v", a)
	}
	for args, want := range map[string]string{
		"--against 1,2":                              "must be three counts",
		"--against 1,2,x":                            `"x" is not a count`,
		"--against 1,2,-3":                           "is -3, must be 0 to",
		"--against 0,0,0":                            "has 0 games",
		"--against 1,2,99999999999999999999":         "is not a count",
		"--against-name people":                      "is missing",
		"--against 1,2,3 --against-name=":            "is empty",
		"--against 1,2,3 --handicap trench/standard": "is for data sets",
	} {
		o := sandtable(t, "", append([]string{"balance", dir}, strings.Fields(args)...)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
			t.Errorf("balance %s: code %d, it says %q, want %q", args, o.code, o.err, want)
		}
	}
}

func TestBalanceRefusesWhatDoesNotGoTogether(t *testing.T) {
	dir, other := smallFarm(t, "ntxuva/4", "--episodes", "4"), smallFarm(t, "ntxuva/8", "--episodes", "4")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{dir, other}, "all must have the same rules"},
		{[]string{dir, dir}, "both hold run"},
		{[]string{dir, "--unit", "Queen"}, `unknown unit: "Queen" is not a piece type of ntxuva/4, must be one of attack house`},
		{[]string{dir, filepath.Join(dir, "none")}, "is not a data set"},
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
		if err != nil || !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), "What should I doubt?") {
			t.Errorf("%s: %v, it begins %.40q", file, err, text)
		}
	}
	// A report that cannot be written does not keep the answer back.
	file := filepath.Join(t.TempDir(), "balance.html")
	if err := os.Mkdir(file+dataset.TempSuffix, 0o777); err != nil {
		t.Fatal(err)
	}
	if o := sandtable(t, "", "balance", dir, "--report", file); o.code != exitFailed || o.out != out || !strings.Contains(o.err, file) {
		t.Errorf("without a place for the report: code %d, it tells %q and says %q", o.code, o.out, o.err)
	}
}
