package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func (p *comparePage) against() {
	a := p.report.Against
	if a == nil || len(a.Comparisons) == 0 {
		return
	}
	p.heading(2, "Differences to the baseline")
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
		Columns: []string{"variant", "metric", "baseline", "variant's", "difference", "P", "adjusted P"},
		Caption: "Differences of shares and scores are in percentage points. P is the probability of a difference at least as great if there is none. Undecided: the games show neither a difference nor equivalence; more games may decide. " +
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
			p.brief(c.Variant, c.Nodes), textOf(c.Metric).name, metricCell(c.Metric, c.Baseline), metricCell(c.Metric, c.Estimate), metricDifference(c.Metric, c.Difference),
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
		byMetric[c.Metric] = append(byMetric[c.Metric], plot.Difference{Estimate: plot.Estimate{Name: p.arm(c.Variant, c.Nodes), Interval: c.Difference}, Margin: c.Margin})
		games[c.Metric] += c.Difference.N
	}
	for _, metric := range metrics {
		text, n := textOf(metric), Count(games[metric])
		p.draw(fmt.Sprintf("Differences to the baseline in %s with their intervals, n = %s games, where each comparison counts the baseline's games. The grey band is the margin. "+
			"An interval within the band shows equivalence. An interval that includes 0 shows no difference, but does not show that there is none.", text.the, n),
			func(w io.Writer) error {
				return plot.Differences(w, fmt.Sprintf("%s: difference to the baseline, n = %s games", capital(text.name), n), "difference in "+text.name, byMetric[metric])
			})
	}
}

func (p *comparePage) interaction() {
	x := p.report.Interaction
	if x == nil {
		return
	}
	p.heading(2, "Dependence on the budget")
	p.say(p.interactionAnswer())
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
