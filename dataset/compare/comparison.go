package compare

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// An analysis makes a report of what was played up to a look.
type analysis struct {
	plan   *Plan
	look   int
	levels *levels
	last   *levels            // of the last look
	played [][]Played         // by variant and budget
	rules  []*variant.Variant // by variant
}

// level is that of single intervals.
func (a *analysis) level() float64 { return a.levels.at(stats.Level) }

// selfPlay returns the measures of a variant with a budget.
func (a *analysis) selfPlay(variant, budget int) *Measures { return a.played[variant][budget].SelfPlay }

// margin returns the greatest difference of a metric that does not matter, 0 where
// there is none: relative ones are of the baseline's estimate.
func (p *Plan) margin(m *Metric, baseline float64) float64 {
	if margin, ok := p.Margins[m.Name]; ok {
		return margin
	}
	if m.Relative {
		return m.Margin * math.Abs(baseline)
	}
	return m.Margin
}

// against compares a variant with the baseline in a metric of self-play, one of so
// many comparisons. There is none where ok is false.
func (a *analysis) against(m *Metric, variant, budget, family int) (c Comparison, ok bool) {
	of, baseline := a.selfPlay(variant, budget), a.selfPlay(0, budget)
	if of.absence(m.quantity) != "" || baseline.absence(m.quantity) != "" {
		return Comparison{}, false
	}
	difference := func(level float64) stats.Interval { return of.difference(m.quantity, baseline, level) }
	c = Comparison{
		Variant: a.plan.Variants[variant].Name, Nodes: a.plan.Budgets[budget].Nodes, Metric: m.Name, variant: variant,
		Baseline: baseline.interval(m.quantity, a.level()), Estimate: of.interval(m.quantity, a.level()),
		Difference: difference(a.level()), Test: a.levels.significance(difference),
	}
	if c.Margin = a.plan.margin(m, c.Baseline.Estimate); c.Margin > 0 {
		t := a.levels.equivalence(difference, c.Margin)
		c.Equivalence = &t
	}
	c.Detectable = a.detectable(m.quantity, of, baseline, family)
	return c, true
}

// detectable returns the least difference that as many games as planned find, nil
// where what was played shows no variance.
func (a *analysis) detectable(q quantity, of, baseline *Measures, family int) *float64 {
	v1, n1 := of.perGame(q)
	v2, n2 := baseline.perGame(q)
	// Some games do not count: the share of those that do stays what it is.
	counted := float64(n1+n2) / float64(of.played+baseline.played)
	units := int64(math.Round(counted * float64(a.plan.Games)))
	if q == coverage {
		units = min(units, a.plan.Games/coverageStride(a.plan.Games))
	}
	return a.least(stats.Trial{Groups: 2, Variance: (v1 + v2) / 2}, units, family)
}

// least returns what a trial detects at the last look with its error divided among
// a family, nil where it cannot be told.
func (a *analysis) least(t stats.Trial, units int64, family int) *float64 {
	if !(t.Variance > 0) {
		return nil
	}
	t.Level = a.last.at(divided(stats.Level, family))
	d, err := t.Detectable(units, a.plan.Power)
	if err != nil {
		return nil
	}
	return &d
}

// judge adjusts the P values of a family of comparisons, and of further tests that
// belong to it, whose adjusted values it returns.
func (a *analysis) judge(family []Comparison, further ...stats.Test) (adjusted []float64) {
	var differ, equal []float64
	for i := range family {
		differ = append(differ, family[i].Test.P)
		if e := family[i].Equivalence; e != nil {
			equal = append(equal, e.P)
		}
	}
	for i := range further {
		differ = append(differ, further[i].P)
	}
	differ, equal = stats.Holm(differ), stats.Holm(equal)
	for i := range family {
		c := &family[i]
		c.AdjustedP = differ[i]
		if c.Equivalence != nil {
			p := equal[0]
			c.EquivalentP, equal = &p, equal[1:]
		}
		c.judge()
	}
	return differ[len(family):]
}

// judge comes to a verdict from the adjusted P values.
func (c *Comparison) judge() {
	const alpha = 1 - stats.Level
	within := c.EquivalentP != nil && *c.EquivalentP <= alpha
	switch {
	case c.AdjustedP <= alpha && within:
		c.Verdict = DiffersSlightly
		c.Answer = fmt.Sprintf("%s differs by %s, which is within the margin of %s.", c.Metric, signed(c.Difference), number(c.Margin))
	case c.AdjustedP <= alpha:
		c.Verdict = Differs
		c.Answer = fmt.Sprintf("%s differs by %s.", c.Metric, signed(c.Difference))
	case within:
		c.Verdict = Equivalent
		c.Answer = fmt.Sprintf("%s is the same to within the margin of %s: the difference is %s.", c.Metric, number(c.Margin), signed(c.Difference))
	case c.Test.P <= alpha:
		c.Verdict = Undecided
		c.Answer = fmt.Sprintf("%s would differ by %s if it were the only comparison; with all of the family counted that may be chance (P %.3f).", c.Metric, signed(c.Difference), c.AdjustedP)
	default:
		c.Verdict = Undecided
		c.Answer = fmt.Sprintf("%s shows no difference that could not be chance: %s", c.Metric, signed(c.Difference))
		if c.Detectable != nil {
			c.Answer += fmt.Sprintf("; so many games as planned find one of %s", number(*c.Detectable))
		}
		c.Answer += "."
	}
}
