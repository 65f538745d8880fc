package compare

import "github.com/sandtable-farm/sandtable/dataset/stats"

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
		Test: a.levels.significance(change),
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
