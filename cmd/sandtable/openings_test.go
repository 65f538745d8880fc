package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// positionsOf returns the position texts of a suite.
func positionsOf(t *testing.T, suite string) []string {
	t.Helper()
	positions, err := openings.Read(strings.NewReader(suite))
	if err != nil {
		t.Fatal(err)
	}
	return positions
}

func TestStoredSuitesAreWhatTheirCommandsMake(t *testing.T) {
	const few = 2
	for name, text := range openings.Suites {
		suite := string(text)
		_, command, _ := strings.Cut(suite, "\n# command: sandtable ")
		command, _, _ = strings.Cut(command, "\n")
		short := strings.Replace(command, "--count 300", "--count 2", 1)
		made := done(t, "", strings.Fields(short+" --workers 1")...)
		if want := positionsOf(t, suite)[:few]; !slices.Equal(positionsOf(t, made), want) {
			t.Errorf("%s: sandtable %s makes\n%s\nbut the suite begins with\n%s\nAfter a change of the search: go generate ./selfplay/openings",
				name, short, made, strings.Join(want, "\n"))
		}
	}
}

func TestOpeningsAreStartsOfMatches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "openings.txt")
	variant := `ntxuva/basic{"columns":5}`
	args := []string{"openings", variant, "--count", "3", "--plies", "5", "--within", "1.5", "--agent", "alphabeta:depth=2,noise=0", "--workers", "1"}
	text := done(t, "", args...)
	if !strings.Contains(text, "\n# command: sandtable openings '"+variant+"' --count 3 --plies 5 --within 1.5 --agent alphabeta:depth=2,") {
		t.Errorf("openings writes\n%s", text)
	}
	if out := done(t, "", append(args, "--out", file)...); out != "" {
		t.Errorf("openings --out prints %q", out)
	}
	if written, err := os.ReadFile(file); err != nil || string(written) != text {
		t.Errorf("%v, the file holds\n%s", err, written)
	}
	match := []string{variant, "greedy", "random", "--pairs", "7", "--out", filepath.Join(t.TempDir(), "match")}
	given := matchReport(t, append(match, "--starts", file)...)
	if given.Openings != "starts" || given.Starts != 3 || given.OpeningPlies != 0 || given.DistinctOpenings != 3 {
		t.Errorf("the report is %+v", given)
	}
	if out := done(t, "", append([]string{"arena"}, append(match, "--starts", file)...)...); !strings.Contains(out, "openings        3 given positions, 3 distinct") {
		t.Errorf("arena prints\n%s", out)
	}
}

func TestMatchesBeginByTheirPolicy(t *testing.T) {
	for _, c := range []struct{ args, policy, words string }{
		{`ntxuva/basic{"columns":5}`, "sampled", "8 and 9 sampled plies in turn from the start, at temperature 0.2, with a swing of at most 2 points, 3 distinct"},
		{"ntxuva/basic --openings sampled:8,temperature=0.5,swing=3", "sampled", "8 and 9 sampled plies in turn from the start, at temperature 0.5, with a swing of at most 3 points, 3 distinct"},
		{"ntxuva/basic --openings random:8", "random", "8 and 9 random plies in turn from the start, with a swing of at most 2.4 points, 3 distinct"},
		{"ntxuva/basic --opening-plies 8", "", "8 random plies with a level score from the start, 3 distinct"},
	} {
		args := append(strings.Fields(c.args), "greedy", "random", "--pairs", "3", "--out", filepath.Join(t.TempDir(), "match"))
		if r := matchReport(t, args...); r.Openings != "start" || r.OpeningPlies != 8 || r.OpeningPolicy.Name != c.policy || r.Starts != 0 || r.DistinctOpenings != 3 {
			t.Errorf("%v: %s, %d plies, %+v, %d starts, %d different", args, r.Openings, r.OpeningPlies, r.OpeningPolicy, r.Starts, r.DistinctOpenings)
		}
		if out := done(t, "", append([]string{"arena"}, args...)...); !strings.Contains(out, c.words) {
			t.Errorf("arena prints\n%s", out)
		}
	}
}

func TestOpeningsSaysWhatIsWrong(t *testing.T) {
	for args, want := range map[string]string{
		"":                                      "needs VARIANT",
		"chess":                                 `game "chess" is unknown`,
		"ntxuva/4 --count 0":                    "count is 0",
		"ntxuva/4 --plies 0":                    "plies is 0",
		"ntxuva/4 --within -1":                  "--within is -1, must be 0 to 9000 points",
		"ntxuva/4 --within NaN":                 "--within is NaN",
		"ntxuva/4 --workers 0":                  "--workers is 0",
		"ntxuva/4 --agent fly":                  `--agent: agent "fly" is unknown`,
		"ntxuva/4 --agent greedy":               "does not evaluate positions by a search",
		"ntxuva/4 --agent alphabeta:time=100ms": "has a time limit",
		"ntxuva/4 --out missing/mine.txt":       "--out: stat missing: ",
	} {
		o := sandtable(t, "", append([]string{"openings"}, strings.Fields(args)...)...)
		if o.code != exitUsage || !strings.Contains(o.err, want) || o.out != "" {
			t.Errorf("openings %s: exit code %d, %s%s; must say %s", args, o.code, o.out, o.err, want)
		}
	}
	o := sandtable(t, "", "openings", "ntxuva/4", "--plies", "1", "--count", "50", "--agent", "alphabeta:depth=1", "--workers", "1")
	if o.code != exitFailed || !strings.Contains(o.err, "of 10000 random openings of 1 plies are distinct and level") {
		t.Errorf("exit code %d, %s", o.code, o.err)
	}
}
