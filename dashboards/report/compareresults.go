package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// estimate returns the estimate of a metric, which is empty if the list has none.
func estimate(list []compare.Estimate, metric string) *compare.Estimate {
	if i := slices.IndexFunc(list, func(e compare.Estimate) bool { return e.Metric == metric }); i >= 0 {
		return &list[i]
	}
	return &compare.Estimate{Metric: metric}
}

func (p *comparePage) outcomes() {
	p.heading(2, "Who wins, and how often?")
	list := p.report.Outcomes
	for i := range list {
		if list[i].Games == 0 {
			p.say(p.outcomeAnswer(&list[i]))
		}
	}
	if len(list) == 0 {
		return
	}
	p.add(Table{
		Columns: append([]string{"variant", "games"}, each(list[0].Estimates, func(e *compare.Estimate) string { return textOf(e.Metric).name })...),
		Caption: "Games with a result. A win scores 1 and a draw ½, so 50 % is even. Lengths are in plies, including the opening.",
		Rows: each(list, func(o *compare.Outcomes) []string {
			return append([]string{p.arm(o.Variant, o.Nodes), Count(o.Games)}, each(o.Estimates, estimateCell)...)
		}),
	})
	p.outcomeFigures(list)
}

// ends shows how the games end.
func (p *comparePage) ends() {
	list := p.report.Outcomes
	reasons := Table{
		Columns: []string{"variant", "end", "n", "share of its games", "first player's score"},
	}
	for i := range list {
		if len(reasons.Rows) > 0 {
			reasons.Rows = append(reasons.Rows, nil)
		}
		for _, r := range list[i].Reasons {
			reasons.Rows = append(reasons.Rows, []string{
				p.arm(list[i].Variant, list[i].Nodes), reasonName(r.Reason, r.HouseRule), Count(r.Games), shareCell(r.Share), scoreCell(r.FirstScore, r.Games, r.Draws),
			})
		}
	}
	if len(reasons.Rows) > 0 {
		p.section("How do the games end?", endsCaution)
		p.add(reasons)
	}
}

func (p *comparePage) outcomeFigures(list []compare.Outcomes) {
	var scores []plot.Estimate
	games := int64(0)
	for i := range list {
		o := &list[i]
		if score := estimate(o.Estimates, "first_score").Interval; score != nil {
			scores = append(scores, plot.Estimate{Name: p.arm(o.Variant, o.Nodes), Interval: *score})
			games += o.Games
		}
	}
	n := Count(games)
	p.nearScores(fmt.Sprintf("The first player's score, n = %s games", n), scores,
		fmt.Sprintf("The first player's score with its interval, n = %s games in all. The broken line is an even game. "+
			"Overlapping intervals do not show that two variants are equal; the differences have their own intervals.", n))
	if results, games := p.results(list); len(results) > 0 {
		n := Count(games)
		p.draw(fmt.Sprintf("Shares of games that the first player won, that were drawn and that the second player won, n = %s games in all. "+
			"The table has their intervals; a small part of a bar may be due to chance.", n),
			func(w io.Writer) error { return plot.Results(w, fmt.Sprintf("Results, n = %s games", n), results) })
	}
}

func (p *comparePage) against() {
	a := p.report.Against
	if a == nil || len(a.Comparisons) == 0 {
		return
	}
	p.heading(2, "How do the variants differ from A?")
	p.explain(fmt.Sprintf("A difference is the variant's number minus that of %s. %s are tested together: Holm's adjustment keeps the probability of any false difference among them "+
		"at %s or below. The planned games find a difference of the detectable size with a probability of %s.",
		p.labels[a.Baseline], number(int64(a.Family), "comparison"), percent(1-stats.Level), percent(a.Power)))
	p.differences(a.Comparisons)
	p.comparisonTable(a.Comparisons)
}

// comparisonTable adds a table with a row for each comparison with the baseline. It has
// columns for margins only if there are any.
func (p *comparePage) comparisonTable(list []compare.Comparison) {
	t := Table{
		Columns: []string{"variant", "metric", "baseline", "variant's", "n", "difference", "P", "adjusted P"},
		Caption: "Differences of shares and scores are in percentage points. P is the probability of a difference at least as great if there is none. n counts the games of the variant. Undecided: too few games to tell. " +
			"Detectable is the least difference that the planned games can find, given the observed variance.",
	}
	margins := slices.ContainsFunc(list, func(c compare.Comparison) bool { return c.Equivalence != nil })
	if margins {
		t.Columns = append(t.Columns, "margin", "P of equivalence")
		t.Caption += " P of equivalence is the probability of a difference as small as this if the true difference is beyond the margin; it is adjusted likewise."
	}
	t.Columns = append(t.Columns, "detectable", "verdict")
	t.Rows = each(list, func(c *compare.Comparison) []string {
		size := func(x float64) string { return metricSize(c.Metric, x) }
		row := []string{
			p.brief(c.Variant, c.Nodes), textOf(c.Metric).name, metricCell(c.Metric, c.Baseline), metricCell(c.Metric, c.Estimate), Count(c.Estimate.N), metricDifference(c.Metric, c.Difference),
			probability(c.Test.P), probability(c.AdjustedP),
		}
		switch {
		case margins && c.EquivalentP == nil:
			row = append(row, "-", "-")
		case margins:
			row = append(row, size(c.Margin), probability(*c.EquivalentP))
		}
		return append(row, optional(c.Detectable, size), string(c.Verdict))
	})
	p.add(t)
}

// differences draws the differences of each metric.
func (p *comparePage) differences(list []compare.Comparison) {
	var metrics []string
	byMetric := map[string][]plot.Difference{}
	games := map[string]int64{}
	for i := range list {
		c := &list[i]
		if byMetric[c.Metric] == nil {
			metrics = append(metrics, c.Metric)
		}
		difference, margin := c.Difference, c.Margin
		if textOf(c.Metric).percent {
			difference, margin = difference.Times(100), 100*margin
		}
		byMetric[c.Metric] = append(byMetric[c.Metric], plot.Difference{Estimate: plot.Estimate{Name: p.arm(c.Variant, c.Nodes), Interval: difference}, Margin: margin})
		games[c.Metric] += c.Difference.N
	}
	for _, metric := range metrics {
		text, n := textOf(metric), Count(games[metric])
		axis := "difference in " + text.name
		if text.percent {
			axis += ", points"
		}
		p.draw(fmt.Sprintf("Differences to the baseline in %s with their intervals, n = %s games, where each comparison counts the baseline's games. The grey band is the margin. "+
			"An interval within the band shows equivalence. An interval that includes 0 shows no difference, but does not show that there is none.", text.the, n),
			func(w io.Writer) error {
				return plot.Differences(w, fmt.Sprintf("%s: difference to the baseline, n = %s games", capital(text.name), n), axis, byMetric[metric])
			})
	}
}

func (p *comparePage) interaction() {
	x := p.report.Interaction
	if x == nil {
		return
	}
	p.section("Does it depend on how strong the players are?", p.interactionAnswer())
	p.explain(fmt.Sprintf("Changes from %s per move to %s. Results that depend on the budget may differ for people and for stronger programs.",
		number(x.Low, "node"), Count(x.High)))
	table := func(list []compare.Change, what string, cell func(string, stats.Interval) string, caption string) {
		if len(list) == 0 {
			return
		}
		p.add(Table{
			Columns: []string{what, "metric", Count(x.Low) + " nodes", Count(x.High) + " nodes", "change", "P", "adjusted P"},
			Caption: caption,
			Rows: each(list, func(c *compare.Change) []string {
				return []string{p.labels[c.Variant], textOf(c.Metric).name, cell(c.Metric, c.Low), cell(c.Metric, c.High), metricDifference(c.Metric, c.Change), probability(c.Test.P), probability(c.AdjustedP)}
			}),
		})
	}
	table(x.ByVariant, "variant", metricCell, "The change of each variant as the budget grows.")
	table(x.Against, "difference to the baseline of", metricDifference,
		"The change of the difference to the baseline as the budget grows. A change here shows that the comparison itself depends on strength.")
}

func (p *comparePage) values() {
	v := &p.report.Values
	p.section("What are the pieces worth?", p.valuesAnswer())
	if len(v.Budgets) > 0 {
		p.explain("The value of a type is the advantage of a side that is one piece ahead in it, with all other counts equal. " +
			"It is an association: a side that is one piece ahead may also be better off in ways the counts do not show. Values in units compare types within a variant. The score of the side that is one ahead compares variants, " +
			"because a unit may be worth more in one than in another.")
	}
	for i := range v.Budgets {
		p.budgetValues(&v.Budgets[i])
	}
}

func (p *comparePage) budgetValues(b *compare.BudgetValues) {
	if b.Nodes > 0 {
		p.heading(3, number(b.Nodes, "node")+" per move")
	}
	for i := range b.Missing {
		p.say(p.missingValues(&b.Missing[i]))
	}
	alone := len(p.report.Plan.Variants) == 1
	t := Table{
		Columns: []string{"one more", "variant", "value", "score if otherwise even", "n"},
		Caption: "The intervals are not adjusted for their number: about one in twenty misses the true value.",
	}
	if !alone {
		t.Columns = append(t.Columns, "difference of values", "difference of scores")
		t.Caption += " Differences are to the baseline; those of scores are in percentage points. Types are matched by name."
	}
	t.Columns = append(t.Columns, "")
	var scores []plot.Estimate
	rows := int64(0)
	for i := range b.Types {
		x := &b.Types[i]
		if len(t.Rows) > 0 && !alone {
			t.Rows = append(t.Rows, nil)
		}
		for j := range x.Variants {
			v := &x.Variants[j]
			value, problem := valueCell(v.Value, x.Type == p.unit(b, v.Variant)), valueProblem(v)
			if v.Absent {
				value, problem = "-", "not in this variant"
			}
			row := []string{x.Type, p.labels[v.Variant], value, optional(v.Score, shareCell), optional(v.Score, func(i stats.Interval) string { return Count(i.N) })}
			if !alone {
				row = append(row, optional(v.ValueDifference, differenceCell),
					optional(v.ScoreDifference, pointsCell))
			}
			t.Rows = append(t.Rows, append(row, problem))
			if v.Score != nil {
				scores = append(scores, plot.Estimate{Name: x.Type + ", " + letter(j), Interval: *v.Score})
				rows = max(rows, v.Score.N)
			}
		}
	}
	if len(t.Rows) == 0 {
		return
	}
	p.add(t)
	p.nearScores(fmt.Sprintf("Score of the side that is one piece ahead%s\nn = %s positions or fewer each", budget(b.Nodes), Count(rows)), scores,
		fmt.Sprintf("The expected score of the side that is one piece of a type ahead, by type and variant, with intervals, n = %s positions at most; 50 %% means that the piece has no value. "+
			"It is an association with being ahead, not the effect of the piece.", Count(rows)))
}

// unit returns the unit of a variant's values.
func (p *comparePage) unit(b *compare.BudgetValues, variant string) string {
	i := slices.IndexFunc(p.report.Plan.Variants, func(v compare.Variant) bool { return v.Name == variant })
	if i < 0 || i >= len(b.Units) {
		return ""
	}
	return b.Units[i]
}
