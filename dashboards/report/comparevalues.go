package report

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func (p *comparePage) values() {
	v := &p.report.Values
	p.heading(2, "Values of pieces")
	p.say(p.valuesAnswer())
	if len(v.Budgets) == 0 {
		return
	}
	p.explain("The value of a type is the advantage of a side that is one piece ahead in it, with all other counts equal. " +
		"It is an association: a side that is one piece ahead may also be better off in ways the counts do not show. Values in units compare types within a variant. The score of the side that is one ahead compares variants, " +
		"because a unit may be worth more in one than in another.")
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
		Columns: []string{"one more", "variant", "value", "score if otherwise even"},
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
	p.nearScores(fmt.Sprintf("Score of the side that is one piece ahead%s\nn = %s positions or fewer each", budget(b.Nodes), Count(rows)), scores,
		fmt.Sprintf("The expected score of the side that is one piece of a type ahead, by type and variant, with intervals, n = %s positions at most; ½ means that the piece has no value. "+
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
