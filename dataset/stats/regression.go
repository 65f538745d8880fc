package stats

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// A Problem says why a column has no usable coefficient.
type Problem string

const (
	NoProblem Problem = ""
	Constant  Problem = "constant"  // all numbers of the column are equal
	Collinear Problem = "collinear" // the other columns determine it; its VIF is MaxVIF
	// Separated means that the column, perhaps with others, predicts some outcomes without
	// exception, so that the likelihood increases without limit.
	Separated Problem = "separated"
	// FewClusters means that there are at most as many clusters as parameters.
	FewClusters Problem = "few clusters"
)

// A Regression is the result of [Design.Fit]. Coefficients are log odds of a better
// outcome per unit of a column.
type Regression struct {
	Names        []string  // of the columns
	Coefficients []float64 // finite, but meaningless for a column with a problem
	Problems     []Problem // by column
	VIF          []float64 // variance inflation factor by column, 1 to MaxVIF; above 10 a coefficient is unreliable
	// Thresholds are the log odds at which the odds of an outcome or a worse one are even,
	// in ascending order. With two outcomes, −Thresholds[0] is the intercept.
	Thresholds []float64
	Outcomes   []int // outcomes that occur, ascending
	// Likelihood is the log-likelihood of all rows, and Null that without columns.
	Likelihood, Null float64
	Rows, Clusters   int64

	model      *cumulative
	merged     func() *mergedDesign // for Refit
	at         []float64            // the parameters on the scale of deviations
	covariance *mat.SymDense        // of the coefficients; nil with few clusters
	outcomes   int
}

const (
	// The regression is fitted twice, like tournaments: a coefficient without a maximum
	// moves by about ln(λ far/λ near) = 9.2 between the rows that it separates.
	regressionFar    = 1e-3
	regressionNear   = 1e-7
	regressionEnough = 1e-13
	// separatedDrift is the least such move of a separated column.
	separatedDrift = 0.5
)

// Fit fits the model of proportional odds, which for two outcomes is logistic regression,
// by maximum likelihood (McCullagh 1980, "Regression Models for Ordinal Data"). Standard
// errors are cluster-robust, I⁻¹·(Σ ssᵀ)·I⁻¹·g/(g−1) with the information I and the
// gradients s of g clusters (Liang and Zeger 1986; Cameron and Miller 2015, "A
// Practitioner's Guide to Cluster-Robust Inference"). Problems marks columns without a
// usable coefficient, which do not affect the others. Fit fails if there are no rows, or
// if all outcomes are equal.
func (d *Design) Fit() (*Regression, error) {
	m := &cumulative{design: d, threads: d.Goroutines, level: make([]int, d.outcomes), enough: regressionEnough}
	r := &Regression{Names: d.names, Rows: int64(d.Rows()), Clusters: int64(d.Clusters()), model: m, outcomes: d.outcomes}
	counts := make([]float64, d.outcomes)
	for _, y := range d.outcome {
		counts[y]++
	}
	for y, n := range counts {
		if m.level[y] = m.levels; n > 0 {
			m.levels++
			r.Outcomes = append(r.Outcomes, y)
			r.Null += n * math.Log(n/float64(d.Rows()))
		}
	}
	switch m.levels {
	case 0:
		return nil, fmt.Errorf("there are 0 rows, must be 1 or more")
	case 1:
		return nil, fmt.Errorf("outcome is %d in all %d rows, must vary", r.Outcomes[0], d.Rows())
	}
	m.columns = d.columns()
	m.penalty = regressionFar
	far := m.maximise(m.begin(counts))
	m.penalty = regressionNear
	near := m.maximise(far.at)
	r.VIF, r.Likelihood, r.at = m.columns.vif, near.likelihood, near.at
	r.Coefficients = m.coefficients(near.at)
	for j := range d.names {
		r.Problems = append(r.Problems, r.problem(j, far.at))
	}
	r.Thresholds = m.thresholds(near.at)
	r.robust()
	r.merged = sync.OnceValue(d.merge)
	return r, nil
}

// begin returns the parameters with all coefficients 0.
func (m *cumulative) begin(counts []float64) []float64 {
	at := make([]float64, m.size())
	below, k := 0.0, 0
	for _, n := range counts {
		if below += n; n > 0 && k < m.levels-1 {
			at[k] = math.Log(below / (float64(m.design.Rows()) - below))
			k++
		}
	}
	return at
}

// coefficients returns the coefficients in the units of the columns.
func (m *cumulative) coefficients(at []float64) []float64 {
	b := make([]float64, len(m.columns.deviation))
	for j, deviation := range m.columns.deviation {
		b[j] = at[m.levels-1+j] / deviation
	}
	return b
}

// thresholds returns the thresholds for columns of 0.
func (m *cumulative) thresholds(at []float64) []float64 {
	t := slices.Clone(at[:m.levels-1])
	for j, b := range m.coefficients(at) {
		for k := range t {
			t[k] += b * m.columns.mean[j]
		}
	}
	return t
}

func (r *Regression) problem(j int, far []float64) Problem {
	c, k := r.model.columns, r.model.levels-1+j
	switch {
	case c.width[j] == 0:
		return Constant
	case c.vif[j] >= MaxVIF:
		return Collinear
	case math.Abs(r.at[k]-far[k])*c.width[j] > separatedDrift:
		return Separated
	case r.Clusters <= int64(r.model.size()):
		return FewClusters
	}
	return NoProblem
}

// robust computes the cluster-robust covariance of the coefficients.
func (r *Regression) robust() {
	m, size := r.model, r.model.size()
	if r.Clusters <= int64(size) {
		return
	}
	s := m.look(r.at, true)
	inverse := inverted(symmetric(s.information, size))
	var half, full mat.Dense
	half.Mul(inverse, symmetric(s.scatter, size))
	full.Mul(&half, inverse)
	first, factor := m.levels-1, float64(r.Clusters)/float64(r.Clusters-1)
	r.covariance = mat.NewSymDense(len(r.Names), nil)
	for j, deviation := range m.columns.deviation {
		for k := j; k < len(r.Names); k++ {
			r.covariance.SetSym(j, k, factor*full.At(first+j, first+k)/(deviation*m.columns.deviation[k]))
		}
	}
}

// Coefficient returns the interval of a column's coefficient: Student's with g−1 degrees
// of freedom for g clusters. If the column has a problem, the bounds are infinite. N
// counts rows.
func (r *Regression) Coefficient(j int, level float64) Interval {
	c := make([]float64, len(r.Names))
	c[j] = 1
	return r.Combination(c, level)
}

// Combination returns the interval of a linear combination of the coefficients, like
// [Regression.Coefficient].
func (r *Regression) Combination(c []float64, level float64) Interval {
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: r.Rows, Method: "proportional odds, cluster-robust"}
	for j, x := range c {
		i.Estimate += x * r.Coefficients[j]
	}
	if r.unusable(c) {
		return i
	}
	v := mat.NewVecDense(len(c), c)
	half := studentQuantile(level, float64(r.Clusters-1)) * math.Sqrt(math.Max(0, mat.Inner(v, r.covariance, v)))
	i.Low, i.High = i.Estimate-half, i.Estimate+half
	return i
}

// unusable reports whether a combination has a coefficient with a problem.
func (r *Regression) unusable(c []float64) bool {
	for j, x := range c {
		if x != 0 && r.Problems[j] != NoProblem {
			return true
		}
	}
	return false
}

// Ratio returns the interval of one coefficient divided by another, the unit, by
// Fieller's method (Fieller 1954, "Some Problems in Interval Estimation"). If the unit's
// interval includes 0, or a column has a problem, the bounds are infinite, which makes
// the interval conservative.
func (r *Regression) Ratio(j, unit int, level float64) Interval {
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: r.Rows, Method: "fieller, cluster-robust"}
	a, b := r.Coefficients[j], r.Coefficients[unit]
	if r.Problems[j] != NoProblem || r.Problems[unit] != NoProblem {
		return i
	}
	i.Estimate = a / b
	if j == unit {
		i.Estimate, i.Low, i.High = 1, 1, 1
		return i
	}
	t := studentQuantile(level, float64(r.Clusters-1))
	at := func(j, k int) float64 { return t * t * r.covariance.At(j, k) }
	square, middle, last := b*b-at(unit, unit), a*b-at(j, unit), a*a-at(j, j)
	if square <= 0 {
		if b == 0 {
			i.Estimate = 0
		}
		return i
	}
	half := math.Sqrt(math.Max(0, middle*middle-square*last)) / square
	i.Low, i.High = middle/square-half, middle/square+half
	return i
}

// Probabilities writes the probability of each outcome of a row to dst, whose length is
// the number of outcomes of the design. Outcomes that never occurred have probability 0.
func (r *Regression) Probabilities(dst []float64, x []float64) {
	eta := 0.0
	for j, v := range x {
		eta += r.Coefficients[j] * v
	}
	clear(dst[:r.outcomes])
	below := 0.0
	for k, y := range r.Outcomes {
		upTo := 1.0
		if k < len(r.Thresholds) {
			upTo = sigmoid(r.Thresholds[k] - eta)
		}
		dst[y] = math.Max(0, upTo-below)
		below = upTo
	}
}

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
