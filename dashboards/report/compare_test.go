package report_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// armOf plays an arm of a comparison.
func armOf(t *testing.T, v *compare.Variant, agents [2]string, seed uint64, episodes int64) balance.Source {
	t.Helper()
	settings := &dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: agents, OpeningPlies: 3, MaxPlies: 300, Seed: seed, JobEpisodes: 2}
	plan, err := selfplay.Open(settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	return balance.Source{Name: "arm", Settings: settings, Count: episodes, Episodes: func(yield func(*dataset.Episode, error) bool) {
		err := selfplay.PlayAll(t.Context(), plan, settings.Run(), 0, episodes, 1, func(ep *dataset.Episode) error {
			yield(ep, nil)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}}
}

// comparison compares variants by so many games with each of two budgets, with a
// ladder of three pairs; without games there are none of the ladder either.
func comparison(t *testing.T, episodes int64, variants ...string) *compare.Report {
	t.Helper()
	agent := func(nodes string) string {
		return "alphabeta:depth=0,eval=score,hash=0,nodes=" + nodes + ",noise=10,table=none,time=0s"
	}
	plan := &compare.Plan{Games: 30, LadderPairs: 3, OpeningPlies: 3, MaxPlies: 300, Seed: 1, Power: 0.8, Budgets: []compare.Budget{
		{Nodes: 10, Agent: agent("10"), Double: agent("20")}, {Nodes: 1000, Agent: agent("1000"), Double: agent("2000")},
	}}
	for _, name := range variants {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		plan.Variants = append(plan.Variants, compare.Variant{Name: v.Name, Digest: v.Digest, Rules: v.Rules})
	}
	var played [][]compare.Played
	seed := uint64(0)
	for v := range plan.Variants {
		var budgets []compare.Played
		for b := range plan.Budgets {
			budget := plan.Budgets[b]
			seed += 2
			selfPlay := armOf(t, &plan.Variants[v], [2]string{budget.Agent, budget.Agent}, seed, episodes)
			ladder := armOf(t, &plan.Variants[v], [2]string{budget.Double, budget.Agent}, seed+1, min(episodes, 6))
			var p compare.Played
			var err error
			if p.SelfPlay, err = compare.Measure(t.Context(), selfPlay, plan.Games); err == nil {
				p.Ladder, err = compare.MeasureLadder(t.Context(), ladder, plan.LadderPairs)
			}
			if err == nil {
				p.Values, err = balance.AnalyzeValues(t.Context(), []balance.Source{selfPlay}, balance.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			budgets = append(budgets, p)
		}
		played = append(played, budgets)
	}
	r, err := compare.Compare(plan, 0, played)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestThePageOfAComparisonTellsAllItKnows(t *testing.T) {
	r := comparison(t, 30, "ntxuva/4", `ntxuva/4{"columns":5}`)
	e, err := compare.ParseExpectation("draws<0.9")
	if err != nil {
		t.Fatal(err)
	}
	if passed, err := r.Expect(e); !passed || err != nil {
		t.Errorf("%+v (%v)", r.Checks, err)
	}
	end := &r.Outcomes[0].Reasons[0] // as ends are that the rules call drawn
	end.Reason, end.Draws = "no_such_end", end.Games
	p := report.Compare(r)
	// 2 of outcomes, 3 of differences, a value and a length for each budget, and the ladder.
	html := written(t, p.HTML)
	wellFormed(t, html, 10)
	figuresTellN(t, html)
	text, markdown := formsTellTheSame(t, p)
	for _, want := range []string{`ntxuva/4 compared with ntxuva/4{"columns":5}`, "DO THE EXPECTATIONS HOLD?", "passed", "WHO WINS, AND HOW OFTEN?", "B ntxuva/4{…}, 1,000 nodes", "columns: 5 instead of 4", "HOW DO THE VARIANTS DIFFER FROM A?", "points", "verdict", "no such end", "all drawn",
		"DOES IT DEPEND ON HOW STRONG THE PLAYERS ARE?", "WHAT ARE THE PIECES WORTH?", "HOW DO THE GAMES FEEL?", "variety of first actions", "DOES THINKING LONGER PAY?", "WHAT SHOULD I DOUBT?", "WHICH GAMES ARE THESE?"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not tell %q:\n%s", want, text)
		}
	}
	for _, m := range r.Metrics {
		if !strings.Contains(strings.ReplaceAll(written(t, report.Methods().Markdown), `\`, ""), "| "+m.Name+" | "+m.Unit+", "+m.Range+" | ") {
			t.Errorf("the method does not define %s", m.Name)
		}
	}
	for _, want := range []string{"sandtable methods", "has a limit of 300 plies"} {
		if !strings.Contains(strings.ToLower(markdown), strings.ToLower(want)) {
			t.Errorf("the page does not name %s", want)
		}
	}
}

func TestThePageOfAComparisonWithoutGamesSaysSo(t *testing.T) {
	r := comparison(t, 0, "trench/standard", "ntxuva/4")
	if _, err := r.Expect(); err != nil {
		t.Fatal(err)
	}
	p := report.Compare(r)
	wellFormed(t, written(t, p.HTML), 0)
	text, _ := formsTellTheSame(t, p)
	for _, want := range []string{"no game", "0", "another game"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not tell %q:\n%s", want, text)
		}
	}
}

func TestThePageOfASingleVariantDescribesIt(t *testing.T) {
	text := written(t, report.Compare(comparison(t, 20, "ntxuva/4")).Full)
	if !strings.HasPrefix(text, "Description of ntxuva/4\n") || strings.Contains(text, "BASELINE") || strings.Contains(text, "difference of values") {
		t.Errorf("the page tells\n%s", text)
	}
}
