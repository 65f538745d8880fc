package compare_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/compare"
)

func TestAComparisonHasAllBlocks(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "ntxuva/8"}, 60, 30,
		[2]string{"alphabeta:nodes=20,noise=40", "alphabeta:nodes=40,noise=40"}, [2]string{"alphabeta:nodes=60,noise=40", "alphabeta:nodes=120,noise=40"})
	r := report(t, p, 0, playAll(t, p, 0, true))
	text := encoded(t, r)
	if again := encoded(t, report(t, p, 0, playAll(t, p, 0, true))); again != text {
		t.Error("the same games make another report")
	}
	if len(r.Provenance.Variants) != 2 || len(r.Provenance.Arms) != 8 || !r.Provenance.SameGame || r.Provenance.Variants[1].Changes[0].Field != "columns" {
		t.Errorf("provenance is %+v", r.Provenance)
	}
	if len(r.Outcomes) != 4 || len(r.Outcomes[3].Estimates) != 7 || r.Outcomes[1].Nodes != 10 || r.Outcomes[2].Variant != "ntxuva/8" {
		t.Errorf("outcomes are %+v", r.Outcomes)
	}
	if a := r.Against; a.Family != 6 || len(a.Comparisons) != 6 {
		t.Errorf("against the baseline: %+v", a)
	}
	if i := r.Interaction; i.Low != 0 || i.High != 10 || len(i.ByVariant) != 6 || len(i.Against) != 3 {
		t.Errorf("interaction is %+v", i)
	}
	if v := r.Values; len(v.Budgets) != 2 || len(v.Budgets[0].Types[0].Variants) != 2 {
		t.Errorf("values are %+v", v)
	}
	if f := r.Feel; len(f.Arms) != 4 || len(f.Arms[0].Estimates) != 8 || len(f.Against) != 16 || len(f.Lengths) != 2 || f.Family != 18 {
		t.Errorf("feel is %+v", f)
	}
	for _, e := range r.Feel.Arms[0].Estimates {
		if e.Interval == nil {
			t.Errorf("%s has no estimate: %s", e.Metric, e.Absence)
		}
	}
	if s := r.Skill; len(s.Arms) != 4 || len(s.Variants) != 2 || s.Variants[1].Test == nil || len(s.Against) != 2 {
		t.Errorf("skill is %+v", s)
	}
	found := slices.ContainsFunc(r.Against.Comparisons, func(c compare.Comparison) bool { return c.Metric == "length" && c.Verdict == compare.Differs })
	if !found { // more columns have more seeds
		t.Errorf("games on more columns are not longer: %+v", r.Against.Comparisons)
	}
	for _, c := range r.Against.Comparisons {
		if outside := c.Difference.Low > 0 || c.Difference.High < 0; outside != (c.Test.P <= .05) || c.AdjustedP < c.Test.P || (c.AdjustedP <= .05) != (c.Verdict == compare.Differs || c.Verdict == compare.DiffersSlightly) {
			t.Errorf("interval, test and verdict disagree: %+v", c)
		}
	}
}

func TestWhatWasNotPlannedIsRefused(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "ntxuva/4"}, 10, 0, [2]string{"random", ""})
	first := arm(t, p, 0, "random", "random", 10, 1)
	second := arm(t, p, 0, "random", "random", 10, 2)
	row := func(m *compare.Measures) []compare.Played { return []compare.Played{{SelfPlay: m}} }
	if _, err := compare.Compare(p, 0, [][]compare.Played{row(measure(t, first, 10)), row(measure(t, second, 10))}); err != nil {
		t.Error(err)
	}
	other := planned(t, []string{"ntxuva/8", "ntxuva/8"}, 10, 0, [2]string{"greedy", ""})
	wide := arm(t, other, 0, "random", "random", 10, 3)
	short := *p
	short.MaxPlies = 100
	cut := arm(t, &short, 0, "random", "random", 10, 4)
	for want, played := range map[string][][]compare.Played{
		"the same run":            {row(measure(t, first, 10)), row(measure(t, first, 10))},
		"games of 1 variants":     {row(measure(t, first, 10))},
		"with 0 budgets":          {row(measure(t, first, 10)), {}},
		"there is no self-play":   {row(measure(t, first, 10)), row(nil)},
		"the rules of self-play":  {row(measure(t, first, 10)), row(measure(t, wide, 10))},
		"has opening_plies 3 and": {row(measure(t, first, 10)), row(measure(t, cut, 10))},
	} {
		if _, err := compare.Compare(p, 0, played); !errors.Is(err, compare.ErrPlayed) || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, must tell %q", err, want)
		}
	}
	same := arm(t, other, 0, "random", "random", 9, 1)
	other.Variants[0], other.Budgets[0].Agent = p.Variants[0], p.Budgets[0].Agent
	if _, err := compare.Compare(other, 0, [][]compare.Played{row(measure(t, first, 10)), row(measure(t, same, 10))}); !errors.Is(err, compare.ErrPlayed) || !strings.Contains(err.Error(), "the same seed") {
		t.Errorf("the error is %v", err)
	}
	few := *p
	few.Games = 5
	if _, err := compare.Compare(&few, 0, [][]compare.Played{row(measure(t, first, 10)), row(measure(t, second, 5))}); !errors.Is(err, compare.ErrPlayed) || !strings.Contains(err.Error(), "must have 5") {
		t.Errorf("the error is %v", err)
	}
	for _, wrong := range []func(p *compare.Plan){func(p *compare.Plan) { p.Power = 2 }, func(p *compare.Plan) { p.Variants[1].Digest = "sha256:0" }} {
		bad := *p
		bad.Variants = slices.Clone(p.Variants)
		wrong(&bad)
		if r, err := compare.Compare(&bad, 0, [][]compare.Played{row(measure(t, first, 10)), row(measure(t, second, 10))}); err == nil || r != nil {
			t.Errorf("a wrong plan makes %+v (%v)", r, err)
		}
		if decided, _, err := bad.Decide(1, nil); err == nil || decided {
			t.Errorf("a wrong plan decides %v (%v)", decided, err)
		}
	}
	if _, err := compare.Compare(p, 1, nil); err == nil || !strings.Contains(err.Error(), "look is 1, must be 0 to 0") {
		t.Errorf("the error is %v", err)
	}
}

func TestASingleVariantIsDescribed(t *testing.T) {
	p := planned(t, []string{"trench/standard"}, 80, 0, [2]string{"greedy", ""})
	r := report(t, p, 0, playAll(t, p, 0, false))
	encoded(t, r)
	if r.Against != nil || r.Interaction != nil || len(r.Feel.Against) != 0 || len(r.Skill.Arms) != 0 || len(r.Values.Budgets) != 0 || len(r.Values.Missing) != 0 {
		t.Errorf("a variant alone is compared: %+v", r)
	}
	for _, e := range r.Feel.Arms[0].Estimates {
		absent := e.Metric == "drama" || e.Metric == "decided_at" || e.Metric == "lead_changes"
		if absent != (e.Interval == nil) || absent != (e.Absence == compare.NoSearchValues) {
			t.Errorf("greedy, which reports no search values, has %+v", e)
		}
	}
	first, err := compare.ParseExpectation("length>5")
	if err != nil {
		t.Fatal(err)
	}
	second, _ := compare.ParseExpectation("drama<1")
	third, _ := compare.ParseExpectation("completion<0.2")
	passed, err := r.Expect(first)
	if err != nil || !passed || len(r.Checks) != 1 || r.Checks[0].Result != compare.Passed {
		t.Errorf("games are no longer than 5 plies: %+v (%v)", r.Checks, err)
	}
	if passed, err := r.Expect(first, second, third); err != nil || passed || r.Checks[1].Result != compare.Inconclusive || r.Checks[2].Result != compare.Failed {
		t.Errorf("checks are %+v (%v)", r.Checks, err)
	}
	for text, want := range map[string]string{"doubling_score>0.5": "the plan has no ladder", "draws@77<1": "must be one of 0", "trench/general:draws<1": "must be one of trench/standard"} {
		e, err := compare.ParseExpectation(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Expect(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error of %s is %v", text, err)
		}
	}
}

func TestVariantsOfDifferentGamesAreToldApartInOutcomes(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "trench/standard"}, 40, 0, [2]string{"random", ""})
	r := report(t, p, 0, playAll(t, p, 0, true))
	encoded(t, r)
	if r.Provenance.SameGame || r.Provenance.Variants[1].Game != "trench" || !slices.Contains(r.Health.Warnings, compare.Warning{Problem: compare.DifferentGames}) {
		t.Errorf("provenance is %+v", r.Provenance)
	}
	for _, b := range r.Values.Budgets {
		for _, of := range b.Types {
			if of.Variants[0].Absent == of.Variants[1].Absent {
				t.Errorf("%s belongs to both games or to none: %+v", of.Type, of)
			}
		}
	}
}

func TestDetectableDifferencesShrinkWithTheGames(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "ntxuva/8"}, 400, 0, [2]string{"random", ""})
	few, err := p.Detectable()
	if err != nil {
		t.Fatal(err)
	}
	p.Games *= 4
	many, err := p.Detectable()
	if err != nil || many > few*.51 || many < few*.49 {
		t.Errorf("%v games detect %v (%v), a quarter of them %v", p.Games, many, err, few)
	}
	// (norm.ppf(1-.05/3/2) + norm.ppf(.8))*sqrt(2*.25/400) = 0.1144, and Student's tail
	if few < .1144 || few > .1149 {
		t.Errorf("400 games detect %v", few)
	}
	if p.Looks = []float64{.5, 1}; p.Validate() != nil {
		t.Error(p.Validate())
	}
	if looked, err := p.Detectable(); err != nil || looked < many || looked > many*1.02 {
		t.Errorf("with a look on the way %v are detected (%v), without %v", looked, err, many)
	}
}

func TestAVariantComparedWithItselfHasTheSameRules(t *testing.T) {
	p := planned(t, []string{"ntxuva/4", "ntxuva/4", "ntxuva/4"}, 30, 0, [2]string{"random", ""})
	r := report(t, p, 0, playAll(t, p, 0, false))
	for i, c := range r.Against.Comparisons {
		if want := p.Variants[1+i/3].Name; c.Variant != want || c.Difference.Estimate == 0 && c.Metric == "length" {
			t.Errorf("comparison %d is of %s, must be of %s: %+v", i, c.Variant, want, c)
		}
	}
	if len(r.Against.Comparisons) != 6 || len(r.Provenance.Variants[1].Changes) != 0 || r.Provenance.Variants[2].Digest != r.Provenance.Variants[0].Digest {
		t.Errorf("against the baseline: %+v, %+v", r.Against, r.Provenance)
	}
}
