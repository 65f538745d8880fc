package report

import (
	"fmt"
	"io"
	"math"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func (p *comparePage) values() {
	v := &p.report.Values
	p.heading(2, "Values of pieces")
	if v.Answer != "" {
		p.say(v.Answer)
	}
	if len(v.Budgets) == 0 {
		return
	}
	p.explain("A value says how much better the results were of who was one piece of a type ahead in a variant, all other counts being equal. " +
		"It is an association: who is one ahead may also stand better. Values in units compare types within a variant; the score of who is one ahead compares variants, " +
		"for a unit may be worth more in one than in another.")
	for i := range v.Budgets {
		p.budgetValues(&v.Budgets[i])
	}
}

func (p *comparePage) budgetValues(b *compare.BudgetValues) {
	if b.Nodes > 0 {
		p.heading(3, number(b.Nodes, "node")+" a move")
	}
	for _, note := range b.Notes {
		p.say(note)
	}
	alone := len(p.report.Plan.Variants) == 1
	t := Table{
		Columns: []string{"one more", "variant", "worth", "score when else even"},
		Caption: "Each interval is for itself: of twenty, one misses.",
	}
	if !alone {
		t.Columns = append(t.Columns, "worth, difference", "score, difference")
		t.Caption += " Differences are to the baseline, of scores in percentage points. Types go together by their names."
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
			value, problem := p.valueCell(b, x.Type, v), v.Problem
			if v.Absent {
				value, problem = "-", "not in this variant"
			}
			row := []string{x.Type, p.labels[v.Variant], value, optional(v.Score, shareCell)}
			if !alone {
				row = append(row, optional(v.ValueDifference, func(i stats.Interval) string { return differenceCell(i, false) }),
					optional(v.ScoreDifference, func(i stats.Interval) string { return differenceCell(i, true) }))
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
	if len(scores) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.NearScores(w, fmt.Sprintf("Score of who is one piece ahead%s\nn = %s positions or fewer each", p.budget(b.Nodes), Count(rows)), scores)
			},
			Table: Table{Caption: fmt.Sprintf("The expected score of who is one piece of a type ahead, by type and variant, with intervals, n = %s positions at most; ½ would be a piece of no use. "+
				"It is what went with being ahead, not what a piece brought about.", Count(rows))},
			Known: true,
		})
	}
}

// valueCell writes what a type is worth in units.
func (p *comparePage) valueCell(b *compare.BudgetValues, name string, v *compare.VariantValue) string {
	unit := ""
	for i, variant := range p.report.Plan.Variants {
		if variant.Name == v.Variant && i < len(b.Units) {
			unit = b.Units[i]
		}
	}
	switch {
	case v.Value == nil:
		return "none"
	case name == unit:
		return "1, the unit"
	case math.IsInf(v.Value.Low, -1) && math.IsInf(v.Value.High, 1):
		return "not told"
	}
	return numberCell(*v.Value)
}

// optional writes an interval that may be missing.
func optional(i *stats.Interval, write func(stats.Interval) string) string {
	if i == nil {
		return "-"
	}
	return write(*i)
}
