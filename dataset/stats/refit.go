package stats

import (
	"math"
	"slices"
)

// A mergedDesign is a design in which rows that are equal stand once, each for
// itself as a cluster.
type mergedDesign struct {
	design *Design
	of     []int32 // by row of the whole design, the row here
}

// merge makes the merged design.
func (d *Design) merge() *mergedDesign {
	m := &mergedDesign{design: &Design{names: d.names, outcomes: d.outcomes}, of: make([]int32, d.Rows())}
	at := map[uint64][]int32{} // rows by what they hold
	for i, outcome := range d.outcome {
		key := scrambled(uint64(outcome))
		for _, v := range d.row(i) {
			key = scrambled(key ^ uint64(math.Float32bits(v)))
		}
		m.of[i] = -1
		for _, k := range at[key] {
			if m.design.outcome[k] == outcome && slices.Equal(m.design.row(int(k)), d.row(i)) {
				m.of[i] = k
			}
		}
		if m.of[i] < 0 {
			m.of[i] = int32(m.design.Rows())
			at[key] = append(at[key], m.of[i])
			m.design.x = append(m.design.x, d.row(i)...)
			m.design.outcome = append(m.design.outcome, outcome)
			m.design.ends = append(m.design.ends, m.design.Rows())
		}
	}
	return m
}

// DistinctRows returns how many different rows there are, with their outcomes, on
// which the time of [Regression.Refit] depends.
func (r *Regression) DistinctRows() int { return r.merged().design.Rows() }

// Refit is an [Estimator] of the coefficients, and of the thresholds behind them
// where dst has room, for [Resampling] by cluster. It writes NaN where there is a
// problem with a column, or not every outcome that occurs is drawn.
func (r *Regression) Refit(dst []float64, times []int32) {
	merged := r.merged()
	m := *r.model
	m.design, m.threads, m.times = merged.design, 1, make([]int32, merged.design.Rows())
	drawn := make([]int64, m.levels)
	for c, n := range times {
		first, end := r.model.design.rows(c)
		for i := first; i < end && n > 0; i++ {
			m.times[merged.of[i]] += n
			drawn[m.level[r.model.design.outcome[i]]] += int64(n)
		}
	}
	coefficients, thresholds := dst[:len(r.Names)], dst[len(r.Names):]
	if slices.Contains(drawn, 0) {
		for k := range dst {
			dst[k] = math.NaN()
		}
		return
	}
	m.penalty, m.enough = regressionNear, refitEnough
	near := m.maximise(r.at)
	copy(coefficients, m.coefficients(near.at))
	copy(thresholds, m.thresholds(near.at))
	far := near // only what is far out can be on its way for ever
	if slices.ContainsFunc(m.drifts(near.at), func(x float64) bool { return x > farOut }) {
		m.penalty = regressionFar
		far = m.maximise(near.at)
	}
	for j := range coefficients {
		k := m.levels - 1 + j
		if r.Problems[j] == Constant || r.Problems[j] == Collinear || math.Abs(near.at[k]-far.at[k])*m.columns.width[j] > separatedDrift {
			coefficients[j] = math.NaN()
		}
	}
}

const (
	// refitEnough ends a refit a thousandth of a standard error from its maximum.
	refitEnough = 1e-6
	// farOut is how far apart the odds of two rows may be by a column that is not
	// looked at for separation: a coefficient without a maximum gets to about 14.
	farOut = 8
)

// drifts returns how far apart the odds of two rows can be by each column.
func (m *cumulative) drifts(at []float64) []float64 {
	d := make([]float64, len(m.columns.width))
	for j, width := range m.columns.width {
		d[j] = math.Abs(at[m.levels-1+j]) * width
	}
	return d
}
