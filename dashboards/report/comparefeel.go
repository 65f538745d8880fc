package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/dataset/compare"
)

func (p *comparePage) feel() {
	f := &p.report.Feel
	if len(f.Arms) == 0 {
		return
	}
	p.heading(2, "How it feels to play")
	for _, v := range p.report.Plan.Variants[1:] {
		found := p.findings(f.Against, v.Name, false)
		if found == "" {
			found = "nothing shows that it feels otherwise"
		}
		p.say(fmt.Sprintf("%s against %s: %s.", p.labels[v.Name], p.labels[p.report.Plan.Variants[0].Name], found))
	}
	p.feelTable(f.Arms)
	p.lengths(f)
	if len(f.Against) > 0 {
		p.heading(3, fmt.Sprintf("Feel against the baseline: %s, tested together", number(int64(f.Family), "comparison")))
		p.comparisonTable(f.Against)
	}
}

// feelTable has a row for each metric and a column for each variant and budget.
func (p *comparePage) feelTable(arms []compare.ArmFeel) {
	t := Table{
		Columns: []string{"metric"},
		Caption: "The method says what these numbers are. What a search values is the program's opinion, and none of them is good or bad in itself.",
	}
	for i := range arms {
		t.Columns = append(t.Columns, p.arm(arms[i].Variant, arms[i].Nodes))
	}
	var answers []string // why there is no number, each once
	missing := map[string][]string{}
	for i := range p.report.Metrics {
		m := &p.report.Metrics[i]
		if m.Family != compare.Feel {
			continue
		}
		row, lacking := []string{words(m.Name)}, map[string][]string{}
		for j := range arms {
			e := estimate(arms[j].Estimates, m.Name)
			row = append(row, p.estimateCell(e))
			if e.Interval == nil {
				lacking[e.Answer] = append(lacking[e.Answer], p.brief(arms[j].Variant, arms[j].Nodes))
			}
		}
		for answer, of := range lacking {
			what := words(m.Name)
			if len(of) < len(arms) {
				what += " of " + strings.Join(of, "; ")
			}
			if missing[answer] == nil {
				answers = append(answers, answer)
			}
			missing[answer] = append(missing[answer], what)
		}
		t.Rows = append(t.Rows, row)
	}
	p.add(t)
	slices.Sort(answers)
	for _, answer := range answers {
		p.say(fmt.Sprintf("There is no number of %s: %s.", strings.Join(missing[answer], ", "), answer))
	}
}

func (p *comparePage) lengths(f *compare.GameFeel) {
	p.heading(3, "Lengths of games")
	t := Table{
		Columns: []string{"variant", "mean"},
		Caption: "The least number of plies, with the opening, that a share of the games does not exceed. Games that were cut off count as far as they went.",
	}
	for i := range f.Arms {
		a := &f.Arms[i]
		row := []string{p.arm(a.Variant, a.Nodes), p.estimateOf(a.Variant, a.Nodes, "length")}
		for _, q := range a.Lengths.Quantiles {
			row = append(row, plyCell(q.Plies))
		}
		t.Rows = append(t.Rows, row)
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
	against := Table{
		Columns: []string{"variant", "longer than the baseline's", "P of the same distribution", "P by Holm"},
		Caption: "How much more probable it is that a game of the variant is longer than one of the baseline than that it is shorter: 0 is as often.",
	}
	for i := range f.Lengths {
		l := &f.Lengths[i]
		against.Rows = append(against.Rows, []string{p.arm(l.Variant, l.Nodes), differenceCell(l.Longer, true), probability(l.Test.P), probability(l.AdjustedP)})
	}
	p.add(against)
}

// longer draws the lengths of all variants with a budget.
func (p *comparePage) longer(f *compare.GameFeel, nodes int64) {
	var curves []plot.Curve
	t := Table{Columns: []string{"variant", "plies", "longer", "n"}}
	games := int64(0)
	for i := range f.Arms {
		a := &f.Arms[i]
		if a.Nodes != nodes || len(a.Lengths.Longer) == 0 {
			continue
		}
		label := p.labels[a.Variant]
		c := plot.Curve{Name: p.brief(a.Variant, 0)}
		for _, at := range a.Lengths.Longer {
			c.Points = append(c.Points, plot.CurvePoint{X: float64(at.Plies), Interval: at.Share})
			t.Rows = append(t.Rows, []string{label, Count(int64(at.Plies)), shareCell(at.Share), Count(at.Share.N)})
		}
		games += a.Lengths.Longer[0].Share.N
		curves = append(curves, c)
	}
	if len(curves) == 0 {
		return
	}
	t.Caption = fmt.Sprintf("The share of games that are longer than so many plies, with intervals, n = %s games in all. A game may be long for being close, or for nobody getting anywhere.",
		Count(games))
	p.add(Figure{
		Draw: func(w io.Writer) error {
			return plot.Shares(w, fmt.Sprintf("How long games are%s, n = %s games", p.budget(nodes), Count(games)), "plies", "share of games that are longer", curves)
		},
		Table: t,
	})
}

// estimateOf writes an outcome of a variant with a budget.
func (p *comparePage) estimateOf(variant string, nodes int64, metric string) string {
	for i := range p.report.Outcomes {
		if o := &p.report.Outcomes[i]; o.Variant == variant && o.Nodes == nodes {
			if e := estimate(o.Estimates, metric); e != nil {
				return p.estimateCell(e)
			}
		}
	}
	return "-"
}

func (p *comparePage) skill() {
	l := &p.report.Skill
	p.heading(2, "What thinking is worth")
	if l.Answer != "" {
		p.say(l.Answer)
	}
	if len(l.Arms) == 0 {
		return
	}
	p.explain("An agent with twice the positions for a move plays against the same agent with once, in pairs of games with the same opening and swapped seats. " +
		"Where that wins often, the game rewards looking ahead; where it hardly does, chance or drawishness decide more, or the search sees no deeper. It is a measure of this search, not of people's skill.")
	t := Table{
		Columns: []string{"variant", "pairs", "score of twice the nodes", "Elo", "pairs by points 0, ½, 1, 1½, 2"},
		Caption: "A game that was cut off counts as a draw, as in matches.",
	}
	var list []plot.Estimate
	games := int64(0)
	for i := range l.Arms {
		a := &l.Arms[i]
		var pairs []string
		for _, n := range a.Pentanomial {
			pairs = append(pairs, Count(int64(n)))
		}
		name := p.arm(a.Variant, a.Nodes)
		t.Rows = append(t.Rows, []string{name, Count(a.Pairs), shareCell(a.Score), eloCell(a.Elo), strings.Join(pairs, ", ")})
		if a.Pairs > 0 {
			list = append(list, plot.Estimate{Name: name, Interval: a.Score})
			games += 2 * a.Pairs
		}
	}
	p.add(t)
	if len(list) > 0 {
		p.add(Figure{
			Draw: func(w io.Writer) error {
				return plot.NearScores(w, fmt.Sprintf("Score of twice the nodes against once, n = %s games", Count(games)), list)
			},
			Table: Table{Caption: fmt.Sprintf("The score of twice the nodes against once with its interval, n = %s games in all. At the broken line thinking more is worth nothing.", Count(games))},
			Known: true,
		})
	}
	p.slopes(l)
}

// slopes tells the variants' Elo for a doubling.
func (p *comparePage) slopes(l *compare.Ladder) {
	t := Table{
		Columns: []string{"variant", "Elo a doubling", "difference to the baseline", "P", "P by Holm"},
		Caption: "Mean over the budgets, where no side won all. More is a game that rewards looking ahead more.",
	}
	for i := range l.Variants {
		v := &l.Variants[i]
		test, adjusted := "-", "-"
		if v.Test != nil {
			test = probability(v.Test.P)
		}
		if v.AdjustedP != nil {
			adjusted = probability(*v.AdjustedP)
		}
		t.Rows = append(t.Rows, []string{p.labels[v.Variant], optional(v.Slope, eloCell), optional(v.Difference, eloCell), test, adjusted})
	}
	if len(t.Rows) > 0 {
		p.add(t)
	}
	if len(l.Against) > 0 {
		p.comparisonTable(l.Against)
	}
}
