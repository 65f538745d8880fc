package balance

import (
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// phaseNames are the names of the phases, the whole game last.
var phaseNames = [phases + 1]string{
	"early: more than 2/3 of the pieces left", "middle: more than 1/3 left", "late: 1/3 left or less", "the whole game",
}

func (v *valuer) values() *Values {
	values := &Values{Unit: v.names[v.unit], Games: v.games(), Clusters: v.clusters, Openings: v.openings, Phases: []PhaseValues{}}
	if len(v.rows) == 0 {
		return values
	}
	for _, p := range [...]phase{phases, early, middle, late} {
		values.Phases = append(values.Phases, *v.phase(p))
	}
	whole := &values.Phases[0]
	v.weights = weigh(whole, v.whole)
	if len(whole.Types) == 0 {
		return values
	}
	values.Forecast = v.forecast()
	return values
}

// games returns the number of games that have a row.
func (v *valuer) games() int64 {
	n := int64(0)
	for i := range v.rows {
		if i == 0 || v.rows[i].game != v.rows[i-1].game {
			n++
		}
	}
	return n
}

// phase fits the rows of phase p, or all rows if p is phases.
func (v *valuer) phase(p phase) *PhaseValues {
	wanted := func(i int) bool { return p == phases || v.rows[i].phase == p }
	d := v.design(wanted)
	pv := &PhaseValues{Phase: phaseNames[p], Rows: int64(d.Rows()), Clusters: int64(d.Clusters()), Types: []TypeValue{}, Agents: []TypeValue{}, Even: v.even(wanted)}
	r, err := d.Fit()
	switch {
	case d.Rows() == 0:
		pv.Problem.Code = NoPositions
		return pv
	case err != nil:
		pv.Problem.Code = SameResults
		return pv
	}
	first := len(v.board.spec.Pieces)
	for i := 1; i < len(v.agents); i++ {
		if r.Problems[first+i] == stats.Separated {
			pv.Problem = Problem{Code: AgentDecides, Agent: v.agents[i]}
			return pv
		}
	}
	if p == phases {
		v.whole = r
	}
	drawn := v.resampled(r, p)
	for t := range v.board.spec.Pieces {
		pv.Types = append(pv.Types, v.value(r, t, drawn))
	}
	turn := v.value(r, first, drawn)
	pv.Turn = &turn
	for i := 1; i < len(v.agents); i++ {
		pv.Reference = v.agents[0]
		pv.Agents = append(pv.Agents, v.value(r, first+i, drawn))
	}
	unit := pv.Types[v.unit]
	if unit.Problem.None() && unit.LogOdds.Low <= 0 && unit.LogOdds.High >= 0 {
		pv.Problem = Problem{Code: UnitUncertain, Unit: unit.Type}
	}
	return pv
}

// even returns the first player's score in the wanted rows with equal counts.
func (v *valuer) even(wanted func(i int) bool) stats.Interval {
	var all stats.Clusters
	sum, n := 0.0, int64(0)
	for i := range v.rows {
		if i > 0 && v.ids[i] != v.ids[i-1] {
			all.Add(sum, n)
			sum, n = 0, 0
		}
		r := &v.rows[i]
		if wanted(i) && !slices.ContainsFunc(r.ahead, func(d int16) bool { return d != 0 }) {
			sum += float64(r.outcome+1) / 2
			n++
		}
	}
	all.Add(sum, n)
	return all.Interval(stats.Level)
}

// value returns the value of column j, with bootstrap intervals if drawn has them.
func (v *valuer) value(r *stats.Regression, j int, drawn *resampled) TypeValue {
	t := TypeValue{Type: v.names[j], Counted: j < len(v.board.counted) && v.board.counted[j], LogOdds: r.Coefficient(j, stats.Level), VIF: r.VIF[j], Problem: problem(r, j)}
	if !t.Problem.None() {
		return t
	}
	score := stats.Interval{
		Estimate: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.Estimate), Low: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.Low), High: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.High),
		Level: t.LogOdds.Level, N: t.LogOdds.N, Method: t.LogOdds.Method,
	}
	t.Score = drawn.score(j, score)
	if unit := problem(r, v.unit); !unit.None() {
		t.Problem = unit
		t.Problem.Unit = v.names[v.unit]
		return t
	}
	if unit := r.Coefficient(v.unit, stats.Level); unit.High < 0 {
		t.Problem = Problem{Code: UnitHarms, Unit: v.names[v.unit]}
		return t
	}
	t.Value = drawn.value(j, r.Ratio(j, v.unit, stats.Level))
	return t
}

// problem returns the reason why column j has no usable coefficient.
func problem(r *stats.Regression, j int) Problem {
	needed := int64(clustersAColumn * len(r.Names))
	switch {
	case r.Problems[j] == stats.Constant:
		return Problem{Code: NeverVaries}
	case r.Problems[j] == stats.Collinear:
		return Problem{Code: Collinear}
	case r.Problems[j] == stats.Separated:
		return Problem{Code: Separated}
	case r.Problems[j] == stats.FewClusters, r.Clusters < needed:
		return Problem{Code: TooFewClusters, Clusters: needed}
	case r.VIF[j] >= collinear:
		return Problem{Code: NearlyCollinear}
	}
	return Problem{}
}
