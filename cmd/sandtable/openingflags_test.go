package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

// Every command that plays games reads the same policies, and refuses the same texts.
func TestWrongOpeningsAreNamedByEveryCommand(t *testing.T) {
	full := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(full, []byte("# no position\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"farm trench/standard", "compare trench/standard trench/general --dry-run", "balance --handicap trench/standard --type General",
		"arena trench/standard greedy random", "rate trench/standard greedy random", "train trench/standard",
	} {
		for flags, want := range map[string]string{
			"--openings randm:8":                     `--openings is "randm:8", must be start, sampled:K, suite, suite:FILE or random:K`,
			"--openings random:0":                    `--openings is "random:0": K is "0", must be a number of plies from 1 to 10000`,
			"--openings sampled:8,temperature=0":     `temperature is "0", must be 0.001 to 100`,
			"--openings random:8 --opening-plies 8":  "--openings and --opening-plies exclude each other",
			"--openings suite:" + full:               "contains no position",
			"--openings random:3000 --max-plies 400": "opening plies is 3001, must be less than max plies, 400",
		} {
			o := sandtable(t, "", strings.Fields(command+" "+flags)...)
			if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
				t.Errorf("%s %s: code %d, %q, want %q", command, flags, o.code, o.err, want)
			}
		}
	}
	for args, want := range map[string]string{
		"farm ntxuva/4 --openings suite":                                           "--openings: ntxuva/4 has no built-in suite; sandtable openings writes one",
		"farm trench/standard --openings suite --starts x.txt":                     "--starts and --openings suite exclude each other",
		"balance --handicap trench/standard --type General --openings suite":       "handicaps need the start of the variant: must be start, sampled:K or random:K",
		"balance somewhere --openings start":                                       "--openings needs --handicap VARIANT",
		"arena trench/standard greedy random --openings suite --starts nowhere.tx": "exclude each other",
	} {
		o := sandtable(t, "", strings.Fields(args)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: code %d, %q, want %q", args, o.code, o.err, want)
		}
	}
}

// The defaults answer the question of the command: seats from the start, strength from
// suites.
func TestDefaultOpenings(t *testing.T) {
	d := info(t, smallFarm(t, "trench/standard"))
	if d.OpeningPlies != 0 || d.OpeningPolicy != (dataset.OpeningPolicy{}) || d.Starts != 0 || d.Drawn != nil {
		t.Errorf("farm begins with %d plies, %+v, %d starts", d.OpeningPlies, d.OpeningPolicy, d.Starts)
	}
	var plan compare.Plan
	if err := json.Unmarshal([]byte(done(t, "", "compare", "trench/standard", "trench/general", "--dry-run", "--json")), &plan); err != nil {
		t.Fatal(err)
	}
	if !plan.FromStart() || !plan.MeasuresFirstMove() {
		t.Errorf("compare begins with %d plies, %+v", plan.OpeningPlies, plan.OpeningPolicy)
	}
	var r arena.Report
	if err := json.Unmarshal([]byte(done(t, "", "arena", "trench/standard", "greedy", "random", "--pairs", "2", "--json", "--out", filepath.Join(t.TempDir(), "m"))), &r); err != nil {
		t.Fatal(err)
	}
	if r.Openings != "suite" || r.Starts != 300 || r.OpeningPlies != 0 || r.FirstPlayer != nil {
		t.Errorf("arena begins with %+v", r)
	}
}

// What the old flag played, it plays.
func TestTheOldFlagHasItsOldSettings(t *testing.T) {
	d := info(t, smallFarm(t, "trench/standard", "--opening-plies", "8"))
	if d.OpeningPlies != 8 || d.OpeningBalanced || d.OpeningPolicy != (dataset.OpeningPolicy{}) {
		t.Errorf("farm begins with %d plies, %+v", d.OpeningPlies, d.OpeningPolicy)
	}
	var plan compare.Plan
	if err := json.Unmarshal([]byte(done(t, "", "compare", "ntxuva/4", "ntxuva/8", "--dry-run", "--json", "--opening-plies", "8")), &plan); err != nil {
		t.Fatal(err)
	}
	if plan.OpeningPlies != 8 || plan.OpeningPolicy != (dataset.OpeningPolicy{}) || plan.MeasuresFirstMove() {
		t.Errorf("compare begins with %d plies, %+v", plan.OpeningPlies, plan.OpeningPolicy)
	}
}

func TestAFarmTellsFirstPlayerFromSideToMove(t *testing.T) {
	for flags, want := range map[string][2]bool{ // whether the first player and the side to move have a line
		"--openings start":     {true, false},
		"--openings random:8":  {true, true},
		"--openings sampled:4": {true, true},
		"--openings suite":     {false, true},
		"--opening-plies 8":    {false, true},
		"--opening-plies 0":    {true, false},
	} {
		dir := smallFarm(t, append([]string{"trench/standard"}, strings.Fields(flags)...)...)
		text := done(t, "", "dataset", "info", dir)
		if got := [2]bool{strings.Contains(text, "\nfirst player "), strings.Contains(text, "\nside to move ")}; got != want {
			t.Errorf("%s: lines are %v, want %v:\n%s", flags, got, want, text)
		}
		if drawn := strings.Contains(text, "of those drawn for the first games were refused"); drawn != (strings.Contains(flags, "random") || strings.Contains(flags, "sampled")) {
			t.Errorf("%s:\n%s", flags, text)
		}
		if out := done(t, "", "dataset", "verify", dir); !strings.Contains(out, "60 games") {
			t.Errorf("%s: verify says %s", flags, out)
		}
	}
}

func TestGamesThatCanOnlyRepeatAreWarnedOf(t *testing.T) {
	const warning = "the agents make no random choices, so games repeat"
	for args, want := range map[string]bool{
		"farm trench/standard --agent alphabeta:depth=1,noise=0 --episodes 2":                     true,
		"farm trench/standard --agent alphabeta:depth=1,noise=0 --episodes 2 --openings random:2": false,
		"farm trench/standard --agent alphabeta:depth=1 --episodes 2":                             false,
		"farm trench/standard --agent alphabeta:depth=1,noise=0 --vs greedy --episodes 4":         false,
		"farm trench/standard --agent mcts:sims=2,noise=0 --episodes 2":                           true,
		"farm trench/standard --agent mcts:sims=2,noise=0,temperature-plies=4 --episodes 2":       false,
		"farm trench/standard --agent mcts:sims=2,noise=0,dirichlet=1083 --episodes 2":            false,
		"farm trench/standard --agent alphabeta:depth=1,noise=0 --episodes 2 --openings suite":    false,
		"farm trench/standard --agent alphabeta:depth=1,noise=0 --episodes 1":                     false,
	} {
		o := sandtable(t, "", append(strings.Fields(args), "--listen", "off", "--out", filepath.Join(t.TempDir(), "data"))...)
		if got := strings.Contains(o.err, warning); o.code != 0 || got != want {
			t.Errorf("%s: code %d, it warns: %v, want %v\n%s", args, o.code, got, want, o.err)
		}
	}
}
