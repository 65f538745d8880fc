package compare

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// skill returns the results of the ladder. The number of pairs does not depend on any
// result, so levels are those of a single look.
func (a *analysis) skill() Ladder {
	r := Ladder{Arms: []ArmLadder{}, Variants: []VariantLadder{}, Against: []Comparison{}}
	if a.plan.LadderPairs == 0 {
		return r
	}
	once := *a
	once.levels, once.last = new(stats.Levels), new(stats.Levels)
	a = &once
	for v, b := range a.plan.arms(0) {
		r.Arms = append(r.Arms, a.ladder(v, b))
	}
	r.Variants = a.slopes()
	r.Against = a.ladders()
	return r
}

func (a *analysis) ladder(variant, budget int) ArmLadder {
	pairs := &a.played[variant][budget].Ladder.pairs
	return ArmLadder{
		Variant: a.plan.Variants[variant].Name, Nodes: a.plan.Budgets[budget].Nodes, Pairs: pairs.Pairs(), Pentanomial: *pairs,
		Score: pairs.Score(stats.Level), Elo: pairs.Elo(stats.Level),
	}
}

// slopes returns the Elo gain of a doubling by variant: the mean over budgets, whose
// intervals add by the method of variance estimates recovery.
func (a *analysis) slopes() []VariantLadder {
	list, budgets := []VariantLadder{}, len(a.plan.Budgets)
	// ok is false if the slope has no bounds: one side won everything, or the level is too
	// near 1 for the number of pairs.
	slope := func(variant int, level float64) (sum stats.Interval, ok bool) {
		for b := range budgets {
			elo := a.played[variant][b].Ladder.pairs.Elo(level)
			if math.IsInf(elo.Estimate, 0) || math.IsInf(elo.Low, 0) || math.IsInf(elo.High, 0) {
				return stats.Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: elo.N}, false
			}
			if b == 0 {
				sum = elo
			} else {
				sum = sum.Plus(elo)
			}
		}
		return sum.Times(1 / float64(budgets)), true
	}
	var p []float64
	var tested []int
	for v := range a.played {
		l := VariantLadder{Variant: a.plan.Variants[v].Name}
		if own, ok := slope(v, stats.Level); ok {
			l.Slope = &own
		}
		if _, ok := slope(0, stats.Level); ok && v > 0 && l.Slope != nil {
			difference := func(level float64) stats.Interval {
				own, _ := slope(v, level)
				baseline, _ := slope(0, level)
				return stats.Difference(own, baseline)
			}
			d, t := difference(stats.Level), stats.Significance(difference, 0)
			l.Difference, l.Test = &d, &t
			p, tested = append(p, t.P), append(tested, v)
		}
		list = append(list, l)
	}
	for i, adjusted := range stats.Holm(p) {
		list[tested[i]].AdjustedP = &adjusted
	}
	return list
}

// ladders compares the scores on the ladder with the baseline's.
func (a *analysis) ladders() []Comparison {
	metric, list := metrics[doublingScore], []Comparison{}
	family := (len(a.played) - 1) * len(a.plan.Budgets)
	for v, b := range a.plan.arms(1) {
		of, baseline := &a.played[v][b].Ladder.pairs, &a.played[0][b].Ladder.pairs
		if of.Pairs() == 0 || baseline.Pairs() == 0 {
			continue
		}
		difference := func(level float64) stats.Interval { return stats.Difference(of.Score(level), baseline.Score(level)) }
		c := Comparison{
			Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes, Metric: metric.Name,
			Baseline: baseline.Score(stats.Level), Estimate: of.Score(stats.Level), Difference: difference(stats.Level),
			Test: a.levels.Significance(difference),
		}
		variance := (variance(of) + variance(baseline)) / 2
		c.Detectable = a.least(stats.Trial{Groups: 2, Variance: variance}, a.plan.LadderPairs, family)
		list = append(list, c)
	}
	a.judge(list)
	return list
}

// variance returns the variance of the mean score of a pair.
func variance(p *stats.Pentanomial) float64 {
	var m stats.Moments
	for points, n := range p {
		m.Add(float64(points)/4, n)
	}
	return m.Variance()
}
