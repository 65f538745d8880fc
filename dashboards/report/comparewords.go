package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// A compareText puts the results of a comparison into words.
type compareText struct {
	report *compare.Report
	labels map[string]string // names of the variants in the text, by name
}

// significant reports whether an adjusted P value shows a finding.
func significant(adjusted float64) bool { return adjusted <= 1-stats.Level }

// arm names a variant with a budget.
func (c *compareText) arm(variant string, nodes int64) string {
	return c.labels[variant] + budget(nodes)
}

// budget follows the name of a variant, and with names it in a sentence; both are empty for
// agents that do not search.
func budget(nodes int64) string { return searched(", ", nodes) }
func with(nodes int64) string   { return searched(" with ", nodes) }

func searched(before string, nodes int64) string {
	if nodes == 0 {
		return ""
	}
	return before + number(nodes, "node")
}

// compared has a sentence on each variant but the baseline: what is found, or none.
func (c *compareText) compared(found func(variant string) string, none string) []string {
	list := []string{}
	for _, v := range c.report.Plan.Variants[1:] {
		list = append(list, fmt.Sprintf("%s compared with %s: %s.", c.labels[v.Name], c.baseline(), cmp.Or(found(v.Name), none)))
	}
	return list
}

// baseline names the baseline.
func (c *compareText) baseline() string { return c.labels[c.report.Plan.Variants[0].Name] }

// absences say why a metric has no estimate.
var absences = map[compare.Absence]string{ // constant
	compare.NoGames:        "no game was played",
	compare.NoResults:      "no game has a result",
	compare.NoWins:         "no game was won",
	compare.NoSearchValues: "the agent reports no search values",
	compare.NoEvents:       "the game reports no events",
	compare.NoFirstActions: "fewer than two games have a first action of an agent",
}

func absence(a compare.Absence) string { return phrase(absences, a) }

// story returns the results in a few paragraphs.
func (c *compareText) story() []string {
	r := c.report
	games := r.Plan.Games
	if r.Sequential != nil {
		games = r.Sequential.Games
	}
	played := fmt.Sprintf("%s of one agent against itself", number(games, "game"))
	if nodes := c.budgets(); nodes != "" {
		played += " with each budget: " + nodes
	}
	warnings := ""
	if n := len(r.Health.Warnings); n > 0 {
		warnings = fmt.Sprintf(" Read the %s about the data first.", number(int64(n), "warning"))
	}
	if r.Against == nil {
		return []string{fmt.Sprintf("This report describes %s by %s. %s%s", r.Plan.Variants[0].Name, played, c.described(), warnings)}
	}
	list := []string{fmt.Sprintf("Each variant was played in %s.%s", played, warnings)}
	list = append(list, c.againstAnswers()...)
	if r.Interaction != nil {
		list = append(list, c.interactionAnswer())
	}
	return list
}

// budgets lists the budgets of nodes; it is empty for agents that do not search.
func (c *compareText) budgets() string {
	var list []string
	for _, b := range c.report.Plan.Budgets {
		if b.Nodes > 0 {
			list = append(list, Count(b.Nodes))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, " and ") + " nodes per move"
}

// described describes the outcomes of a single variant.
func (c *compareText) described() string {
	var parts []string
	for i := range c.report.Outcomes {
		o := &c.report.Outcomes[i]
		if o.Games == 0 {
			return c.outcomeAnswer(o)
		}
		parts = append(parts, fmt.Sprintf("%sthe first player scores %s, and %s of games are drawn", strings.TrimPrefix(with(o.Nodes)+" ", " "),
			estimateCell(estimate(o.Estimates, "first_score")), estimateCell(estimate(o.Estimates, "draws"))))
	}
	return capital(strings.Join(parts, "; ")) + "."
}

func (c *compareText) againstAnswers() []string {
	return c.compared(func(variant string) string { return c.findings(c.report.Against.Comparisons, variant, true) },
		"no comparison is possible, because no game has a result")
}

func (c *compareText) feelAnswers() []string {
	f := &c.report.Feel
	return c.compared(func(variant string) string {
		var parts []string
		if found := c.findings(f.Against, variant, false); found != "" {
			parts = append(parts, found)
		}
		for i := range f.Lengths {
			if l := &f.Lengths[i]; l.Variant == variant && significant(l.AdjustedP) {
				parts = append(parts, "the distribution of lengths differs"+with(l.Nodes))
			}
		}
		return strings.Join(parts, "; ")
	}, "too few games to tell whether the feel differs")
}

// findings lists the results of comparisons of a variant with the baseline, by verdict
// and metric: all of them, or only the differences.
func (c *compareText) findings(list []compare.Comparison, variant string, all bool) string {
	var parts []string
	for _, kind := range []struct {
		verdict    compare.Verdict
		says       string
		difference bool
	}{
		{compare.Differs, "%s differs", true},
		{compare.DiffersSlightly, "%s differs by less than the margin", true},
		{compare.Equivalent, "%s is the same to within the margin", false},
		{compare.Undecided, "too few games to tell whether %s differs", false},
	} {
		if !all && !kind.difference {
			continue
		}
		for i := range c.report.Metrics {
			metric := c.report.Metrics[i].Name
			var found []string
			for j := range list {
				if x := &list[j]; x.Variant == variant && x.Metric == metric && x.Verdict == kind.verdict {
					found = append(found, both(x))
				}
			}
			if len(found) > 0 {
				parts = append(parts, fmt.Sprintf(kind.says+" (%s)", textOf(metric).the, strings.Join(found, ", ")))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// both formats both numbers of a comparison.
func both(x *compare.Comparison) string {
	write := func(i stats.Interval) string {
		if textOf(x.Metric).percent {
			return fmt.Sprintf("%.1f %%", 100*i.Estimate)
		}
		return figure(i.Estimate)
	}
	return fmt.Sprintf("%s against %s%s", write(x.Estimate), write(x.Baseline), with(x.Nodes))
}

// comparisonAnswer says what a comparison shows.
func comparisonAnswer(x *compare.Comparison) string {
	the, difference := capital(textOf(x.Metric).the), pointDifference(x.Metric, x.Difference)
	switch {
	case x.Verdict == compare.DiffersSlightly:
		return fmt.Sprintf("%s differs by %s, which is within the margin of %s.", the, difference, metricSize(x.Metric, x.Margin))
	case x.Verdict == compare.Differs:
		return fmt.Sprintf("%s differs by %s.", the, difference)
	case x.Verdict == compare.Equivalent:
		return fmt.Sprintf("%s is the same to within the margin of %s: the difference is %s.", the, metricSize(x.Metric, x.Margin), difference)
	case significant(x.Test.P):
		return fmt.Sprintf("%s differs by %s. A single comparison would show this, but not one of several (adjusted P %s).", the, difference, probability(x.AdjustedP))
	}
	text := fmt.Sprintf("Too few games to tell whether %s differs: the difference is %s.", textOf(x.Metric).the, difference)
	if more, ok := moreOfEach(x); ok {
		text += fmt.Sprintf(" About %s more games of each variant would show it.", Count(more))
	}
	if x.Detectable != nil {
		text += fmt.Sprintf(" The planned games detect a difference of %s.", metricSize(x.Metric, *x.Detectable))
	}
	return text
}

// interactionAnswer says whether results depend on the budget.
func (c *compareText) interactionAnswer() string {
	x := c.report.Interaction
	count := func(list []compare.Change) (n int) {
		for i := range list {
			if significant(list[i].AdjustedP) {
				n++
			}
		}
		return n
	}
	changing, differing := count(x.ByVariant), count(x.Against)
	switch {
	case len(x.ByVariant) == 0:
		return "No game has a result, so it is unknown whether results depend on the budget."
	case len(x.Against) == 0 && changing == 0:
		return "Too few games to tell whether any number changes with the budget."
	case len(x.Against) == 0:
		return fmt.Sprintf("%d of %d numbers change with the budget.", changing, len(x.ByVariant))
	case differing == 0:
		return fmt.Sprintf("Too few games to tell whether any difference to the baseline changes with the budget. Of the numbers of the variants themselves, %[2]d of %[1]d change.", len(x.ByVariant), changing)
	}
	return fmt.Sprintf("%d of %d differences to the baseline change with the budget: results at one strength need not hold at another.", differing, len(x.Against))
}

// changeAnswer says whether a number of a variant changes with the budget.
func (c *compareText) changeAnswer(x *compare.Change) string { return c.change(x, "") }

// differenceAnswer says whether the difference of a variant to the baseline does.
func (c *compareText) differenceAnswer(x *compare.Change) string {
	return c.change(x, "the difference to the baseline in ")
}

func (c *compareText) change(x *compare.Change, of string) string {
	what := of + textOf(x.Metric).the + " of " + c.labels[x.Variant]
	if significant(x.AdjustedP) {
		return fmt.Sprintf("%s changes by %s from the lowest to the highest budget.", capital(what), pointDifference(x.Metric, x.Change))
	}
	text := fmt.Sprintf("Too few games to tell whether %s changes with the budget: %s.", what, pointDifference(x.Metric, x.Change))
	if textOf(x.Metric).percent {
		text += enough(x.Change, math.Max(math.Abs(x.Change.Estimate), evenScore), "more games in all")
	}
	return text
}

// lengthAnswer says whether the distributions of lengths differ.
func (c *compareText) lengthAnswer(l *compare.LengthComparison) string {
	text := "Too few games to tell whether the distributions of lengths differ"
	if significant(l.AdjustedP) {
		text = "The distributions of lengths differ"
	}
	return fmt.Sprintf("%s. The probability that a game of %s is longer than a game of %s, minus the probability that it is shorter, is %s points.",
		text, c.labels[l.Variant], c.baseline(), pointsCell(l.Longer))
}

// outcomeAnswer describes the outcomes of a variant with a budget.
func (c *compareText) outcomeAnswer(o *compare.Outcomes) string {
	name := c.arm(o.Variant, o.Nodes)
	v := slices.IndexFunc(c.report.Provenance.Variants, func(v compare.VariantData) bool { return v.Name == o.Variant })
	first, score := c.report.Provenance.Variants[v].Players[0], estimate(o.Estimates, "first_score")
	switch {
	case o.Games == 0:
		return fmt.Sprintf("%s: no game has a result.", name)
	case o.Games == 1:
		return fmt.Sprintf("%s: %s, the first player, scores %.1f %% in the only game with a result.", name, first, 100*score.Interval.Estimate)
	}
	seat := "too few games to tell which side has the advantage"
	switch {
	case score.Interval.Low > 0.5:
		seat = "the first player has the advantage"
	case score.Interval.High < 0.5:
		seat = "the second player has the advantage"
	}
	return fmt.Sprintf("%s: %s, the first player, scores %s: %s. The share of draws is %s.", name, first, estimateCell(score), seat, estimateCell(estimate(o.Estimates, "draws")))
}

// rulesAnswer says how the rules of a variant differ from the baseline's.
func (c *compareText) rulesAnswer(v *compare.VariantData) string {
	baseline := &c.report.Provenance.Variants[0]
	switch n := len(v.Changes); {
	case v.Name == baseline.Name:
		return "the baseline"
	case v.Game != baseline.Game:
		return "another game, whose rules are not compared field by field"
	case n == 0:
		return "the same rules as the baseline, so any difference is due to chance"
	case n == 1:
		return "differs from the baseline in one field of the rules"
	default:
		return fmt.Sprintf("differs from the baseline in %d fields of the rules", n)
	}
}

// sequentialAnswer says at which look the comparison ended.
func (c *compareText) sequentialAnswer() string {
	s, looks := c.report.Sequential, c.report.Plan.LookCount()
	at := fmt.Sprintf("look %d of %d, after %s of %s games of each variant with each budget", s.Look, looks, Count(s.Games), Count(s.Planned))
	undecided := fmt.Sprintf("%d of %d differences are undecided.", s.Undecided, s.Comparisons)
	text := fmt.Sprintf("The comparison continues after %s: %s", at, undecided)
	switch {
	case s.Decided:
		text = fmt.Sprintf("The comparison ended at %s: every difference is either shown or within its margin.", at)
	case s.Look == looks:
		text = fmt.Sprintf("The comparison ended at %s: %s", at, undecided)
	}
	return text + fmt.Sprintf(" Because of the looks, single intervals have level %.4f, so that they hold at all looks together at level %.2f.", c.report.Level, stats.Level)
}

// checkAnswer says how an expectation was checked.
func checkAnswer(x *compare.Check) string {
	if x.Interval == nil {
		return fmt.Sprintf("%s: %s", x.Result, absence(x.Absence))
	}
	return fmt.Sprintf("%s: %s is %s", x.Result, textOf(x.Metric).the, metricCell(x.Metric, *x.Interval))
}

// CheckText describes a check of an expectation: "draws<0.1 of trench/standard with 500
// nodes: failed: …".
func CheckText(x *compare.Check) string {
	return fmt.Sprintf("%s of %s%s: %s", x.Expectation, x.Variant, with(x.Nodes), checkAnswer(x))
}

// valuesAnswer says what the values are, or why there are none.
func (c *compareText) valuesAnswer() string {
	v := &c.report.Values
	switch {
	case len(v.Budgets) > 0:
		return "Worths come from counts of pieces and results, and are associations. Their intervals are not adjusted for the number of values, or for looks."
	case len(v.Missing) > 0:
		return c.missingValues(&v.Missing[len(v.Missing)-1])
	}
	return "Values of pieces were not analysed."
}

// missingValues says why a variant has no values.
func (c *compareText) missingValues(m *compare.MissingValues) string {
	return fmt.Sprintf("%s: %s", c.labels[m.Variant], phaseAnswer(m.Problem))
}

// valueProblem says why a variant has no value for a type.
func valueProblem(v *compare.VariantValue) string {
	switch {
	case v.Absent:
		return ""
	case v.Score == nil && v.Problem.None():
		return "this variant has no values"
	}
	return problemText(v.Problem)
}

// skillAnswer says whether more nodes help.
func (c *compareText) skillAnswer() string {
	l := &c.report.Skill
	if len(l.Arms) == 0 {
		return "The plan has no ladder, so the gain of more nodes was not measured."
	}
	better := 0
	for i := range l.Arms {
		if l.Arms[i].Score.Low > 0.5 {
			better++
		}
	}
	text := fmt.Sprintf("Twice the nodes score more than half in %d of %d matches.", better, len(l.Arms))
	if better < len(l.Arms) {
		text = strings.TrimSuffix(text, ".") + "; the others have too few games to tell, or show the opposite."
	}
	for _, v := range l.Variants {
		if v.AdjustedP != nil && significant(*v.AdjustedP) {
			text += fmt.Sprintf(" The gain of a doubling in %s differs from that in %s by %s Elo.", c.labels[v.Variant], c.baseline(), eloCell(*v.Difference))
		}
	}
	return text
}

// ladderAnswer says whether more nodes help a variant with a budget.
func ladderAnswer(a *compare.ArmLadder) string {
	score := fmt.Sprintf("Twice %s nodes score %s", Count(a.Nodes), shareCell(a.Score))
	switch {
	case a.Pairs == 0:
		return "No pair of games counts."
	case a.Score.Low > 0.5:
		return score + ": more nodes help."
	case a.Score.High < 0.5:
		return score + ": more nodes hurt with this agent."
	}
	return score + ": too few games to tell whether more nodes help." + enough(a.Score, evenScore, "more games")
}

// slopeAnswer describes the gain of a doubling in a variant.
func slopeAnswer(v *compare.VariantLadder) string {
	if v.Slope == nil {
		return "The gain of twice the nodes has no bounds, because one side won everything or no pair counts."
	}
	text := fmt.Sprintf("Twice the nodes gain %s Elo.", eloCell(*v.Slope))
	switch {
	case v.AdjustedP == nil:
		return text
	case significant(*v.AdjustedP):
		return text + fmt.Sprintf(" This differs from the baseline's gain by %s.", eloCell(*v.Difference))
	}
	return text + fmt.Sprintf(" Too few games to tell whether this differs from the baseline's gain: the difference is %s.", eloCell(*v.Difference))
}
