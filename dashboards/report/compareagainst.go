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
	p.heading(2, "Against the baseline")
	p.explain(fmt.Sprintf("Differences are the variant's number less that of %s. %s are tested together: Holm's adjustment keeps the probability of any false difference among them "+
		"at %s. A difference that is called detectable is found with a probability of %s by as many games as were planned.",
		p.labels[a.Baseline], number(int64(a.Family), "comparison"), percent(1-stats.Level), percent(a.Power)))
	p.differences(a.Comparisons)
	p.comparisonTable(a.Comparisons)
}

// comparisonTable has a row for each comparison with the baseline, and says of margins
// only where there are any.
func (p *comparePage) comparisonTable(list []compare.Comparison) {
	t := Table{
		Columns: []string{"variant", "in", "baseline", "variant's", "difference", "P", "P by Holm"},
		Caption: "Differences of shares and scores are in percentage points. P is the probability of a difference at least as great where there is none. Undecided is what shows no difference, nor that there is none: more games may tell. " +
			"Detectable is what the planned games were able to find, from the variance seen.",
	}
	margins := slices.ContainsFunc(list, func(c compare.Comparison) bool { return c.Equivalence != nil })
	if margins {
		t.Columns = append(t.Columns, "margin", "P of equivalence")
		t.Caption += " P of equivalence is the probability of a difference as small as this where it is beyond the margin, adjusted likewise."
	}
	t.Columns = append(t.Columns, "detectable", "verdict")
	for i := range list {
		c := &list[i]
		row := []string{
			p.brief(c.Variant, c.Nodes), words(c.Metric), p.metric(c.Metric, c.Baseline), p.metric(c.Metric, c.Estimate), p.difference(c.Metric, c.Difference),
			probability(c.Test.P), probability(c.AdjustedP),
		}
		if margins {
			row = append(row, p.equivalence(c)...)
		}
		detectable := "-"
		if c.Detectable != nil {
			detectable = p.size(c.Metric, *c.Detectable)
		}
		t.Rows = append(t.Rows, append(row, detectable, string(c.Verdict)))
	}
	p.add(t)
}

// equivalence is the margin of a comparison and the P value of being within it.
func (p *comparePage) equivalence(c *compare.Comparison) []string {
	if c.EquivalentP == nil {
		return []string{"-", "-"}
	}
	return []string{p.size(c.Metric, c.Margin), probability(*c.EquivalentP)}
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
		axis := "difference in " + words(metric)
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.Differences(w, fmt.Sprintf("%s: difference to the baseline, n = %s games", capital(words(metric)), Count(games[metric])), axis, byMetric[metric])
			},
			Table: Table{Caption: fmt.Sprintf("Differences to the baseline in the %s with their intervals, n = %s games, the baseline's included each time; the grey band is the margin. "+
				"What lies wholly within the band is as good as the same; what holds the line at 0 shows no difference, and not that there is none.", words(metric), Count(games[metric]))},
			Known: true,
		})
	}
}

func (p *comparePage) interaction() {
	x := p.report.Interaction
	if x == nil {
		return
	}
	p.heading(2, "How it depends on thinking")
	if x.Answer != "" {
		p.say(x.Answer)
	}
	p.explain(fmt.Sprintf("What changes from %s a move to %s. What depends on thinking may be another thing for people, or for stronger programs.",
		number(x.Low, "node"), Count(x.High)))
	table := func(list []compare.Change, what, caption string) {
		if len(list) == 0 {
			return
		}
		t := Table{
			Columns: []string{what, "in", Count(x.Low) + " nodes", Count(x.High) + " nodes", "change", "P", "P by Holm"},
			Caption: caption,
		}
		for i := range list {
			c := &list[i]
			cell := p.metric
			if what != "variant" {
				cell = p.difference
			}
			t.Rows = append(t.Rows, []string{
				p.labels[c.Variant], words(c.Metric), cell(c.Metric, c.Low), cell(c.Metric, c.High), p.difference(c.Metric, c.Change), probability(c.Test.P), probability(c.AdjustedP),
			})
		}
		p.add(t)
	}
	table(x.ByVariant, "variant", "How each variant changes as the agents think more.")
	table(x.Against, "difference to the baseline of", "How the difference to the baseline changes as the agents think more: a change here says that the comparison itself depends on strength.")
}
