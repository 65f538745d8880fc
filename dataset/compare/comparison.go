package compare

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// An analysis makes a report on the games up to a look.
type analysis struct {
	plan   *Plan
	look   int
	levels *stats.Levels
	last   *stats.Levels      // at the last look
	played [][]Played         // by variant and budget
	rules  []*variant.Variant // by variant
}

// level is the level of single intervals.
func (a *analysis) level() float64 { return a.levels.At(stats.Level) }

// selfPlay returns the measures of a variant with a budget.
func (a *analysis) selfPlay(variant, budget int) *Measures { return a.played[variant][budget].SelfPlay }

// margin returns the greatest difference in a metric that does not matter, given the
// baseline's estimate, or 0 for a metric without a margin.
func (p *Plan) margin(m *Metric, baseline float64) float64 {
	if margin, ok := p.Margins[m.Name]; ok {
		return margin
	}
	if m.Relative {
		return m.Margin * math.Abs(baseline)
	}
	return m.Margin
}

// against compares a variant with the baseline in a metric of self-play, as one of a
// family of comparisons. ok is false if either has no estimate.
func (a *analysis) against(m *Metric, variant, budget, family int) (c Comparison, ok bool) {
	of, baseline := a.selfPlay(variant, budget), a.selfPlay(0, budget)
	if of.absence(m.quantity) != Present || baseline.absence(m.quantity) != Present {
		return Comparison{}, false
	}
	difference := func(level float64) stats.Interval { return of.difference(m.quantity, baseline, level) }
	c = Comparison{
		Variant: a.plan.Variants[variant].Name, Nodes: a.plan.Budgets[budget].Nodes, Metric: m.Name,
		Baseline: baseline.interval(m.quantity, a.level()), Estimate: of.interval(m.quantity, a.level()),
		Difference: difference(a.level()), Test: a.levels.Significance(difference),
	}
	if c.Margin = a.plan.margin(m, c.Baseline.Estimate); c.Margin > 0 {
		t := a.levels.Equivalence(difference, c.Margin)
		c.Equivalence = &t
	}
	c.Detectable = a.detectable(m.quantity, of, baseline, family)
	return c, true
}

// detectable returns the least difference that the planned number of games detects, or
// nil if the games show no variance.
func (a *analysis) detectable(q quantity, of, baseline *Measures, family int) *float64 {
	v1, n1 := of.perGame(q)
	v2, n2 := baseline.perGame(q)
	// Some games do not count; their share is assumed to be the same in all planned games.
	counted := float64(n1+n2) / float64(of.played+baseline.played)
	units := int64(math.Round(counted * float64(a.plan.Games)))
	if q == coverage {
		units = min(units, a.plan.Games/coverageStride(a.plan.Games))
	}
	return a.least(stats.Trial{Groups: 2, Variance: (v1 + v2) / 2}, units, family)
}

// least returns the least difference that a trial detects at the last look with its
// error divided among a family, or nil if there is no such difference.
func (a *analysis) least(t stats.Trial, units int64, family int) *float64 {
	if !(t.Variance > 0) {
		return nil
	}
	t.Level = a.last.At(divided(stats.Level, family))
	d, err := t.Detectable(units, a.plan.Power)
	if err != nil {
		return nil
	}
	return &d
}

// judge adjusts the P values of a family of comparisons and of further tests of that
// family, and returns the adjusted values of the further tests.
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

// alpha is the greatest adjusted P value of a finding.
const alpha = 1 - stats.Level

// judge sets the verdict from the adjusted P values.
func (c *Comparison) judge() {
	within := c.EquivalentP != nil && *c.EquivalentP <= alpha
	switch {
	case c.AdjustedP <= alpha && within:
		c.Verdict = DiffersSlightly
	case c.AdjustedP <= alpha:
		c.Verdict = Differs
	case within:
		c.Verdict = Equivalent
	default:
		c.Verdict = Undecided
	}
}

// interaction returns nil for a single budget.
func (a *analysis) interaction() *Interaction {
	low, high := 0, len(a.plan.Budgets)-1
	if low == high {
		return nil
	}
	r := &Interaction{Low: a.plan.Budgets[low].Nodes, High: a.plan.Budgets[high].Nodes, ByVariant: []Change{}, Against: []Change{}}
	for v := range a.played {
		for _, m := range primary() {
			q := m.quantity
			at := func(budget int) func(level float64) stats.Interval {
				return func(level float64) stats.Interval { return a.selfPlay(v, budget).interval(q, level) }
			}
			if a.absent(q, v, low) || a.absent(q, v, high) {
				continue
			}
			r.ByVariant = append(r.ByVariant, a.change(v, m, at(low), at(high), func(level float64) stats.Interval {
				return a.selfPlay(v, high).difference(q, a.selfPlay(v, low), level)
			}))
			if v == 0 || a.absent(q, 0, low) || a.absent(q, 0, high) {
				continue
			}
			against := func(budget int) func(level float64) stats.Interval {
				return func(level float64) stats.Interval {
					return a.selfPlay(v, budget).difference(q, a.selfPlay(0, budget), level)
				}
			}
			r.Against = append(r.Against, a.change(v, m, against(low), against(high), func(level float64) stats.Interval {
				return stats.Difference(against(high)(level), against(low)(level))
			}))
		}
	}
	adjust(r.ByVariant)
	adjust(r.Against)
	return r
}

func (a *analysis) absent(q quantity, variant, budget int) bool {
	return a.selfPlay(variant, budget).absence(q) != Present
}

// change compares a number at the lowest budget with the same number at the highest.
func (a *analysis) change(variant int, m *Metric, low, high, change func(level float64) stats.Interval) Change {
	return Change{
		Variant: a.plan.Variants[variant].Name, Metric: m.Name, Low: low(a.level()), High: high(a.level()), Change: change(a.level()),
		Test: a.levels.Significance(change),
	}
}

// adjust adjusts the P values of a family of changes.
func adjust(list []Change) {
	var p []float64
	for i := range list {
		p = append(p, list[i].Test.P)
	}
	for i, adjusted := range stats.Holm(p) {
		list[i].AdjustedP = adjusted
	}
}

// compareAll compares all variants with the baseline in metrics of self-play.
func (a *analysis) compareAll(metrics []*Metric, family int) []Comparison {
	list := []Comparison{}
	for v, b := range a.plan.arms(1) {
		for _, m := range metrics {
			if c, ok := a.against(m, v, b, family); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

// againstBaseline returns nil for a single variant.
func (a *analysis) againstBaseline() *Against {
	if len(a.played) < 2 {
		return nil
	}
	r := &Against{Baseline: a.plan.Variants[0].Name, Power: a.plan.Power}
	r.Comparisons = a.compareAll(primary(), a.plan.family())
	r.Family = len(r.Comparisons)
	a.judge(r.Comparisons)
	return r
}

// A Standing is the state of one difference at a look of a sequential comparison.
type Standing struct {
	Variant string `json:"variant"`
	Nodes   int64  `json:"nodes"`
	Metric  string `json:"metric"`
	// Difference is at the level at which all intervals of the family hold at all looks.
	Difference stats.Interval `json:"difference"`
	Margin     float64        `json:"margin"`
	Decided    bool           `json:"decided"` // it excludes 0, or lies within the margin
}

// Decide reports whether a comparison may end at a look, counted from 0: the interval
// of every primary metric excludes 0 or lies within its margin, at a level that holds
// for all of them at all looks. played must have the games of the look for each
// variant and budget; more games are an error.
func (p *Plan) Decide(look int, played [][]Played) (decided bool, standings []Standing, err error) {
	a, err := p.analysis(look, played)
	if err != nil {
		return false, nil, err
	}
	level := a.levels.At(divided(stats.Level, p.family()))
	decided = true
	for v, b := range p.arms(1) {
		of, baseline := a.selfPlay(v, b), a.selfPlay(0, b)
		for _, m := range primary() {
			s := Standing{Variant: p.Variants[v].Name, Nodes: p.Budgets[b].Nodes, Metric: m.Name, Difference: of.difference(m.quantity, baseline, level)}
			s.Margin = p.margin(m, baseline.interval(m.quantity, level).Estimate)
			d := &s.Difference
			s.Decided = d.Low > 0 || d.High < 0 || s.Margin > 0 && d.Low > -s.Margin && d.High < s.Margin
			decided = decided && s.Decided
			standings = append(standings, s)
		}
	}
	return decided, standings, nil
}

// divided returns the level that each of n intervals needs for all of them to hold
// together with a level, by Bonferroni's inequality.
func divided(level float64, n int) float64 { return 1 - (1-level)/float64(max(1, n)) }
