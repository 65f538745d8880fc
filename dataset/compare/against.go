package compare

import "github.com/sandtable-farm/sandtable/dataset/stats"

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
	Nodes   int64  `json:"nodes,string"`
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
	level := a.levels.at(divided(stats.Level, p.family()))
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
