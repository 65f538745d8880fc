package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// member returns a member of a value as JSON: member(t, v, "skill", "arms", "0", "answer").
func member(t *testing.T, v any, path ...string) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var at any
	if err := json.Unmarshal(data, &at); err != nil {
		t.Fatal(err)
	}
	for i, name := range path {
		switch of := at.(type) {
		case map[string]any:
			next, ok := of[name]
			if !ok {
				t.Fatalf("%s is missing", strings.Join(path[:i+1], "."))
			}
			at = next
		case []any:
			var n int
			if _, err := fmt.Sscan(name, &n); err != nil || n >= len(of) {
				t.Fatalf("%s is missing", strings.Join(path[:i+1], "."))
			}
			at = of[n]
		}
	}
	return at
}

// says compares members of a value with texts, by path.
func says(t *testing.T, v any, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got := fmt.Sprint(member(t, v, strings.Split(path, "/")...)); got != text {
			t.Errorf("%s is\n%s\nmust be\n%s", path, got, text)
		}
	}
}

func interval(estimate, low, high float64) stats.Interval {
	return stats.Interval{Estimate: estimate, Low: low, High: high, Level: .95, N: 1000, Method: "by hand"}
}

func pointer[T any](x T) *T { return &x }

// compared is a report by hand on two variants with two budgets.
func compared() *compare.Report {
	estimates := func(score, draws stats.Interval) []compare.Estimate {
		return []compare.Estimate{
			{Metric: "first_score", Interval: &score}, {Metric: "draws", Interval: &draws}, {Metric: "length", Interval: pointer(interval(40, 39, 41))},
			{Metric: "first_wins", Interval: &score}, {Metric: "second_wins", Interval: &score},
		}
	}
	r := &compare.Report{
		Plan: &compare.Plan{
			Variants: []compare.Variant{{Name: "trench/standard"}, {Name: "trench/mine"}},
			Budgets:  []compare.Budget{{Nodes: 500, Agent: "a", Double: "b"}, {Nodes: 2000, Agent: "c", Double: "d"}},
			Games:    1000, LadderPairs: 60, Power: .8,
		},
		Level: .95, Metrics: compare.Metrics(),
		Provenance: compare.Provenance{SameGame: true, Variants: []compare.VariantData{
			{Name: "trench/standard", Game: "trench", Players: [2]string{"Black", "White"}}, {Name: "trench/mine", Game: "trench", Players: [2]string{"Black", "White"}},
		}},
		Outcomes: []compare.Outcomes{
			{Variant: "trench/standard", Nodes: 500, Games: 1000, Estimates: estimates(interval(.53, .51, .55), interval(.1, .08, .12))},
			{Variant: "trench/standard", Nodes: 2000, Games: 1000, Estimates: estimates(interval(.47, .45, .49), interval(.1, .08, .12))},
			{Variant: "trench/mine", Nodes: 500, Games: 1000, Estimates: estimates(interval(.51, .49, .53), interval(.1, .08, .12))},
			{Variant: "trench/mine", Nodes: 2000, Games: 1, Estimates: estimates(interval(1, 0, 1), interval(0, 0, 1))},
		},
		Against: &compare.Against{Baseline: "trench/standard", Family: 6, Power: .8},
		Interaction: &compare.Interaction{Low: 500, High: 2000, ByVariant: []compare.Change{
			{Variant: "trench/mine", Metric: "length", Low: interval(40, 39, 41), High: interval(50, 49, 51), Change: interval(10, 9, 11), AdjustedP: .0499},
		}, Against: []compare.Change{
			{Variant: "trench/mine", Metric: "first_score", Low: interval(0, -.01, .01), High: interval(.1, .08, .12), Change: interval(.1, .07, .13), AdjustedP: .001},
			{Variant: "trench/mine", Metric: "draws", Low: interval(0, -.01, .01), High: interval(0, -.01, .01), Change: interval(0, -.02, .02), AdjustedP: .0501},
		}},
		Feel: compare.GameFeel{Arms: make([]compare.ArmFeel, 4), Family: 3},
	}
	difference := func(metric string, nodes int64, verdict compare.Verdict, baseline, estimate float64) compare.Comparison {
		d := estimate - baseline
		return compare.Comparison{
			Variant: "trench/mine", Nodes: nodes, Metric: metric, Verdict: verdict, Baseline: interval(baseline, baseline, baseline), Estimate: interval(estimate, estimate, estimate),
			Difference: interval(d, d-.01, d+.01), Test: stats.Test{P: .5}, AdjustedP: .6,
		}
	}
	list := []compare.Comparison{
		difference("first_score", 500, compare.Differs, .5, .6), difference("draws", 500, compare.Equivalent, .1, .11), difference("length", 500, compare.Undecided, 40, 41),
		difference("first_score", 2000, compare.Differs, .5, .7), difference("draws", 2000, compare.DiffersSlightly, .1, .13), difference("length", 2000, compare.Undecided, 42, 44),
	}
	list[1].Margin, list[4].Margin = .05, .05
	list[2].Detectable, list[5].Test.P, list[5].AdjustedP = pointer(2.5), .02, .12
	r.Against.Comparisons = list
	return r
}

func TestEverySentenceOfAComparison(t *testing.T) {
	r := compared()
	r.Feel.Against = []compare.Comparison{{Variant: "trench/mine", Nodes: 500, Metric: "branching", Verdict: compare.Differs, Baseline: interval(20, 19, 21), Estimate: interval(25, 24, 26), Difference: interval(5, 4, 6)}}
	r.Feel.Lengths = []compare.LengthComparison{
		{Variant: "trench/mine", Nodes: 500, Longer: interval(.1, .05, .15), AdjustedP: .01}, {Variant: "trench/mine", Nodes: 2000, Longer: interval(.02, -.03, .07), AdjustedP: .4},
	}
	says(t, report.CompareJSON(r), map[string]string{
		"summary": "Each variant was played in 1,000 games of one agent against itself with each budget: 500 and 2,000 nodes per move. " +
			"trench/mine compared with trench/standard: the first player's score differs (60.0 % against 50.0 % with 500 nodes, 70.0 % against 50.0 % with 2,000 nodes); " +
			"the share of draws differs by less than the margin (13.0 % against 10.0 % with 2,000 nodes); the share of draws is the same to within the margin (11.0 % against 10.0 % with 500 nodes); " +
			"too few games to tell whether the length of games differs (41.0 against 40.0 with 500 nodes, 44.0 against 42.0 with 2,000 nodes). " +
			"1 of 2 differences to the baseline change with the budget: results at one strength need not hold at another.",
		"provenance/variants/0/answer":           "the baseline",
		"provenance/variants/1/answer":           "the same rules as the baseline, so any difference is due to chance",
		"outcomes/0/answer":                      "trench/standard, 500 nodes: Black, the first player, scores 53.0 % (51.0 to 55.0): the first player has the advantage. The share of draws is 10.0 % (8.0 to 12.0).",
		"outcomes/1/answer":                      "trench/standard, 2,000 nodes: Black, the first player, scores 47.0 % (45.0 to 49.0): the second player has the advantage. The share of draws is 10.0 % (8.0 to 12.0).",
		"outcomes/2/answer":                      "trench/mine, 500 nodes: Black, the first player, scores 51.0 % (49.0 to 53.0): too few games to tell which side has the advantage. The share of draws is 10.0 % (8.0 to 12.0).",
		"outcomes/3/answer":                      "trench/mine, 2,000 nodes: Black, the first player, scores 100.0 % in the only game with a result.",
		"against_baseline/comparisons/0/answer":  "The first player's score differs by +10.0 (+9.0 to +11.0) points.",
		"against_baseline/comparisons/1/answer":  "The share of draws is the same to within the margin of 5.0 points: the difference is +1.0 (0.0 to +2.0) points.",
		"against_baseline/comparisons/2/answer":  "Too few games to tell whether the length of games differs: the difference is +1.00 (+0.99 to +1.01). About 500 more games of each variant would show it. The planned games detect a difference of 2.50.",
		"against_baseline/comparisons/4/answer":  "The share of draws differs by +3.0 (+2.0 to +4.0) points, which is within the margin of 5.0 points.",
		"against_baseline/comparisons/5/answer":  "The length of games differs by +2.00 (+1.99 to +2.01). A single comparison would show this, but not one of several (adjusted P 0.1200).",
		"interaction/by_variant/0/answer":        "The length of games of trench/mine changes by +10.0 (+9.00 to +11.0) from the lowest to the highest budget.",
		"interaction/against_baseline/0/answer":  "The difference to the baseline in the first player's score of trench/mine changes by +10.0 (+7.0 to +13.0) points from the lowest to the highest budget.",
		"interaction/against_baseline/1/answer":  "Too few games to tell whether the difference to the baseline in the share of draws of trench/mine changes with the budget: 0.0 (−2.0 to +2.0) points. About 1,000 more games in all would show it.",
		"interaction/answer":                     "1 of 2 differences to the baseline change with the budget: results at one strength need not hold at another.",
		"values/answer":                          "Values of pieces were not analysed.",
		"feel/answers":                           "[trench/mine compared with trench/standard: the number of legal actions differs (25.0 against 20.0 with 500 nodes); the distribution of lengths differs with 500 nodes.]",
		"feel/lengths_against_baseline/0/answer": "The distributions of lengths differ. The probability that a game of trench/mine is longer than a game of trench/standard, minus the probability that it is shorter, is +10.0 (+5.0 to +15.0) points.",
		"feel/lengths_against_baseline/1/answer": "Too few games to tell whether the distributions of lengths differ. The probability that a game of trench/mine is longer than a game of trench/standard, minus the probability that it is shorter, is +2.0 (−3.0 to +7.0) points.",
		"skill/answer":                           "The plan has no ladder, so the gain of more nodes was not measured.",
		"health/warnings":                        "[]",
		"metrics/1/what":                         "share of draws in games with a result",
		"metrics/1/direction":                    "fewer wins",
	})
	r.Provenance.Variants[1].Changes = []compare.RuleChange{{Field: "size", From: []byte("8"), To: []byte("9")}}
	says(t, report.CompareJSON(r), map[string]string{"provenance/variants/1/answer": "differs from the baseline in one field of the rules"})
	r.Provenance.Variants[1].Changes = append(r.Provenance.Variants[1].Changes, r.Provenance.Variants[1].Changes...)
	says(t, report.CompareJSON(r), map[string]string{"provenance/variants/1/answer": "differs from the baseline in 2 fields of the rules"})
	r.Provenance.Variants[1].Game = "chess"
	r.Feel.Against, r.Feel.Lengths = nil, nil
	r.Interaction.Against[0].AdjustedP = .06
	r.Outcomes[0].Games = 0
	r.Against.Comparisons = nil
	says(t, report.CompareJSON(r), map[string]string{
		"provenance/variants/1/answer": "another game, whose rules are not compared field by field",
		"feel/answers":                 "[trench/mine compared with trench/standard: too few games to tell whether the feel differs.]",
		"interaction/answer":           "Too few games to tell whether any difference to the baseline changes with the budget. Of the numbers of the variants themselves, 1 of 1 change.",
		"outcomes/0/answer":            "trench/standard, 500 nodes: no game has a result.",
		"against_baseline/answers":     "[trench/mine compared with trench/standard: no comparison is possible, because no game has a result.]",
	})
	r.Interaction.ByVariant = nil
	says(t, report.CompareJSON(r), map[string]string{"interaction/answer": "No game has a result, so it is unknown whether results depend on the budget."})
}

func TestEverySentenceOfASingleVariant(t *testing.T) {
	r := compared()
	r.Plan.Variants, r.Against, r.Interaction.Against = r.Plan.Variants[:1], nil, nil
	r.Outcomes, r.Health.Warnings = r.Outcomes[:2], []compare.Warning{{Problem: compare.FewOpenings, Variant: "trench/standard", Nodes: 500, Count: 3, Of: 9}}
	says(t, report.CompareJSON(r), map[string]string{
		"summary": "This report describes trench/standard by 1,000 games of one agent against itself with each budget: 500 and 2,000 nodes per move. " +
			"With 500 nodes the first player scores 53.0 % (51.0 to 55.0), and 10.0 % (8.0 to 12.0) of games are drawn; " +
			"with 2,000 nodes the first player scores 47.0 % (45.0 to 49.0), and 10.0 % (8.0 to 12.0) of games are drawn. Read the 1 warning about the data first.",
		"interaction/answer": "1 of 1 numbers change with the budget.",
		"feel/answers":       "[]",
	})
	r.Interaction.ByVariant[0].AdjustedP, r.Health.Warnings = .2, nil
	r.Plan.Budgets = r.Plan.Budgets[:1]
	r.Plan.Budgets[0].Nodes, r.Outcomes = 0, r.Outcomes[:1]
	r.Outcomes[0].Nodes = 0
	says(t, report.CompareJSON(r), map[string]string{
		"summary":            "This report describes trench/standard by 1,000 games of one agent against itself. The first player scores 53.0 % (51.0 to 55.0), and 10.0 % (8.0 to 12.0) of games are drawn.",
		"interaction/answer": "Too few games to tell whether any number changes with the budget.",
	})
	r.Outcomes[0].Games = 0
	says(t, report.CompareJSON(r), map[string]string{
		"summary": "This report describes trench/standard by 1,000 games of one agent against itself. trench/standard: no game has a result.",
	})
}

func TestEverySentenceOfTheLadder(t *testing.T) {
	r := compared()
	arm := func(nodes, pairs int64, score stats.Interval) compare.ArmLadder {
		return compare.ArmLadder{Variant: "trench/standard", Nodes: nodes, Pairs: pairs, Score: score}
	}
	r.Skill = compare.Ladder{
		Arms: []compare.ArmLadder{arm(500, 60, interval(.6, .55, .65)), arm(2000, 60, interval(.4, .35, .45)), arm(500, 60, interval(.5, .45, .55)), arm(2000, 0, stats.Interval{})},
		Variants: []compare.VariantLadder{
			{Variant: "trench/standard", Slope: pointer(interval(70, 40, 100))},
			{Variant: "trench/mine", Slope: pointer(interval(20, -10, 50)), Difference: pointer(interval(-50, -90, -10)), AdjustedP: pointer(.02)},
			{Variant: "trench/mine", Slope: pointer(interval(20, -10, 50)), Difference: pointer(interval(-50, -110, 10)), AdjustedP: pointer(.2)},
			{Variant: "trench/mine"},
		},
	}
	says(t, report.CompareJSON(r), map[string]string{
		"skill/answer":            "Twice the nodes score more than half in 1 of 4 matches; the others have too few games to tell, or show the opposite. The gain of a doubling in trench/mine differs from that in trench/standard by −50 (−90 to −10) Elo.",
		"skill/arms/0/answer":     "Twice 500 nodes score 60.0 % (55.0 to 65.0): more nodes help.",
		"skill/arms/1/answer":     "Twice 2,000 nodes score 40.0 % (35.0 to 45.0): more nodes hurt with this agent.",
		"skill/arms/2/answer":     "Twice 500 nodes score 50.0 % (45.0 to 55.0): too few games to tell whether more nodes help. About 4,700 more games would show it.",
		"skill/arms/3/answer":     "No pair of games counts.",
		"skill/variants/0/answer": "Twice the nodes gain +70 (+40 to +100) Elo.",
		"skill/variants/1/answer": "Twice the nodes gain +20 (−10 to +50) Elo. This differs from the baseline's gain by −50 (−90 to −10).",
		"skill/variants/2/answer": "Twice the nodes gain +20 (−10 to +50) Elo. Too few games to tell whether this differs from the baseline's gain: the difference is −50 (−110 to +10).",
		"skill/variants/3/answer": "The gain of twice the nodes has no bounds, because one side won everything or no pair counts.",
	})
}

func TestEveryWarningOfAComparison(t *testing.T) {
	r := compared()
	all := []compare.Problem{compare.MissingGames, compare.FewResults, compare.CutOffGames, compare.FailedGames, compare.RepeatedGames, compare.DecidedEarly, compare.NoChance, compare.FewOpenings}
	for _, p := range all {
		r.Health.Warnings = append(r.Health.Warnings, compare.Warning{Problem: p, Variant: "trench/mine", Nodes: 500, Count: 1200, Of: 2000})
	}
	for _, n := range []int64{0, 1} {
		r.Health.Warnings = append(r.Health.Warnings, compare.Warning{Problem: compare.FewResults, Variant: "trench/mine", Nodes: 500, Count: n, Of: 60})
	}
	for _, p := range all[:6] {
		r.Health.Warnings = append(r.Health.Warnings, compare.Warning{Problem: p, Variant: "trench/mine", Nodes: 500, Ladder: true, Count: 12, Of: 120})
	}
	r.Health.Warnings = append(r.Health.Warnings, compare.Warning{Problem: compare.DifferentGames})
	want := []string{
		"trench/mine, 500 nodes: Missing: 1,200 of 2,000 games.",
		"trench/mine, 500 nodes: Only 1,200 games have a result. Intervals are rough below 50.",
		"trench/mine, 500 nodes: Without a result because of the ply limit: 1,200 of 2,000 games. If they differ from the other games, results are biased.",
		"trench/mine, 500 nodes: A program that crashed, ran out of time or played an illegal move lost 1,200 of 2,000 games. Results exclude them.",
		"trench/mine, 500 nodes: Only 1,200 of 2,000 games are distinct. Repeated games add no information, so intervals are too narrow. Use --openings sampled:K, or an agent with noise.",
		"trench/mine, 500 nodes: 1,200 of 2,000 games ended within two plies of the agents' taking over: the opening decided them. Use --openings start or --openings sampled:K, or fewer plies.",
		"trench/mine, 500 nodes: Games with the same opening are identical, because the agents play without noise. All variety comes from 1,200 openings. Agents with noise would add information.",
		"trench/mine, 500 nodes: The games start from only 1,200 positions. The numbers hold for these openings, not for others.",
		"trench/mine, 500 nodes: No game has a result.",
		"trench/mine, 500 nodes: Only one game has a result.",
		"trench/mine, 500 nodes against twice as many: Missing: 12 of 120 pairs.",
		"trench/mine, 500 nodes against twice as many: Pairs that count: 12. Intervals are rough below 50.",
		"trench/mine, 500 nodes against twice as many: Draws because of the ply limit: 12 of 120 games.",
		"trench/mine, 500 nodes against twice as many: A program that crashed, ran out of time or played an illegal move lost 12 of 120 games. Results exclude their pairs.",
		"trench/mine, 500 nodes against twice as many: Only 12 of 120 games are distinct, so intervals are too narrow.",
		"trench/mine, 500 nodes against twice as many: 12 of 120 games ended within two plies of the agents' taking over: the opening decided them.",
		"The variants are of different games. Lengths, branching and values have different meanings in them.",
	}
	got := member(t, report.CompareJSON(r), "health", "warnings").([]any)
	if len(got) != len(want) {
		t.Fatalf("%d warnings, must be %d", len(got), len(want))
	}
	r.Feel.Arms = nil
	page := unwrapped(written(t, report.Compare(r).Full))
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("warning %d is\n%s\nmust be\n%s", i, got[i], want[i])
		}
		if on := strings.Replace(want[i], "trench/mine", "B trench/mine", 1); !strings.Contains(page, on) {
			t.Errorf("the page does not have %q", on)
		}
	}
	if !strings.Contains(page, "Read the 17 warnings about the data first.") {
		t.Errorf("the page does not count its warnings:\n%s", page)
	}
}

func TestEverySentenceOfLooksAndExpectations(t *testing.T) {
	r := compared()
	r.Plan.Looks, r.Level = []float64{.25, .5, 1}, .9912
	r.Sequential = &compare.Sequential{Look: 2, Games: 500, Planned: 1000, Undecided: 4, Comparisons: 6}
	const level = " Because of the looks, single intervals have level 0.9912, so that they hold at all looks together at level 0.95."
	answer := func(want string) {
		t.Helper()
		says(t, report.CompareJSON(r), map[string]string{"sequential/answer": want + level})
	}
	answer("The comparison continues after look 2 of 3, after 500 of 1,000 games of each variant with each budget: 4 of 6 differences are undecided.")
	r.Sequential.Look, r.Sequential.Games = 3, 1000
	answer("The comparison ended at look 3 of 3, after 1,000 of 1,000 games of each variant with each budget: 4 of 6 differences are undecided.")
	r.Sequential = &compare.Sequential{Look: 1, Games: 250, Planned: 1000, Decided: true, Comparisons: 6}
	answer("The comparison ended at look 1 of 3, after 250 of 1,000 games of each variant with each budget: every difference is either shown or within its margin.")
	r.Checks = []compare.Check{
		{Expectation: "draws<0.2", Metric: "draws", Result: compare.Passed, Interval: pointer(interval(.1, .08, .12))},
		{Expectation: "length>50", Metric: "length", Result: compare.Failed, Interval: pointer(interval(40, 39, 41))},
	}
	absences := map[compare.Absence]string{
		compare.NoGames: "no game was played", compare.NoResults: "no game has a result", compare.NoWins: "no game was won", compare.NoSearchValues: "the agent reports no search values",
		compare.NoEvents: "the game reports no events", compare.NoFirstActions: "fewer than two games have a first action of an agent",
	}
	want := map[string]string{"checks/0/answer": "passed: the share of draws is 10.0 % (8.0 to 12.0)", "checks/1/answer": "failed: the length of games is 40.0 (39.0 to 41.0)"}
	for a, text := range absences {
		want[fmt.Sprintf("checks/%d/answer", len(r.Checks))] = "undecided: " + text
		want[fmt.Sprintf("outcomes/0/estimates/%d/answer", len(r.Outcomes[0].Estimates))] = text
		r.Checks = append(r.Checks, compare.Check{Expectation: "drama<1", Metric: "drama", Result: compare.Inconclusive, Absence: a})
		r.Outcomes[0].Estimates = append(r.Outcomes[0].Estimates, compare.Estimate{Metric: "drama", Absence: a})
	}
	says(t, report.CompareJSON(r), want)
}

func TestEverySentenceOfTheValuesOfAComparison(t *testing.T) {
	r := compared()
	r.Values.Missing = []compare.MissingValues{{Variant: "trench/standard", Problem: balance.Problem{Code: balance.SameResults}}, {Variant: "trench/mine", Problem: balance.Problem{Code: balance.NoPositions}}}
	says(t, report.CompareJSON(r), map[string]string{"values/answer": "trench/mine: No sampled game with a result reached this phase."})
	r.Values.Budgets = []compare.BudgetValues{{
		Nodes: 500, Units: []string{"Soldier", "Soldier"}, Missing: r.Values.Missing[:1],
		Types: []compare.TypeValue{{Type: "Colonel", Variants: []compare.VariantValue{
			{Variant: "trench/standard", Score: pointer(interval(.6, .5, .7)), Problem: balance.Problem{Code: balance.NeverVaries}}, {Variant: "trench/mine"}, {Variant: "trench/mine", Absent: true},
		}}},
	}}
	j := report.CompareJSON(r)
	says(t, j, map[string]string{
		"values/answer":                               "Worths come from counts of pieces and results, and are associations. Their intervals are not adjusted for the number of values, or for looks.",
		"values/budgets/0/notes":                      "[trench/standard: All games have the same result, so values cannot be estimated.]",
		"values/budgets/0/types/0/variants/0/problem": "both sides always have equally many",
		"values/budgets/0/types/0/variants/1/problem": "this variant has no values",
	})
	if _, has := member(t, j, "values", "budgets", "0", "types", "0", "variants", "2").(map[string]any)["problem"]; has {
		t.Error("a type that a variant lacks has a problem")
	}
}

func TestEverySentenceOfHandicaps(t *testing.T) {
	seats := func(n int64) [2]handicap.Seat {
		return [2]handicap.Seat{{Player: "Black", Wins: n / 2, Losses: n - n/2}, {Player: "White", Wins: n / 2, Losses: n - n/2}}
	}
	effect := func(kind string, loss, adjusted float64) handicap.Effect {
		return handicap.Effect{Type: kind, Games: 800, Score: interval(.5-loss, .5-loss-.03, .5-loss+.03), Loss: interval(loss, loss-.03, loss+.03), Adjusted: adjusted, Seats: seats(400),
			Needed: &handicap.Needed{Pairs: 2150}}
	}
	r := &handicap.Report{Variant: "trench/standard", Players: [2]string{"Black", "White"}, Agent: "greedy", Unit: "Soldier", Handicaps: []handicap.Effect{
		effect("Soldier", .1, .05), effect("Colonel", .2, .001), effect("Captain", .01, .051), effect("Sergeant", -.3, .001),
		effect("Soldier", -.02, .04), effect("house", .02, .9), effect("General", 0, 1), effect("General", 0, 1), effect("General", 0, 1),
	}}
	h := r.Handicaps
	h[4].Attribute, h[4].By = "longest_move", 1
	h[5].Counted, h[5].Detectable = true, &handicap.Detectable{Loss: .0443, Power: .8}
	h[6].Seats, h[7].Seats = seats(0), seats(1)
	h[8].Seats = [2]handicap.Seat{{Draws: 1000}, {Draws: 1000}}
	for i, p := range []handicap.Problem{handicap.NoProblem, handicap.NoUnit, handicap.UnitNotPlayed, handicap.FewResults, handicap.UnitFewResults, handicap.UnitHelps, handicap.UnitUncertain, handicap.Unbounded} {
		h[i].Problem = p
	}
	regression := func(difference, adjusted float64, problem handicap.Problem, missing balance.ProblemCode) *handicap.Comparison {
		return &handicap.Comparison{
			Regression: interval(.6+difference, .5, .7), Causal: interval(.6, .55, .65), Difference: interval(difference, difference-.1, difference+.1), Adjusted: adjusted,
			Problem: problem, Missing: balance.Problem{Code: missing},
		}
	}
	h[0].Regression, h[1].Regression, h[2].Regression = regression(.1, .05, "", ""), regression(-.1, .01, "", ""), regression(.1, .06, "", "")
	h[3].Regression, h[4].Regression = regression(0, 1, handicap.NoControl, ""), regression(0, 1, handicap.FewResults, "")
	h[5].Regression, h[6].Regression = regression(0, 1, handicap.Unbounded, ""), regression(0, 1, handicap.NoRegression, "")
	h[7].Regression, h[8].Regression = regression(0, 1, handicap.NoRegression, balance.NeverVaries), regression(0, 1, handicap.NoRegression, balance.SameResults)
	curve := func(rise, adjusted float64) handicap.Curve {
		return handicap.Curve{Type: "Soldier", Attribute: "speed", Points: []handicap.Point{{By: -1}, {By: 0}, {By: 2}}, Rise: interval(rise, rise-.1, rise+.1), Adjusted: adjusted}
	}
	r.Curves = []handicap.Curve{curve(.3, .01), curve(-.3, .05), curve(.05, .2)}
	says(t, report.HandicapJSON(r), map[string]string{
		"answer": "The side with the handicap loses by: Colonel removed (20.0 points), Soldier removed (10.0 points). It gains by: Soldier longest_move+1 (2.0 points), Sergeant removed (30.0 points). " +
			"Too few games to tell: house, one fewer, Captain removed, General removed, General removed, General removed.",
		"handicaps/0/name":               "Soldier removed",
		"handicaps/0/answer":             "A side without one Soldier scores 40.0 % (37.0 to 43.0, n = 1,000) instead of 50 %: it loses 10.0 points (7.0 to 13.0).",
		"handicaps/2/answer":             "Too few games to tell: a side without one Captain scores 49.0 % (46.0 to 52.0, n = 1,000), and 50 % is even. About 2,200 pairs of games would show it.",
		"handicaps/3/answer":             "A side without one Sergeant scores 80.0 % (77.0 to 83.0, n = 1,000) instead of 50 %: it gains 30.0 points (27.0 to 33.0).",
		"handicaps/4/name":               "Soldier longest_move+1",
		"handicaps/4/answer":             "A side with longest_move +1 for every Soldier scores 52.0 % (49.0 to 55.0, n = 1,000) instead of 50 %: it gains 2.0 points (−1.0 to 5.0).",
		"handicaps/5/name":               "house, one fewer",
		"handicaps/5/answer":             "Too few games to tell: a side with one fewer in one house scores 48.0 % (45.0 to 51.0, n = 1,000), and 50 % is even. About 2,200 pairs of games would show it. The games find a loss of 4.4 points with a probability of 80 %.",
		"handicaps/6/answer":             "No game has a result.",
		"handicaps/7/answer":             "Too few games of one seat have a result.",
		"handicaps/8/answer":             "All 2,000 games were drawn, so they do not show what the handicap costs; play another agent.",
		"handicaps/0/problem":            "",
		"handicaps/1/problem":            "no removal was played that could be the unit",
		"handicaps/2/problem":            "the removal of the unit, Soldier, was not played",
		"handicaps/3/problem":            "too few games have a result",
		"handicaps/4/problem":            "too few games without the unit have a result",
		"handicaps/5/problem":            "removing the unit, Soldier, helps; choose another unit",
		"handicaps/6/problem":            "too few games to tell whether the unit, Soldier, costs anything; choose another unit, or play more games",
		"handicaps/7/problem":            "one side won everything, so the ratio of odds has no bounds",
		"handicaps/0/regression/answer":  "A side that is one piece ahead scores 70.0 % (50.0 to 70.0, n = 1,000) by counting and 60.0 % (55.0 to 65.0, n = 1,000) by experiment: the score by counting is higher.",
		"handicaps/1/regression/answer":  "A side that is one piece ahead scores 50.0 % (50.0 to 70.0, n = 1,000) by counting and 60.0 % (55.0 to 65.0, n = 1,000) by experiment: the score by counting is lower.",
		"handicaps/2/regression/answer":  "A side that is one piece ahead scores 70.0 % (50.0 to 70.0, n = 1,000) by counting and 60.0 % (55.0 to 65.0, n = 1,000) by experiment: too few games to tell whether they differ.",
		"handicaps/3/regression/answer":  "No comparison: there are no games of the unchanged rules.",
		"handicaps/4/regression/problem": "a seat has no game with a result",
		"handicaps/5/regression/problem": "counting does not bound the score",
		"handicaps/6/regression/problem": "the count has no such type",
		"handicaps/7/regression/problem": "both sides always have equally many",
		"handicaps/8/regression/problem": "all games have the same result, so values cannot be estimated",
		"curves/0/answer":                "From speed −1 to +2 the score of the side rises by 30.0 points (20.0 to 40.0).",
		"curves/1/answer":                "From speed −1 to +2 the score of the side falls by 30.0 points (20.0 to 40.0).",
		"curves/2/answer":                "Too few games to tell whether the score of the side changes from speed −1 to +2: the difference is 5.0 points (−5.0 to 15.0).",
	})
	says(t, report.HandicapJSON(&handicap.Report{}), map[string]string{"answer": "No game was played."})
}

func TestEveryNoteOfHandicaps(t *testing.T) {
	r := &handicap.Report{
		Handicaps: []handicap.Effect{{Type: "Soldier"}, {Type: "Colonel"}}, Control: &handicap.Control{Data: balance.Data{Agents: []string{"random", "greedy"}}},
		Notes: []handicap.Note{{Kind: handicap.Helped, Cases: []handicap.Case{{Handicap: 1}}}, {Kind: handicap.OtherAgents}, {Kind: handicap.OtherOpenings}},
	}
	for _, kind := range []handicap.NoteKind{handicap.MissingGames, handicap.CutOffGames, handicap.FailedGames, handicap.FewSeatGames, handicap.RepeatedGames, handicap.DecidedEarly, handicap.FewOpenings} {
		r.Notes = append(r.Notes, handicap.Note{Kind: kind, Cases: []handicap.Case{{Handicap: 0, Count: 40, Of: 1200}, {Handicap: 1, Count: 1, Of: 2}}})
	}
	want := []string{
		"Removing a piece helped: Colonel removed. This may reflect the agent rather than the piece; repeat the experiment with a stronger agent (more nodes per move).",
		"Other agents played the games of the unchanged rules: random; greedy. Differences from the experiment may be due to the agents.",
		"The games of the unchanged rules have another number of random plies than the experiment, or start from other positions. Differences from the experiment may be due to this.",
		"Missing games: Soldier removed (40 of 1,200), Colonel removed (1 of 2).",
		"Games without a result because of the ply limit: Soldier removed (40 of 1,200), Colonel removed (1 of 2). If they differ from the other games, scores are biased.",
		"Games lost by a program that crashed, ran out of time or played an illegal move: Soldier removed (40 of 1,200), Colonel removed (1 of 2). Scores exclude them.",
		"Fewer than 50 games with a result for one seat: Soldier removed (40 of 1,200), Colonel removed (1 of 2). Their intervals are unreliable.",
		"Distinct games: Soldier removed (40 of 1,200), Colonel removed (1 of 2). Repeated games add no information, so intervals are too narrow. Use --openings sampled:K with more plies, or an agent with noise.",
		"Games that ended within two plies of the agents' taking over: Soldier removed (40 of 1,200), Colonel removed (1 of 2). The opening decided them. Use --openings start or --openings sampled:K, or fewer plies.",
		"Distinct openings: Soldier removed (40 of 1,200), Colonel removed (1 of 2). The numbers hold for these openings, not for others.",
		"All results hold for the agent that played both sides, and for pieces that are missing or changed from the start of the game.",
	}
	var got []string
	for _, note := range member(t, report.HandicapJSON(r), "notes").([]any) {
		got = append(got, note.(string))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the notes are\n%s\nmust be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	page := unwrapped(written(t, report.Handicap(r).Full))
	for _, note := range want {
		if !strings.Contains(page, note) {
			t.Errorf("the page does not have %q", note)
		}
	}
}
