package compare

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// interaction returns nil where there is a single budget.
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
	changing := adjust(r.ByVariant, "%s of %s changes by %s from the lowest to the highest budget.", "%s of %s shows no change with the budget: %s.")
	differing := adjust(r.Against, "The difference in %s of %s changes by %s from the lowest to the highest budget.", "The difference in %s of %s shows no change with the budget: %s.")
	switch {
	case len(r.ByVariant) == 0:
		r.Answer = "There are no games with results to tell from."
	case len(a.played) < 2 && changing == 0:
		r.Answer = "Nothing is shown to depend on how much agents think."
	case len(a.played) < 2:
		r.Answer = fmt.Sprintf("%d of %d numbers depend on how much agents think.", changing, len(r.ByVariant))
	case differing == 0:
		r.Answer = fmt.Sprintf("No difference to the baseline is shown to depend on how much agents think; of the %d numbers of the variants themselves %d do.", len(r.ByVariant), changing)
	default:
		r.Answer = fmt.Sprintf("%d of %d differences to the baseline depend on how much agents think: what is found at one strength need not hold at another.", differing, len(r.Against))
	}
	return r
}

func (a *analysis) absent(q quantity, variant, budget int) bool {
	return a.selfPlay(variant, budget).absence(q) != ""
}

// change compares what something is at the lowest budget and at the highest.
func (a *analysis) change(variant int, m *Metric, low, high, change func(level float64) stats.Interval) Change {
	return Change{
		Variant: a.plan.Variants[variant].Name, Metric: m.Name, Low: low(a.level()), High: high(a.level()), Change: change(a.level()),
		Test: a.levels.significance(change),
	}
}

// adjust adjusts the P values of changes and says what they have come to, with
// formats for those that are found and those that are not. It returns how many are.
func adjust(list []Change, found, none string) int {
	var p []float64
	for i := range list {
		p = append(p, list[i].Test.P)
	}
	n := 0
	for i, adjusted := range stats.Holm(p) {
		c, format := &list[i], none
		if c.AdjustedP = adjusted; adjusted <= 1-stats.Level {
			format = found
			n++
		}
		c.Answer = fmt.Sprintf(format, c.Metric, c.Variant, signed(c.Change))
	}
	return n
}
