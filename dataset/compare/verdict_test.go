package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/env"
)

// won returns measures of n games of which the first player won so many and the
// second the others, with a seed of their own.
func won(t *testing.T, p *compare.Plan, budget int, like []*dataset.Episode, settings dataset.Settings, seed uint64, wins, n int) compare.Played {
	t.Helper()
	settings.Seed = seed
	settings.Agents = [2]string{p.Budgets[budget].Agent, p.Budgets[budget].Agent}
	s := source(&settings, nil)
	s.Count = int64(n)
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		for i := range n {
			ep := *like[i%len(like)]
			if ep.Result = -1; i < wins {
				ep.Result = 1
			}
			if !yield(&ep, nil) {
				return
			}
		}
	}
	return compare.Played{SelfPlay: measure(t, s, int64(n))}
}

func find(list []compare.Comparison, metric string, nodes int64) *compare.Comparison {
	i := slices.IndexFunc(list, func(c compare.Comparison) bool { return c.Metric == metric && c.Nodes == nodes })
	return &list[i]
}

func TestVerdictsSayWhatDiffersAndByHowMuch(t *testing.T) {
	const n = 12_000
	p := planned(t, []string{"trench/standard", "trench/standard", "trench/standard"}, n, 0, [2]string{"greedy", ""})
	s := arm(t, p, 0, "greedy", "greedy", 3, 5)
	like := episodes(s)
	row := func(seed uint64, wins int) []compare.Played {
		return []compare.Played{won(t, p, 0, like, *s.Settings, seed, wins, n)}
	}
	r := report(t, p, 0, [][]compare.Played{row(1, 6000), row(2, 6360), row(3, 7200)})
	encoded(t, r)
	second, third := r.Against.Comparisons[0], r.Against.Comparisons[3]
	if second.Metric != "first_score" || math.Abs(second.Difference.Estimate-.03) > 1e-12 || second.Verdict != compare.DiffersSlightly || second.Margin != .05 {
		t.Errorf("3 points of 100 are %+v", second)
	}
	if third.Verdict != compare.Differs || math.Abs(third.Difference.Estimate-.1) > 1e-12 || *third.EquivalentP < .99 {
		t.Errorf("10 points of 100 are %+v", third)
	}
	if c := r.Against.Comparisons[1]; c.Metric != "draws" || c.Verdict != compare.Equivalent || *c.EquivalentP > 1e-6 || c.Test.P != 1 || c.Detectable != nil {
		t.Errorf("no draws against none are %+v", c)
	}
	if c := r.Against.Comparisons[2]; c.Metric != "length" || c.Margin != .1*c.Baseline.Estimate || c.Verdict != compare.Equivalent {
		t.Errorf("the same lengths are %+v", c)
	}
	p.Margins = map[string]float64{"first_score": .02}
	if c := report(t, p, 0, [][]compare.Played{row(1, 6000), row(2, 6360), row(3, 7200)}).Against.Comparisons[0]; c.Verdict != compare.Differs || c.Margin != .02 {
		t.Errorf("3 points of 100 with a margin of 2 are %+v", c)
	}
}

func TestInteractionIsWhatADifferenceGainsWithTheBudget(t *testing.T) {
	const n = 400
	p := planned(t, []string{"trench/standard", "trench/standard"}, n, 0, [2]string{"greedy", ""}, [2]string{"random", ""})
	s := arm(t, p, 0, "greedy", "greedy", 40, 5)
	like := episodes(s)
	row := func(seed uint64, low, high int) []compare.Played {
		return []compare.Played{won(t, p, 0, like, *s.Settings, seed, low, n), won(t, p, 1, like, *s.Settings, seed+1, high, n)}
	}
	r := report(t, p, 0, [][]compare.Played{row(1, 200, 240), row(3, 220, 340)})
	encoded(t, r)
	want := map[string]float64{"0": .05, "10": .25}
	if c := find(r.Against.Comparisons, "first_score", 0); math.Abs(c.Difference.Estimate-want["0"]) > 1e-12 || c.Verdict != compare.Undecided {
		t.Errorf("at the low budget: %+v", c)
	}
	if c := find(r.Against.Comparisons, "first_score", 10); math.Abs(c.Difference.Estimate-want["10"]) > 1e-12 || c.Verdict != compare.Differs {
		t.Errorf("at the high budget: %+v", c)
	}
	c := r.Interaction.Against[0]
	// W = lambda k: (k/400, *scipy.stats.binomtest(k, 400).proportion_ci(method='wilson')), D(a, b) by Newcombe's method 10,
	// D(D(W(340), W(240)), D(W(220), W(200))) = 0.2 (0.10863 to 0.29031); games as clusters have Student's quantile.
	if c.Metric != "first_score" || math.Abs(c.Change.Estimate-.2) > 1e-12 || c.AdjustedP > .01 || math.Abs(c.Low.Estimate-.05) > 1e-12 || math.Abs(c.High.Estimate-.25) > 1e-12 {
		t.Errorf("the interaction is %+v", c)
	}
	if math.Abs(c.Change.Low-.10863) > .0005 || math.Abs(c.Change.High-.29031) > .0005 {
		t.Errorf("the interaction is %v to %v", c.Change.Low, c.Change.High)
	}
	if c := r.Interaction.ByVariant[0]; math.Abs(c.Change.Estimate-.1) > 1e-12 || c.Variant != "trench/standard" {
		t.Errorf("the baseline's change is %+v", c)
	}
	if c := r.Interaction.ByVariant[3]; math.Abs(c.Change.Estimate-.3) > 1e-12 || c.AdjustedP > 1e-6 {
		t.Errorf("the variant's change is %+v", c)
	}
	if x := r.Interaction; len(x.ByVariant) != 6 || len(x.Against) != 3 || x.Low != 0 || x.High != 10 || x.Against[1].AdjustedP != 1 {
		t.Errorf("the interaction is %+v", x)
	}
}

func TestAQuantityWithoutDataLeavesTheOthersInTheInteraction(t *testing.T) {
	p := planned(t, []string{"trench/standard", "trench/standard"}, 40, 0, [2]string{"greedy", ""}, [2]string{"random", ""})
	s := arm(t, p, 0, "greedy", "greedy", 40, 5)
	like := episodes(s)
	for _, c := range []struct{ cutOff, byVariant, against string }{
		{"none", "1:first_score 1:draws 1:length 2:first_score 2:draws 2:length", "2:first_score 2:draws 2:length"},
		{"baseline", "1:length 2:first_score 2:draws 2:length", "2:length"},
		{"variant", "1:first_score 1:draws 1:length 2:length", "2:length"},
	} {
		played := func(v, b int, name string) compare.Played {
			list := like
			if name == c.cutOff && b == 1 {
				list = nil
				for _, ep := range like {
					cut := *ep
					cut.Truncated, cut.Reason = true, env.NoReason
					list = append(list, &cut)
				}
			}
			return won(t, p, b, list, *s.Settings, uint64(2*v+b+1), 20, 40)
		}
		r := report(t, p, 0, [][]compare.Played{{played(0, 0, "baseline"), played(0, 1, "baseline")}, {played(1, 0, "variant"), played(1, 1, "variant")}})
		names := func(list []compare.Change) string {
			var all []string
			for _, x := range list {
				v := "1"
				if x.Variant != p.Variants[0].Name {
					v = "2"
				}
				all = append(all, v+":"+x.Metric)
			}
			return strings.Join(all, " ")
		}
		if got := names(r.Interaction.ByVariant); got != c.byVariant {
			t.Errorf("%s cut off: the changes are of %s, must be of %s", c.cutOff, got, c.byVariant)
		}
		if got := names(r.Interaction.Against); got != c.against {
			t.Errorf("%s cut off: the changes of differences are of %s, must be of %s", c.cutOff, got, c.against)
		}
	}
}
