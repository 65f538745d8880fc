package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// tiny makes comparisons of a second.
func tiny(dir string, args ...string) []string {
	return append([]string{"compare", "ntxuva/4", "--budgets", "10,20", "--games", "40", "--ladder-pairs", "6", "--max-plies", "300", "--out", dir}, args...)
}

func TestCompareTellsAllItsBlocksAndGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	page := filepath.Join(t.TempDir(), "page.html")
	o := sandtable(t, "", tiny(dir, "ntxuva/8", "--workers", "1", "--full", "--report", page)...)
	if o.code != exitDone || !strings.Contains(o.err, "208 games: 40 of self-play") || !strings.Contains(o.err, "percentage points") {
		t.Fatalf("exit code %d, it says %s", o.code, o.err)
	}
	for _, want := range []string{"ntxuva/4 compared with ntxuva/8", "WHO WINS, AND HOW OFTEN?", "B ntxuva/8, 20 nodes", "HOW DO THE VARIANTS DIFFER FROM A?", "adjusted P", "DOES IT DEPEND ON HOW STRONG THE PLAYERS ARE?",
		"WHAT ARE THE PIECES WORTH?", "attack house", "HOW DO THE GAMES FEEL?", "comebacks", "HOW LONG ARE THE GAMES?", "DOES THINKING LONGER PAY?", "WHAT SHOULD I DOUBT?", "WHICH GAMES ARE THESE?", "columns"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("compare does not tell %q:\n%s", want, o.out)
		}
	}
	if strings.Contains(o.out, "NaN") || strings.Contains(o.out, "Inf") {
		t.Errorf("compare tells of no numbers:\n%s", o.out)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.HasPrefix(string(html), "<!DOCTYPE html>") || strings.Contains(string(html), "NaN") {
		t.Errorf("the report is %.80s (%v)", html, err)
	}
	// All is there now, and what is measured does not depend on the workers.
	if again := done(t, "", tiny(dir, "ntxuva/8", "--workers", "2", "--full")...); again != o.out {
		t.Errorf("the second time compare tells\n%s", again)
	}
	if lines := strings.Split(done(t, "", tiny(dir, "ntxuva/8")...), "\n"); len(lines) > 52 {
		t.Errorf("the first screen has %d lines", len(lines))
	}
	var r compare.Report
	if err := json.Unmarshal([]byte(done(t, "", tiny(dir, "ntxuva/8", "--json")...)), &r); err != nil || r.Against.Family != 12/2 || r.Outcomes[3].Games != 40 {
		t.Errorf("the JSON is of %+v (%v)", r.Outcomes, err)
	}
	o = sandtable(t, "", tiny(dir, "ntxuva/8", "--seed", "2")...)
	if o.code != exitUsage || !strings.Contains(o.err, `plan.json seed is "1", here "2"`) {
		t.Errorf("another plan: exit code %d, it says %s", o.code, o.err)
	}
}

func TestCompareThatIsStoppedSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, err bytes.Buffer
	code := run(ctx, tiny(dir, "--json"), streams{in: strings.NewReader(""), out: &out, err: &err})
	if code != exitInterrupted || !strings.Contains(err.String(), "stopped; "+dir+" contains the games so far, and the same command resumes") || out.Len() > 0 {
		t.Errorf("exit code %d, it says %s", code, err.String())
	}
	done(t, "", tiny(dir, "--json")...)
}

func TestCompareHoldsAgainstExpectations(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	o := sandtable(t, "", tiny(dir, "--expect", "length<100", "--expect", "draws@20 <= 0.9")...)
	if o.code != exitDone || !strings.Contains(o.out, "Expectations: 3 of 3 passed.") {
		t.Errorf("exit code %d, it says %s\n%s", o.code, o.err, o.out)
	}
	o = sandtable(t, "", tiny(dir, "--expect", "length>100", "--expect", "first_score@10>0.5", "--expect", "completion>0.5")...)
	if o.code != exitFault {
		t.Fatalf("exit code %d, it says %s\n%s", o.code, o.err, o.out)
	}
	for _, want := range []string{"sandtable: length>100 of ntxuva/4 with 10 nodes: failed", "sandtable: length>100 of ntxuva/4 with 20 nodes: failed", "undecided"} {
		if !strings.Contains(o.err, want) {
			t.Errorf("compare does not say %q: %s", want, o.err)
		}
	}
	if strings.Contains(o.err, "completion") || !strings.Contains(o.out, "Expectations: 2 of 5 passed.") {
		t.Errorf("compare says %s\n%s", o.err, o.out)
	}
}

func TestCompareStatesAPlanWithoutPlaying(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	out := done(t, "", tiny(dir, "ntxuva/4", "--dry-run", "--sequential", "--games", "400", "--margin", "length=3")...)
	for _, want := range []string{"ntxuva/4 (2) (sha256:", ", the baseline", "nodes=20,", "1,648 games", "first of 4 looks"} {
		if !strings.Contains(out, want) {
			t.Errorf("the plan does not tell %q:\n%s", want, out)
		}
	}
	var p compare.Plan
	if err := json.Unmarshal([]byte(done(t, "", tiny(dir, "ntxuva/4", "--dry-run", "--json", "--sequential", "--margin", "length=3")...)), &p); err != nil ||
		len(p.Looks) != 4 || p.Margins["length"] != 3 || p.Variants[1].Name != "ntxuva/4 (2)" || !strings.Contains(p.Budgets[1].Double, "nodes=40,") {
		t.Errorf("the plan is %+v (%v)", p, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made")
	}
}

func TestCompareWarnsOfAgentsThatThinkInSeconds(t *testing.T) {
	if few := done(t, "", "compare", "ntxuva/4", "ntxuva/8", "--games", "3", "--dry-run"); !strings.Contains(few, "too few games to detect any difference") || strings.Contains(few, "e+") {
		t.Errorf("of three games the plan tells\n%s", few)
	}
	o := sandtable(t, "", "compare", "ntxuva/4", "ntxuva/8", "--agent", "alphabeta:time=1s", "--budgets", "none", "--dry-run")
	if o.code != exitDone || !strings.Contains(o.err, "has a time limit") {
		t.Errorf("exit code %d, it says %s", o.code, o.err)
	}
	if o = sandtable(t, "", "compare", "ntxuva/4", "ntxuva/8", "--agent", "alphabeta:time=1s", "--dry-run"); o.code != exitDone || o.err != "" || !strings.Contains(o.out, "time=0s") {
		t.Errorf("exit code %d, it says %s%s", o.code, o.err, o.out)
	}
}

func TestCompareCallsVariantsApart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.json")
	rules := strings.Replace(done(t, "", "rules", "ntxuva/4"), `"columns": 4`, `"columns": 5`, 1)
	if err := os.WriteFile(file, []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	var p compare.Plan
	out := done(t, "", "compare", "ntxuva/4", "@"+file, "ntxuva/4", "@"+file, "ntxuva/8", "--dry-run", "--json")
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"ntxuva/4", "@" + file, "ntxuva/4 (2)", "@" + file + " (2)", "ntxuva/8"} {
		if p.Variants[i].Name != want {
			t.Errorf("variant %d is called %s, want %s", i+1, p.Variants[i].Name, want)
		}
	}
}

func TestCompareWithAnAgentThatDoesNotSearch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	out := done(t, "", "compare", "ntxuva/4", "ntxuva/8", "--agent", "greedy", "--budgets", "none", "--games", "40", "--out", dir, "--full")
	for _, want := range []string{"the agent reports no search values", "The plan has no ladder", "agent: greedy"} {
		if !strings.Contains(out, want) {
			t.Errorf("compare does not tell %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "nodes") && strings.Contains(out, "0 nodes") {
		t.Errorf("compare tells of nodes:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, experiment.PlanName)); err != nil {
		t.Error(err)
	}
}

func TestCompareRefusesWhatCannotBeCompared(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                                                    "needs VARIANT",
		"ntxuva/4":                                            "needs a second VARIANT",
		"ntxuva/4 chess":                                      `game "chess" is unknown`,
		"ntxuva/4 ntxuva/8 --agent luck":                      `--agent: agent "luck" is unknown`,
		"ntxuva/4 ntxuva/8 --agent greedy":                    "--agent greedy has no option nodes for --budgets to set; use --budgets none to play it as it is",
		"ntxuva/basic ntxuva/8 --agent best":                  "one agent must play all variants",
		"ntxuva/4 ntxuva/8 --budgets 20,10":                   `"20,10" must rise`,
		"ntxuva/4 ntxuva/8 --budgets 0":                       `--budgets: "0" must be none or numbers`,
		"ntxuva/4 ntxuva/8 --budgets 1000000000000":           "twice 1000000000000 is too large",
		"ntxuva/4 ntxuva/8 --budgets 1,2,3,4,5,6,7,8,9":       "must have at most 8",
		"ntxuva/4 ntxuva/8 --budgets none --ladder-pairs 3":   "--ladder-pairs needs --budgets",
		"ntxuva/4 ntxuva/8 --games 0":                         "games is 0",
		"ntxuva/4 ntxuva/8 --games 1000000000":                "must be at most",
		"ntxuva/4 ntxuva/8 --ladder-pairs -1":                 "ladder_pairs is -1",
		"ntxuva/4 ntxuva/8 --margin first_score":              "must be of the form METRIC=NUMBER",
		"ntxuva/4 ntxuva/8 --margin joy=1":                    "margin joy: the metric is unknown",
		"ntxuva/4 ntxuva/8 --margin draws=1 --margin draws=2": "gives draws twice",
		"ntxuva/4 ntxuva/8 --margin draws=NaN":                "margin draws is NaN",
		"ntxuva/4 ntxuva/8 --power 2":                         "power is 2",
		"ntxuva/4 ntxuva/8 --looks 3":                         "--looks needs --sequential",
		"ntxuva/4 ntxuva/8 --sequential --looks 1":            "--looks is 1, must be 2 to 20",
		"ntxuva/4 --sequential --json":                        "looks need two variants",
		"ntxuva/4 --expect draws":                             "it has no operator <, <=, > or >=",
		"ntxuva/4 --expect joy<1":                             `metric "joy" is unknown`,
		"ntxuva/4 --expect draws@7<1":                         "no budget has 7 nodes",
		"ntxuva/4 --expect ntxuva/8:draws<1":                  "variant ntxuva/8 is not compared",
		"ntxuva/4 ntxuva/8 --unit Queen":                      `unknown unit: "Queen"`,
		"ntxuva/4 ntxuva/8 --report page.pdf":                 "must end in .html or .md",
		"ntxuva/4 ntxuva/8 --workers 0":                       "--workers is 0",
		"ntxuva/4 ntxuva/8 --exec mine":                       "must be of the form NAME=COMMAND",
		"ntxuva/4 ntxuva/8 --agent exec:mine --budgets none":  "external program has no command on this machine",
		"ntxuva/4 ntxuva/8 --opening-plies 3000":              "opening plies is 3000",
		"ntxuva/4 ntxuva/8 --out " + full:                     "contains thesis.txt",
	} {
		args := append([]string{"compare"}, strings.Fields(args)...)
		o := sandtable(t, "", args...)
		if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
			t.Errorf("%q: exit code %d, it says %s, want %q", args, o.code, o.err, want)
		}
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder was made")
	}
}
