package balance

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// phaseNames are those of the phases, the whole game last.
var phaseNames = [phases + 1]string{
	"early: more than 2/3 of the pieces left", "middle: more than 1/3 left", "late: 1/3 left or less", "the whole game",
}

func (v *valuer) values() (*Values, error) {
	values := &Values{Unit: v.names[v.unit], Games: v.games(), Clusters: v.clusters, Openings: v.openings, Phases: []PhaseValues{}}
	if len(v.rows) == 0 {
		values.Answer = "No game of the sample has a result and a position after its opening: no value can be told."
		return values, nil
	}
	for _, p := range [...]phase{phases, early, middle, late} {
		pv, err := v.phase(p)
		if err != nil {
			return nil, err
		}
		values.Phases = append(values.Phases, *pv)
	}
	whole := &values.Phases[0]
	v.weights = weigh(whole, v.whole)
	if values.Answer = whole.Answer; len(whole.Types) == 0 {
		return values, nil
	}
	var err error
	values.Forecast, err = v.forecast()
	return values, err
}

// games counts those that have a row.
func (v *valuer) games() int64 {
	n := int64(0)
	for i := range v.rows {
		if i == 0 || v.rows[i].game != v.rows[i-1].game {
			n++
		}
	}
	return n
}

// phase fits the rows of a phase, or all of them.
func (v *valuer) phase(p phase) (*PhaseValues, error) {
	wanted := func(i int) bool { return p == phases || v.rows[i].phase == p }
	d, err := v.design(wanted)
	if err != nil {
		return nil, err
	}
	pv := &PhaseValues{Phase: phaseNames[p], Rows: int64(d.Rows()), Clusters: int64(d.Clusters()), Types: []TypeValue{}, Agents: []TypeValue{}, Even: v.even(wanted)}
	r, err := d.Fit()
	switch {
	case d.Rows() == 0:
		pv.Answer = "No sampled game came here."
		return pv, nil
	case err != nil:
		pv.Answer = "All games ended alike: results that do not differ say nothing of values."
		return pv, nil
	}
	first := len(v.board.spec.Pieces)
	for i := 1; i < len(v.agents); i++ {
		if r.Problems[first+i] == stats.Separated {
			pv.Answer = fmt.Sprintf("Who plays decides: with %s against others results are told apart without exception, and say nothing of values.", v.agents[i])
			return pv, nil
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
	if unit.Problem == "" && unit.LogOdds.Low <= 0 && unit.LogOdds.High >= 0 {
		pv.Answer = fmt.Sprintf("The worth of the unit, %s, is not told apart from nothing here, so values in it have no bounds: take another one.", unit.Type)
	}
	return pv, nil
}

// even is the first player's score in the rows that are wanted and have equal counts.
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

// value tells of a column, from what the bootstrap has drawn where it has.
func (v *valuer) value(r *stats.Regression, j int, drawn *resampled) TypeValue {
	t := TypeValue{Type: v.names[j], Counted: j < len(v.board.counted) && v.board.counted[j], LogOdds: r.Coefficient(j, stats.Level), VIF: r.VIF[j], Problem: problem(r, j)}
	if t.Problem != "" {
		return t
	}
	score := stats.Interval{
		Estimate: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.Estimate), Low: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.Low), High: aheadBy(r.Outcomes, r.Thresholds, t.LogOdds.High),
		Level: t.LogOdds.Level, N: t.LogOdds.N, Method: t.LogOdds.Method,
	}
	t.Score = drawn.score(j, score)
	if unit := problem(r, v.unit); unit != "" {
		t.Problem = fmt.Sprintf("the unit, %s, has no value: %s", v.names[v.unit], unit)
		return t
	}
	if unit := r.Coefficient(v.unit, stats.Level); unit.High < 0 {
		t.Problem = fmt.Sprintf("more of the unit, %s, goes with worse results, so that nothing is told in it: take another unit", v.names[v.unit])
		return t
	}
	t.Value = drawn.value(j, r.Ratio(j, v.unit, stats.Level))
	return t
}

// neverVaries is the problem of a type in which nobody is ever ahead: a game ends with
// such a piece, or none is lost.
const neverVaries = "the difference never varies"

// problem says in words why a column's coefficient cannot be told, "" where it can.
func problem(r *stats.Regression, j int) string {
	least := int64(clustersAColumn * len(r.Names))
	switch r.Problems[j] {
	case stats.NoProblem:
		if r.Clusters < least {
			return fmt.Sprintf("there are too few independent games, below %d", least)
		}
		if r.VIF[j] >= collinear {
			return fmt.Sprintf("it nearly follows from the other types (variance inflation %.0f), so any value would be chance", r.VIF[j])
		}
		return ""
	case stats.Constant:
		return neverVaries
	case stats.Collinear:
		return "its difference follows from those of the other types"
	case stats.Separated:
		return "it tells results apart without exception: too few games, or it decides them"
	case stats.FewClusters:
		return fmt.Sprintf("there are too few independent games, below %d", least)
	}
	return string(r.Problems[j])
}
