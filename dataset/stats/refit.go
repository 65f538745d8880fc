package stats

import (
	"math"
	"slices"
)

// A mergedDesign is a design with the distinct rows of another, each a cluster.
type mergedDesign struct {
	design *Design
	of     []int32 // by row of the whole design: index of the distinct row
}

// merge returns the merged design.
func (d *Design) merge() *mergedDesign {
	m := &mergedDesign{design: &Design{names: d.names, outcomes: d.outcomes}, of: make([]int32, d.Rows())}
	at := map[uint64][]int32{} // rows by hash of their content
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

// DistinctRows returns the number of distinct rows, including their outcomes. The time of
// [Regression.Refit] is proportional to it.
func (r *Regression) DistinctRows() int { return r.merged().design.Rows() }

// Refit is an [Estimator] of the coefficients for [Resampling] by cluster, followed by the
// thresholds if dst is long enough. It writes NaN for a column with a problem, or if not
// every outcome is drawn.
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
	far := near // only a coefficient that is far out can diverge
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
	// refitEnough ends a refit within a thousandth of a standard error of its maximum.
	refitEnough = 1e-6
	// farOut is the greatest difference in log odds between two rows, by one column, for
	// which separation is not checked. A coefficient without a maximum reaches about 14.
	farOut = 8
)

// drifts returns the greatest difference in log odds between two rows by each column.
func (m *cumulative) drifts(at []float64) []float64 {
	d := make([]float64, len(m.columns.width))
	for j, width := range m.columns.width {
		d[j] = math.Abs(at[m.levels-1+j]) * width
	}
	return d
}
