package compare

import (
	"maps"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func (a *analysis) feel() GameFeel {
	r := GameFeel{Arms: []ArmFeel{}, Against: []Comparison{}, Lengths: []LengthComparison{}}
	for v, b := range a.plan.arms(0) {
		m := a.selfPlay(v, b)
		r.Arms = append(r.Arms, ArmFeel{
			Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes,
			Estimates: m.estimates(Feel, a.level()), Lengths: m.lengthsAt(a.level()),
		})
	}
	if len(a.played) < 2 {
		return r
	}
	metrics := selected(func(m *Metric) bool { return m.Family == Feel })
	// The family has one more test for each variant and budget: of the distribution of lengths.
	r.Against = a.compareAll(metrics, (len(a.played)-1)*len(a.plan.Budgets)*(len(metrics)+1))
	var tests []stats.Test
	for v, b := range a.plan.arms(1) {
		of, baseline := a.selfPlay(v, b).plies(), a.selfPlay(0, b).plies()
		if len(of) == 0 || len(baseline) == 0 {
			continue
		}
		c := LengthComparison{
			Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes,
			Longer: stats.CliffsDelta(stats.Sample{Values: of}, stats.Sample{Values: baseline}, a.level()),
			Test:   a.levels.Repeated(stats.KolmogorovSmirnov(of, baseline)),
		}
		r.Lengths = append(r.Lengths, c)
		tests = append(tests, c.Test)
	}
	for i, p := range a.judge(r.Against, tests...) {
		r.Lengths[i].AdjustedP = p
	}
	r.Family = len(r.Against) + len(r.Lengths)
	return r
}

// plies returns the lengths of all games in ascending order.
func (m *Measures) plies() []float64 {
	var list []float64
	for _, plies := range slices.Sorted(maps.Keys(m.lengths)) {
		for range m.lengths[plies] {
			list = append(list, float64(plies))
		}
	}
	return list
}

// quantileShares are the shares of games that Lengths has quantiles for.
var quantileShares = [...]float64{0.1, 0.25, 0.5, 0.75, 0.9}

// lengthsAt describes the distribution of lengths with intervals at a level.
func (m *Measures) lengthsAt(level float64) Lengths {
	l := Lengths{Quantiles: []Quantile{}, Longer: []LongerThan{}, Histogram: []dataset.LengthCount{}}
	plies := m.plies()
	if len(plies) == 0 {
		return l
	}
	for _, share := range quantileShares {
		l.Quantiles = append(l.Quantiles, Quantile{Share: share, Plies: stats.Quantile(plies, share, level)})
	}
	for _, n := range slices.Sorted(maps.Keys(m.lengths)) {
		l.Histogram = append(l.Histogram, dataset.LengthCount{Plies: n, Episodes: m.lengths[n]})
	}
	const points = 30
	longest := int(plies[len(plies)-1])
	step := max(1, (longest+points-1)/points)
	for at, below := 0, 0; ; at += step {
		for below < len(plies) && plies[below] <= float64(at) {
			below++
		}
		l.Longer = append(l.Longer, LongerThan{Plies: at, Share: stats.Wilson(int64(len(plies)-below), int64(len(plies)), level)})
		if at >= longest {
			return l
		}
	}
}
