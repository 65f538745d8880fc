package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func (p *comparePage) feel() {
	f := &p.report.Feel
	if len(f.Arms) == 0 {
		return
	}
	p.heading(2, "How do the games feel?")
	for _, answer := range p.feelAnswers() {
		p.say(answer)
	}
	p.feelTable(f.Arms)
	p.feelWords()
	if len(f.Against) > 0 {
		p.heading(3, fmt.Sprintf("Compared with A: %s, tested together", number(int64(f.Family), "comparison")))
		p.comparisonTable(f.Against)
	}
}

// feelTable adds a table with a row for each metric and a column for each variant and
// budget.
func (p *comparePage) feelTable(arms []compare.ArmFeel) {
	t := Table{
		Columns: append([]string{"metric"}, each(arms, func(a *compare.ArmFeel) string { return p.arm(a.Variant, a.Nodes) })...),
		Caption: "Search values are the program's opinion. No metric is good or bad in itself.",
	}
	var reasons []compare.Absence // each once
	missing := map[compare.Absence][]string{}
	for i := range p.report.Metrics {
		m := &p.report.Metrics[i]
		if m.Family != compare.Feel {
			continue
		}
		name := textOf(m.Name).name
		row, lacking := []string{name}, map[compare.Absence][]string{}
		for j := range arms {
			e := estimate(arms[j].Estimates, m.Name)
			row = append(row, estimateCell(e))
			if e.Interval == nil {
				lacking[e.Absence] = append(lacking[e.Absence], p.brief(arms[j].Variant, arms[j].Nodes))
			}
		}
		for reason, of := range lacking {
			if len(of) < len(arms) {
				name += " of " + strings.Join(of, "; ")
			}
			if missing[reason] == nil {
				reasons = append(reasons, reason)
			}
			missing[reason] = append(missing[reason], name)
		}
		t.Rows = append(t.Rows, row)
	}
	p.add(t)
	slices.Sort(reasons)
	for _, reason := range reasons {
		p.say(fmt.Sprintf("No estimate of %s: %s.", strings.Join(missing[reason], ", "), absence(reason)))
	}
}

// feelWords defines the metrics of the table.
func (p *comparePage) feelWords() {
	t := Table{Columns: []string{"metric", "what it is", "a greater number means"}}
	for _, m := range p.report.Metrics {
		if m.Family == compare.Feel {
			what, greater := definition(m.Name)
			t.Rows = append(t.Rows, []string{textOf(m.Name).name, what, greater})
		}
	}
	p.add(t)
}

func (p *comparePage) lengths(f *compare.GameFeel) {
	if len(f.Arms) == 0 {
		return
	}
	p.heading(2, "How long are the games?")
	t := Table{
		Columns: []string{"variant", "n", "mean"},
		Caption: "The least number of plies, including the opening, that a share of the games does not exceed. A game that was cut off counts with the plies that were played.",
	}
	for i := range f.Arms {
		a := &f.Arms[i]
		row := []string{p.arm(a.Variant, a.Nodes), Count(p.report.Outcomes[i].Games), estimateCell(estimate(p.report.Outcomes[i].Estimates, "length"))}
		t.Rows = append(t.Rows, append(row, each(a.Lengths.Quantiles, func(q *compare.Quantile) string { return plyCell(q.Plies) })...))
	}
	for _, q := range f.Arms[0].Lengths.Quantiles {
		t.Columns = append(t.Columns, percent(q.Share))
	}
	p.add(t)
	for _, b := range p.report.Plan.Budgets {
		p.longer(f, b.Nodes)
	}
	if len(f.Lengths) == 0 {
		return
	}
	p.add(Table{
		Columns: []string{"variant", "longer minus shorter, points", "P of equal distributions", "adjusted P"},
		Caption: "The probability that a game of the variant is longer than a game of the baseline, minus the probability that it is shorter (Cliff's delta).",
		Rows: each(f.Lengths, func(l *compare.LengthComparison) []string {
			return []string{p.arm(l.Variant, l.Nodes), pointsCell(l.Longer), probability(l.Test.P), probability(l.AdjustedP)}
		}),
	})
}

// longer adds a figure of the lengths of all variants with a budget.
func (p *comparePage) longer(f *compare.GameFeel, nodes int64) {
	c := curves{title: "Length of games" + budget(nodes), x: "plies", y: "share of games that are longer", columns: []string{"variant", "plies", "longer", "n"}}
	games := int64(0)
	for i := range f.Arms {
		a := &f.Arms[i]
		if a.Nodes != nodes || len(a.Lengths.Longer) == 0 {
			continue
		}
		games += a.Lengths.Longer[0].Share.N
		c.begin(p.brief(a.Variant, 0))
		for _, at := range a.Lengths.Longer {
			c.point(at.Plies, at.Share, p.labels[a.Variant], Count(int64(at.Plies)), shareCell(at.Share))
		}
	}
	c.title += fmt.Sprintf(", n = %s games", Count(games))
	p.curves(&c, fmt.Sprintf("The share of games that are longer than a number of plies, with intervals, n = %s games in all. "+
		"A game may be long because it is close, or because neither side makes progress.", Count(games)))
}

func (p *comparePage) skill() {
	l := &p.report.Skill
	p.section("Does thinking longer pay?", p.skillAnswer())
	if len(l.Arms) == 0 {
		return
	}
	p.explain("An agent with twice the nodes per move plays against the same agent with once, in pairs of games with the same opening and swapped seats. " +
		"If it wins often, the game rewards looking ahead. If not, chance or draws decide more, or the search sees no deeper. This measures the search, not people's skill.")
	t := Table{
		Columns: []string{"variant", "pairs", "score of twice the nodes", "Elo", "pairs by points 0, ½, 1, 1½, 2"},
		Caption: "A game that was cut off is a draw, as in matches.",
	}
	var list []plot.Estimate
	games := int64(0)
	for i := range l.Arms {
		a := &l.Arms[i]
		pairs := each(a.Pentanomial[:], func(n *int64) string { return Count(*n) })
		name := p.arm(a.Variant, a.Nodes)
		t.Rows = append(t.Rows, []string{name, Count(a.Pairs), shareCell(a.Score), eloCell(a.Elo), strings.Join(pairs, ", ")})
		if a.Pairs > 0 {
			list = append(list, plot.Estimate{Name: name, Interval: a.Score})
			games += 2 * a.Pairs
		}
	}
	p.add(t)
	p.nearScores(fmt.Sprintf("Score of twice the nodes against once, n = %s games", Count(games)), list,
		fmt.Sprintf("The score of twice the nodes against once with its interval, n = %s games in all. At the broken line more nodes gain nothing.", Count(games)))
	if len(l.Variants) > 0 {
		p.add(Table{
			Columns: []string{"variant", "Elo per doubling", "difference to the baseline", "P", "adjusted P"},
			Caption: "Mean over the budgets, if no side won everything. A greater gain means that the game rewards looking ahead more.",
			Rows: each(l.Variants, func(v *compare.VariantLadder) []string {
				test := optional(v.Test, func(t stats.Test) string { return probability(t.P) })
				return []string{p.labels[v.Variant], optional(v.Slope, eloCell), optional(v.Difference, eloCell), test, optional(v.AdjustedP, probability)}
			}),
		})
	}
	if len(l.Against) > 0 {
		p.comparisonTable(l.Against)
	}
}
