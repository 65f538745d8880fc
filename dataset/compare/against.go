package compare

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// primary are the metrics in which variants are first of all compared.
func primary() []*Metric { return selected(func(m *Metric) bool { return m.Primary }) }

// compareAll compares all variants with the baseline in metrics of self-play.
func (a *analysis) compareAll(metrics []*Metric, family int) []Comparison {
	list := []Comparison{}
	for v := 1; v < len(a.played); v++ {
		for b := range a.plan.Budgets {
			for _, m := range metrics {
				if c, ok := a.against(m, v, b, family); ok {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// againstBaseline returns nil of a variant alone.
func (a *analysis) againstBaseline() *Against {
	if len(a.played) < 2 {
		return nil
	}
	r := &Against{Baseline: a.plan.Variants[0].Name, Power: a.plan.Power, Answers: []string{}}
	r.Comparisons = a.compareAll(primary(), a.plan.family())
	r.Family = len(r.Comparisons)
	a.judge(r.Comparisons)
	for v := 1; v < len(a.played); v++ {
		r.Answers = append(r.Answers, a.verdicts(v, r.Comparisons))
	}
	return r
}

// verdicts says in a sentence what the comparisons of a variant have come to.
func (a *analysis) verdicts(variant int, all []Comparison) string {
	name, by := a.plan.Variants[variant].Name, map[Verdict][]string{}
	for _, c := range all {
		if c.variant == variant {
			by[c.Verdict] = append(by[c.Verdict], fmt.Sprintf("%s%s %s", c.Metric, a.with(c.Nodes), signed(c.Difference)))
		}
	}
	var parts []string
	for _, verdict := range [...]Verdict{Differs, DiffersSlightly, Equivalent, Undecided} {
		if list := by[verdict]; len(list) > 0 {
			words := map[Verdict]string{
				Differs: "differs in %s", DiffersSlightly: "differs by less than the margin in %s", Equivalent: "is the same to within the margin in %s",
				Undecided: "is not told apart in %s",
			}[verdict]
			parts = append(parts, fmt.Sprintf(words, strings.Join(list, ", ")))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("Nothing can be told of %s against %s: no games have results.", name, a.plan.Variants[0].Name)
	}
	return fmt.Sprintf("Against %s, %s %s.", a.plan.Variants[0].Name, name, strings.Join(parts, "; "))
}

// with names a budget where there are several.
func (a *analysis) with(nodes int64) string {
	if len(a.plan.Budgets) < 2 {
		return ""
	}
	return " at " + dataset.Count(nodes) + " nodes"
}

// A Standing is what a sequential comparison knows of one difference at a look.
type Standing struct {
	Variant string `json:"variant"`
	Nodes   int64  `json:"nodes,string"`
	Metric  string `json:"metric"`
	// Difference is at the level with which all of the family hold at all looks.
	Difference stats.Interval `json:"difference"`
	Margin     float64        `json:"margin"`
	Decided    bool           `json:"decided"` // it leaves out 0, or lies within the margin
}

// Decide says whether a comparison may end at a look, from 0: every interval of a
// primary metric leaves out no difference, or lies within its margin, at a level
// that holds for all of them at all looks. played must have the games of the look
// for each variant and budget; more is an error.
func (p *Plan) Decide(look int, played [][]Played) (decided bool, standings []Standing, err error) {
	a, err := p.analysis(look, played)
	if err != nil {
		return false, nil, err
	}
	level := a.levels.at(divided(stats.Level, p.family()))
	decided = true
	for v := 1; v < len(played); v++ {
		for b, budget := range p.Budgets {
			of, baseline := a.selfPlay(v, b), a.selfPlay(0, b)
			for _, m := range primary() {
				s := Standing{Variant: p.Variants[v].Name, Nodes: budget.Nodes, Metric: m.Name, Difference: of.difference(m.quantity, baseline, level)}
				s.Margin = p.margin(m, baseline.interval(m.quantity, level).Estimate)
				d := &s.Difference
				s.Decided = d.Low > 0 || d.High < 0 || s.Margin > 0 && d.Low > -s.Margin && d.High < s.Margin
				decided = decided && s.Decided
				standings = append(standings, s)
			}
		}
	}
	return decided, standings, nil
}
