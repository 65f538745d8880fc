package studies_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	reports "github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/env/games"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the JSON and Markdown of the reports")

// An outcome counts the games of an arm that ended alike.
type outcome struct {
	arm    string
	second bool    // episodes with odd numbers
	result float64 // the first player's points, NaN without a result
	games  int64
}

// played reads the outcomes of a study.
func played(t *testing.T, study string) (all []outcome) {
	t.Helper()
	file, err := os.Open(filepath.Join(study, "games.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", study, err)
	}
	const header = "arm,odd,result,reason,plies,games"
	if got := strings.Join(rows[0], ","); got != header {
		t.Fatalf("%s: the columns are %s, must be %s", study, got, header)
	}
	for _, row := range rows[1:] {
		o := outcome{arm: row[0], second: row[1] == "1", result: math.NaN()}
		if row[2] != "" {
			result, err := strconv.Atoi(row[2])
			if err != nil {
				t.Fatalf("%s: %v: %v", study, row, err)
			}
			o.result = float64(result+1) / 2
		}
		if o.games, err = strconv.ParseInt(row[5], 10, 64); err != nil {
			t.Fatalf("%s: %v: %v", study, row, err)
		}
		all = append(all, o)
	}
	return all
}

// score returns the first player's mean points in the games with a result of an arm
// that are wanted, and how many these are.
func score(all []outcome, arm string, wanted func(*outcome) bool) (mean float64, n int64) {
	for i := range all {
		if o := &all[i]; o.arm == arm && !math.IsNaN(o.result) && wanted(o) {
			mean += o.result * float64(o.games)
			n += o.games
		}
	}
	return mean / float64(n), n
}

func every(*outcome) bool { return true }

// report reads a report of a study.
func report(t *testing.T, study, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(study, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", study, err)
	}
}

// current fails where a report is one of rules that this program does not play.
func current(t *testing.T, study, variant, digest string) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	if v.Digest != digest {
		t.Errorf("%s: %s has other rules now; play the study again by the commands in README.md", study, variant)
	}
}

func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %g in the report, %g by the games", what, got, want)
	}
}

// comparisons are the studies with a comparison, by folder, with its report.
var comparisons = map[string]string{ // constant
	"trench-equal-turns": "report.json",
	"ntxuva-columns":     "report.json",
	"tankchess-readings": "compare.json",
}

func TestComparisonsSayWhatTheirGamesDo(t *testing.T) {
	for study, name := range comparisons {
		var r compare.Report
		report(t, study, name, &r)
		all := played(t, study)
		for i := range r.Plan.Variants {
			v := &r.Plan.Variants[i]
			current(t, study, v.Name, v.Digest)
			for b := range r.Plan.Budgets {
				o := r.Outcomes[i*len(r.Plan.Budgets)+b]
				arm := strconv.Itoa(i+1) + "-" + strings.ReplaceAll(v.Name, "/", "-") + "/" + strconv.FormatInt(o.Nodes, 10) + "-nodes"
				mean, n := score(all, arm, every)
				if n != o.Games {
					t.Errorf("%s: the report counts %d games of %s, the table %d", study, o.Games, arm, n)
				}
				same(t, study+": the first player's score of "+arm, o.Estimates[0].Interval.Estimate, mean)
			}
		}
	}
}

func TestHandicapsSayWhatTheirGamesDo(t *testing.T) {
	for _, reading := range []string{"portuguese", "chinese"} {
		const study = "tankchess-readings"
		var r handicap.Report
		report(t, study, reading+".json", &r)
		current(t, study, r.Variant, r.Digest)
		all := played(t, study)
		if len(r.Handicaps) != 3 {
			t.Fatalf("%s: %d handicaps, must be 3", reading, len(r.Handicaps))
		}
		for _, h := range r.Handicaps {
			arm := reading + "/" + filepath.Base(h.Arms[0].Dir)
			first, n1 := score(all, arm, func(o *outcome) bool { return !o.second })
			second, n2 := score(all, arm, func(o *outcome) bool { return o.second })
			if n1+n2 != h.Games {
				t.Errorf("%s: the report counts %d games, the table %d", arm, h.Games, n1+n2)
			}
			same(t, arm+": the score", h.Score.Estimate, (first+1-second)/2)
		}
	}
}

// written checks that the JSON and the page of a report are what this program makes of
// its numbers, or rewrites them with the flag -rewrite.
func written(t *testing.T, study, name string, encode any, page *reports.Page) {
	t.Helper()
	var encoded, markdown bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := errors.Join(e.Encode(encode), page.Markdown(&markdown)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]byte{
		filepath.Join(study, name): encoded.Bytes(), filepath.Join(study, strings.TrimSuffix(name, ".json")+".md"): markdown.Bytes(),
	} {
		if *rewrite {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): go test ./dataset/balance/studies -rewrite", path, err)
		}
	}
}

func TestReportsAreWrittenFromTheirNumbers(t *testing.T) {
	for _, name := range []string{"200.json", "2000.json"} {
		var r balance.Report
		report(t, "tankbattle-people", name, &r)
		written(t, "tankbattle-people", name, reports.BalanceJSON(&r), reports.Balance(&r))
	}
	for study, name := range comparisons {
		var r compare.Report
		report(t, study, name, &r)
		r.Health.Warnings = warnings(&r)
		written(t, study, name, reports.CompareJSON(&r), reports.Compare(&r))
	}
	for _, name := range []string{"portuguese.json", "chinese.json"} {
		var r handicap.Report
		report(t, "tankchess-readings", name, &r)
		written(t, "tankchess-readings", name, reports.HandicapJSON(&r), reports.Handicap(&r))
	}
}

// warnings returns the warnings of a comparison, whose codes its JSON leaves out. It fails
// for games that need another warning than that of repeated games.
func warnings(r *compare.Report) (list []compare.Warning) {
	for _, a := range r.Provenance.Arms {
		games := a.Played
		if a.Ladder {
			games *= 2
		}
		if a.Distinct < games*9/10 {
			list = append(list, compare.Warning{Problem: compare.RepeatedGames, Variant: a.Variant, Nodes: a.Nodes, Ladder: a.Ladder, Count: a.Distinct, Of: games})
		}
	}
	return list
}

func TestPeoplesGamesStandBesideSelfPlay(t *testing.T) {
	const study = "tankbattle-people"
	all := played(t, study)
	for _, nodes := range []string{"200", "2000"} {
		var r balance.Report
		report(t, study, nodes+".json", &r)
		current(t, study, r.Variant, r.Digest)
		mean, n := score(all, nodes+"-nodes", every)
		if n != r.Seats.Games {
			t.Errorf("%s: the report counts %d games, the table %d", nodes, r.Seats.Games, n)
		}
		same(t, nodes+": the first player's score", r.Seats.First.Score.Estimate, mean)
		if r.Seats.Against == nil || r.Seats.Against.Games != 13801 {
			t.Errorf("%s: the report has not the 13,801 games of people", nodes)
		}
	}
}
