package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// comparePlan is a plan to compare small variants with a quick agent.
func comparePlan(t testing.TB, variants ...string) *compare.Plan {
	t.Helper()
	p := &compare.Plan{Games: 40, LadderPairs: 6, OpeningPlies: 4, MaxPlies: 300, Seed: 1, Power: 0.8}
	for i, name := range variants {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		label := name
		if slices.Contains(variants[:i], name) {
			label += " (2)"
		}
		p.Variants = append(p.Variants, compare.Variant{Name: label, Digest: v.Digest, Rules: v.Rules})
	}
	agent := func(nodes string) string {
		return "alphabeta:depth=0,eval=score,hash=0,nodes=" + nodes + ",noise=10,table=none,time=0s"
	}
	p.Budgets = []compare.Budget{{Nodes: 10, Agent: agent("10"), Double: agent("20")}, {Nodes: 20, Agent: agent("20"), Double: agent("40")}}
	return p
}

// comparison is the comparison of a plan, in a folder of the test.
func comparison(t testing.TB, p *compare.Plan) *experiment.Comparison {
	t.Helper()
	c, err := experiment.NewComparison(p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Dir, c.Goroutines = filepath.Join(t.TempDir(), "mine"), 2
	return c
}

// played plays a comparison and returns its report as text.
func played(t *testing.T, c *experiment.Comparison, players int) (*compare.Report, string) {
	t.Helper()
	r, err := c.Play(t.Context(), newFarm(t, config(t, players)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

func TestAComparisonIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	one, four := comparison(t, comparePlan(t, "ntxuva/4", "ntxuva/4")), comparison(t, comparePlan(t, "ntxuva/4", "ntxuva/4"))
	one.Goroutines = 1
	r, text := played(t, one, 1)
	if _, other := played(t, four, 4); other != text {
		t.Errorf("one worker tells\n%s\nfour tell\n%s", text, other)
	}
	if len(r.Outcomes) != 4 || r.Outcomes[0].Games != 40 || len(r.Provenance.Arms) != 8 || len(r.Skill.Arms) != 4 || r.Skill.Arms[0].Pairs != 6 || len(r.Values.Budgets) != 2 {
		t.Errorf("the report is %s", text)
	}
	seeds := map[uint64]bool{}
	for _, a := range r.Provenance.Arms {
		seeds[a.Seed] = true
	}
	if len(seeds) != 8 {
		t.Errorf("8 arms have %d seeds", len(seeds))
	}
	for i := range r.Against.Comparisons {
		if d := &r.Against.Comparisons[i]; d.Metric == "length" && d.Difference.Estimate == 0 {
			t.Errorf("with %d nodes a variant plays the same games as with itself", d.Nodes)
		}
	}
}

func TestAComparisonCutShortGoesOnToTheSameReport(t *testing.T) {
	c, whole := comparison(t, comparePlan(t, "ntxuva/4")), comparison(t, comparePlan(t, "ntxuva/4"))
	_, want := played(t, whole, 2)
	cfg := config(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	c.Watch = func(stage experiment.Stage, episodes int64) func(int64, int64) {
		if stage != experiment.Playing || episodes != 2*(40+12) {
			t.Errorf("%s is to do %d episodes", stage, episodes)
		}
		cancel()
		return func(int64, int64) {}
	}
	farm := workers.New(cfg)
	if _, err := c.Play(ctx, farm); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
	if err := farm.Close(); err != nil {
		t.Fatal(err)
	}
	c.Watch = nil
	r, err := c.Play(t.Context(), newFarm(t, cfg))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(r); err != nil || string(text) != want {
		t.Errorf("it tells %s (%v), in one go\n%s", text, err, want)
	}
}

func TestLooksEndAComparisonWhenItIsDecided(t *testing.T) {
	plan := comparePlan(t, "ntxuva/4", "ntxuva/8")
	plan.Games, plan.Looks = 120, []float64{0.5, 1}
	plan.Margins = map[string]float64{"first_score": 0.9, "draws": 0.9}
	c := comparison(t, plan)
	r, text := played(t, c, 2)
	if s := r.Sequential; s == nil || !s.Decided || s.Look != 1 || s.Games != 60 || r.Outcomes[0].Games != 60 || r.Skill.Arms[3].Pairs != 6 {
		t.Errorf("it ends at %+v", r.Sequential)
	}
	if _, again := played(t, c, 1); again != text {
		t.Errorf("again it makes\n%s\nat first it made\n%s", again, text)
	}
	plan = comparePlan(t, "ntxuva/4", "ntxuva/4")
	plan.Looks = []float64{0.5, 1}
	if r, _ := played(t, comparison(t, plan), 2); r.Sequential.Decided || r.Sequential.Look != 2 || r.Outcomes[0].Games != 40 {
		t.Errorf("it ends at %+v", r.Sequential)
	}
}

func TestAnotherPlanInTheFolderIsRefused(t *testing.T) {
	plan := comparePlan(t, "ntxuva/4")
	plan.LadderPairs = 0
	c := comparison(t, plan)
	played(t, c, 2)
	more := *plan
	more.Games++
	other := comparison(t, &more)
	other.Dir = c.Dir
	if _, err := other.Play(t.Context(), newFarm(t, config(t, 2))); !errors.Is(err, dataset.ErrSettings) || !strings.Contains(err.Error(), `games is "40", here "41"`) {
		t.Errorf("error is %v", err)
	}
}

func TestPlansThatCannotBePlayedAreRefused(t *testing.T) {
	for want, change := range map[string]func(*compare.Plan){
		"games is 0":             func(p *compare.Plan) { p.Games = 0 },
		"sha256:0":               func(p *compare.Plan) { p.Variants[0].Digest = "sha256:0" },
		"two variants are named": func(p *compare.Plan) { p.Variants = append(p.Variants, p.Variants[0]) },
		`agent "perfect"`:        func(p *compare.Plan) { p.Budgets[1].Agent = "perfect" },
		"opening plies is 301":   func(p *compare.Plan) { p.OpeningPlies = 301 },
		balance.ErrUnit.Error():  func(p *compare.Plan) { p.Unit = "Queen" },
	} {
		p := comparePlan(t, "ntxuva/4")
		change(p)
		if _, err := experiment.NewComparison(p, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	if _, err := experiment.NewComparison(comparePlan(t, "ntxuva/4", "trench/standard"), nil, nil); err != nil {
		t.Error(err)
	}
}
