package studies_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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

// comparisons are the studies with comparisons, by folder, with their reports.
var comparisons = map[string][]string{ // constant
	"trench-equal-turns":   policies,
	"ntxuva-columns":       policies,
	"first-move-by-budget": {"trench-standard", "ntxuva-basic", "tankbattle-standard", "tankchess-16x16", "tankchess-20x20"},
}

// policies name the reports from the start of the rules and from sampled openings.
var policies = []string{"start", "sampled"} // constant

func TestComparisonsSayWhatTheirGamesDo(t *testing.T) {
	for study, names := range comparisons {
		all := played(t, study)
		for _, name := range names {
			var r compare.Report
			report(t, study, name+".json", &r)
			for i := range r.Plan.Variants {
				v := &r.Plan.Variants[i]
				current(t, study, v.Name, v.Digest)
				for b := range r.Plan.Budgets {
					o := r.Outcomes[i*len(r.Plan.Budgets)+b]
					arm := name + "/" + strings.ReplaceAll(v.Name, "/", "-") + "/" + strconv.FormatInt(o.Nodes, 10) + "-nodes"
					mean, n := score(all, arm, every)
					if n != o.Games {
						t.Errorf("%s: the report counts %d games of %s, the table %d", study, o.Games, arm, n)
					}
					same(t, study+": the first player's score of "+arm, o.Estimates[0].Interval.Estimate, mean)
				}
			}
		}
	}
}

// readings are the reports of the handicaps of Tank Chess, without the policy.
var readings = []string{"portuguese", "chinese"} // constant

func TestHandicapsSayWhatTheirGamesDo(t *testing.T) {
	const study = "tankchess-readings"
	all := played(t, study)
	for _, reading := range readings {
		for _, policy := range policies {
			name := reading + "-" + policy
			var r handicap.Report
			report(t, study, name+".json", &r)
			current(t, study, r.Variant, r.Digest)
			if len(r.Handicaps) != 3 || r.Strength == nil {
				t.Fatalf("%s: %d handicaps, must be 3 with two budgets", name, len(r.Handicaps))
			}
			for i := range r.Handicaps {
				h := &r.Handicaps[i]
				for b, nodes := range r.Strength.Nodes {
					arm := fmt.Sprintf("%s/%d-nodes/%s", name, nodes, filepath.Base(h.Arms[0].Dir))
					first, n1 := score(all, arm, func(o *outcome) bool { return !o.second })
					second, n2 := score(all, arm, func(o *outcome) bool { return o.second })
					if n1+n2 != h.Games {
						t.Errorf("%s: the report counts %d games, the table %d", arm, h.Games, n1+n2)
					}
					same(t, arm+": the loss", r.Strength.Moves[i].Loss[b].Estimate, 0.5-(first+1-second)/2)
				}
			}
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
	for _, policy := range policies {
		for _, nodes := range []string{"200", "2000"} {
			const study = "tankbattle-people"
			var r balance.Report
			name := policy + "-" + nodes + ".json"
			report(t, study, name, &r)
			written(t, study, name, reports.BalanceJSON(&r), reports.Balance(&r))
		}
		for _, reading := range readings {
			const study = "tankchess-readings"
			var r handicap.Report
			name := reading + "-" + policy + ".json"
			report(t, study, name, &r)
			written(t, study, name, reports.HandicapJSON(&r), reports.Handicap(&r))
		}
	}
	for study, names := range comparisons {
		for _, name := range names {
			var r compare.Report
			report(t, study, name+".json", &r)
			r.Health.Warnings = warnings(&r)
			written(t, study, name+".json", reports.CompareJSON(&r), reports.Compare(&r))
		}
	}
}

// warnings returns the warnings of a comparison, whose codes its JSON leaves out: of few and
// of repeated games. Games that need another warning make the reports differ.
func warnings(r *compare.Report) (list []compare.Warning) {
	for i, a := range r.Provenance.Arms {
		w := compare.Warning{Variant: a.Variant, Nodes: a.Nodes, Ladder: a.Ladder, Of: a.Played}
		if results := r.Outcomes[i].Games; results < compare.FewGames {
			w.Problem, w.Count = compare.FewResults, results
			list = append(list, w)
		}
		if float64(a.Distinct) < 0.99*float64(a.Played) {
			w.Problem, w.Count = compare.RepeatedGames, a.Distinct
			list = append(list, w)
		}
	}
	return list
}

func TestPeoplesGamesStandBesideSelfPlay(t *testing.T) {
	const study = "tankbattle-people"
	all := played(t, study)
	for _, policy := range policies {
		for _, nodes := range []string{"200", "2000"} {
			var r balance.Report
			name := policy + "-" + nodes
			report(t, study, name+".json", &r)
			current(t, study, r.Variant, r.Digest)
			mean, n := score(all, policy+"/"+nodes+"-nodes", every)
			if n != r.Seats.Games {
				t.Errorf("%s: the report counts %d games, the table %d", name, r.Seats.Games, n)
			}
			same(t, name+": the first player's score", r.Seats.First.Score.Estimate, mean)
			if r.Seats.Against == nil || r.Seats.Against.Games != 13801 {
				t.Errorf("%s: the report has not the 13,801 games of people", name)
			}
		}
	}
}
