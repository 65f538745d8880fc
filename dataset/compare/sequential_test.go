package compare_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestALookEndsAComparisonWhenAllIsDecided(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "ntxuva/8"}, 200, 0, [2]string{"random", ""})
	p.Looks = []float64{.25, .5, 1}
	played := func(look int) [][]compare.Played { return playAll(t, p, look, false) }
	// Games on more columns are longer; how often they are drawn may differ by a half.
	p.Margins = map[string]float64{"first_score": .5, "draws": .5}
	decided, standings, err := p.Decide(0, played(0))
	if err != nil || !decided || len(standings) != 3 {
		t.Fatalf("decided: %v (%v), %+v", decided, err, standings)
	}
	level := 1 - .05/3
	looks, err := stats.Sequential{Level: level}.Looks([]float64{.25, .5, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range standings {
		outside := s.Metric == "length"
		if d := s.Difference; d.Level != looks[0].Level || (d.Low > 0) != outside || !outside && (d.Low < -.5 || d.High > .5) || s.Margin == 0 {
			t.Errorf("standing is %+v at level %v", s, looks[0].Level)
		}
	}
	r := report(t, p, 0, played(0))
	encoded(t, r)
	single, err := stats.Sequential{Level: .95}.Looks([]float64{.25})
	if err != nil || r.Level != single[0].Level || r.Outcomes[0].Estimates[0].Interval.Level != r.Level || r.Level < .9999 {
		t.Errorf("the level is %v, must be %v (%v)", r.Level, single[0].Level, err)
	}
	if s := r.Sequential; s.Look != 1 || s.Games != 50 || s.Planned != 200 || !s.Decided || s.Undecided != 0 || s.Comparisons != 3 {
		t.Errorf("sequential is %+v", s)
	}
	for _, c := range r.Against.Comparisons {
		if outside := c.Difference.Low > 0 || c.Difference.High < 0; outside != (c.Test.P <= .05) || !strings.HasPrefix(c.Test.Method, "repeated, ") {
			t.Errorf("interval and test disagree: %+v", c)
		}
	}
	p.Margins = nil
	if decided, _, err := p.Decide(0, played(0)); err != nil || decided {
		t.Errorf("with margins of 0.05 fifty games decide (%v)", err)
	}
	if r := report(t, p, 1, played(1)); r.Sequential.Decided || r.Sequential.Look != 2 || r.Sequential.Undecided != 2 || r.Sequential.Games != 100 {
		t.Errorf("sequential is %+v", r.Sequential)
	}
	if r := report(t, p, 2, played(2)); r.Sequential.Look != 3 || r.Sequential.Undecided == 0 || r.Level < .95 || r.Level > .956 {
		t.Errorf("at the last look the level is %v: %+v", r.Level, r.Sequential)
	}
	if _, _, err := p.Decide(0, played(1)); err == nil || !strings.Contains(err.Error(), "must have 50 at this look") {
		t.Errorf("the error is %v", err)
	}
}

func TestPlansAreChecked(t *testing.T) {
	for want, change := range map[string]func(p *compare.Plan){
		"the plan has no variants":                func(p *compare.Plan) { p.Variants = nil },
		"the plan has no budgets":                 func(p *compare.Plan) { p.Budgets = nil },
		"games is 0":                              func(p *compare.Plan) { p.Games = 0 },
		"ladder_pairs is -1":                      func(p *compare.Plan) { p.LadderPairs = -1 },
		"opening_plies is -1":                     func(p *compare.Plan) { p.OpeningPlies = -1 },
		"max_plies is -1":                         func(p *compare.Plan) { p.MaxPlies = -1 },
		"power is 0.05":                           func(p *compare.Plan) { p.Power = .05 },
		"power is NaN":                            func(p *compare.Plan) { p.Power = math.NaN() },
		`variant 2 ("x") needs`:                   func(p *compare.Plan) { p.Variants[1].Name, p.Variants[1].Digest = "x", "" },
		"budget 1 has no agent":                   func(p *compare.Plan) { p.Budgets[0].Agent = "" },
		"is -1 nodes":                             func(p *compare.Plan) { p.Budgets[0].Nodes = -1 },
		"10 nodes follow 20":                      func(p *compare.Plan) { p.Budgets[0].Nodes = 20 },
		"twice the 0 nodes":                       func(p *compare.Plan) { p.LadderPairs = 5 },
		`two variants are named ntxuva/4`:         func(p *compare.Plan) { p.Variants[1].Name = "ntxuva/4" },
		"margin drawz: the metric is unknown":     func(p *compare.Plan) { p.Margins = map[string]float64{"drawz": .1} },
		"margin doubling_score":                   func(p *compare.Plan) { p.Margins = map[string]float64{"doubling_score": .1} },
		"margin draws is 0":                       func(p *compare.Plan) { p.Margins = map[string]float64{"draws": 0} },
		"the last look is after a share of 0.5":   func(p *compare.Plan) { p.Looks = []float64{.2, .5} },
		"looks 1 and 2 are both after":            func(p *compare.Plan) { p.Looks = []float64{.5, .5, 1} },
		"looks need two variants":                 func(p *compare.Plan) { p.Variants, p.Looks = p.Variants[:1], []float64{.5, 1} },
		"information of look 1 is 0":              func(p *compare.Plan) { p.Looks = []float64{0, 1} },
		"looks 2 and 3 are both after 100 games,": func(p *compare.Plan) { p.Looks = []float64{.5, 1, 1} },
	} {
		p := planned(t, []string{"ntxuva/4", "ntxuva/8"}, 100, 0, [2]string{"random", ""}, [2]string{"greedy", ""})
		if change(p); p.Validate() == nil || !strings.Contains(p.Validate().Error(), want) {
			t.Errorf("the error is %v, must tell %q", p.Validate(), want)
		}
	}
	p := planned(t, []string{"ntxuva/4", "ntxuva/8"}, 10, 0, [2]string{"random", ""})
	p.Looks = []float64{.25, .5, 1}
	if p.Validate() != nil || p.GamesAt(0) != 3 || p.GamesAt(1) != 5 || p.GamesAt(2) != 10 || p.LookCount() != 3 {
		t.Errorf("looks are after %d, %d and %d games: %v", p.GamesAt(0), p.GamesAt(1), p.GamesAt(2), p.Validate())
	}
}
