package compare

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// skill says what more thinking is worth. How many pairs there are does not depend
// on any result, so that levels are those of a single look.
func (a *analysis) skill() Ladder {
	r := Ladder{Arms: []ArmLadder{}, Variants: []VariantLadder{}, Against: []Comparison{}}
	if a.plan.LadderPairs == 0 {
		r.Answer = "No agent played another with twice its nodes: the plan has no ladder."
		return r
	}
	once := *a
	once.levels, once.last = &levels{}, &levels{}
	a = &once
	for v := range a.played {
		for b := range a.plan.Budgets {
			r.Arms = append(r.Arms, a.ladder(v, b))
		}
	}
	r.Variants = a.slopes(r.Arms)
	r.Against = a.ladders()
	r.Answer = a.skillAnswer(&r)
	return r
}

func (a *analysis) ladder(variant, budget int) ArmLadder {
	m := a.played[variant][budget].Ladder
	arm := ArmLadder{
		Variant: a.plan.Variants[variant].Name, Nodes: a.plan.Budgets[budget].Nodes, Pairs: m.pairs.Pairs(), Pentanomial: m.pairs,
		Score: m.pairs.Score(stats.Level), Elo: m.pairs.Elo(stats.Level),
	}
	switch {
	case arm.Pairs == 0:
		arm.Answer = "No pair counts: nothing can be told."
	case arm.Score.Low > 0.5:
		arm.Answer = fmt.Sprintf("Twice %s nodes score %s: thinking pays.", dataset.Count(arm.Nodes), numbered(arm.Score))
	case arm.Score.High < 0.5:
		arm.Answer = fmt.Sprintf("Twice %s nodes score %s, less than half: more thinking does harm with this agent.", dataset.Count(arm.Nodes), numbered(arm.Score))
	default:
		arm.Answer = fmt.Sprintf("Twice %s nodes score %s, which holds 0.5: it is not shown that thinking pays.", dataset.Count(arm.Nodes), numbered(arm.Score))
	}
	return arm
}

// slopes are Elo for a doubling by variant: the mean over budgets, whose intervals
// add by the method of variance estimates recovery.
func (a *analysis) slopes(arms []ArmLadder) []VariantLadder {
	list, budgets := []VariantLadder{}, len(a.plan.Budgets)
	// Without bounds ok is false, at a level near 1 of few pairs too.
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
			l.Answer = fmt.Sprintf("Twice the nodes are worth %s Elo.", signed(own))
		} else {
			l.Answer = "The worth of twice the nodes has no bounds: a side won all, or nothing counts."
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
		l := &list[tested[i]]
		l.AdjustedP = &adjusted
		words := "not told apart from the baseline's"
		if adjusted <= 1-stats.Level {
			words = "other than the baseline's"
		}
		l.Answer += fmt.Sprintf(" That is %s: %s.", words, signed(*l.Difference))
	}
	return list
}

// ladders compares scores on the ladder with the baseline's.
func (a *analysis) ladders() []Comparison {
	metric, list := metrics[doublingScore], []Comparison{}
	family := (len(a.played) - 1) * len(a.plan.Budgets)
	for v := 1; v < len(a.played); v++ {
		for b := range a.plan.Budgets {
			of, baseline := &a.played[v][b].Ladder.pairs, &a.played[0][b].Ladder.pairs
			if of.Pairs() == 0 || baseline.Pairs() == 0 {
				continue
			}
			difference := func(level float64) stats.Interval { return stats.Difference(of.Score(level), baseline.Score(level)) }
			c := Comparison{
				Variant: a.plan.Variants[v].Name, Nodes: a.plan.Budgets[b].Nodes, Metric: metric.Name,
				Baseline: baseline.Score(stats.Level), Estimate: of.Score(stats.Level), Difference: difference(stats.Level),
				Test: a.levels.significance(difference),
			}
			variance := (variance(of) + variance(baseline)) / 2
			c.Detectable = a.least(stats.Trial{Groups: 2, Variance: variance}, a.plan.LadderPairs, family)
			list = append(list, c)
		}
	}
	a.judge(list)
	return list
}

// variance is that of the mean score of a pair.
func variance(p *stats.Pentanomial) float64 {
	var m stats.Moments
	for points, n := range p {
		m.Add(float64(points)/4, n)
	}
	return m.Variance()
}

func (a *analysis) skillAnswer(r *Ladder) string {
	pays := 0
	for i := range r.Arms {
		if r.Arms[i].Score.Low > 0.5 {
			pays++
		}
	}
	text := fmt.Sprintf("Twice the nodes are shown to score more than half in %d of %d matches.", pays, len(r.Arms))
	for _, l := range r.Variants {
		if l.AdjustedP != nil && *l.AdjustedP <= 1-stats.Level {
			text += fmt.Sprintf(" Thinking is worth other than in %s in %s: %s Elo for a doubling.", a.plan.Variants[0].Name, l.Variant, signed(*l.Difference))
		}
	}
	return text
}
