package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A cumulative is the likelihood of proportional odds (McCullagh 1980, "Regression Models
// for Ordinal Data"), which for two outcomes is that of logistic regression. With z the
// columns as deviations from their means,
//
//	P(outcome ≤ j) = σ(θⱼ − z·β)
//
// The parameters are the thresholds θ, in ascending order, followed by β. The
// log-likelihood is concave (Pratt 1981, "Concavity of the Log Likelihood"). It has a
// penalty of λ/2·β², because without one it has no maximum if the columns separate the
// outcomes.
type cumulative struct {
	design  *Design
	columns *columns
	level   []int // index of an outcome among those that occur
	levels  int
	penalty float64
	times   []int32 // weight by cluster; nil means 1
	threads int
	enough  float64 // least gain of a step
}

func (m *cumulative) size() int { return m.levels - 1 + len(m.columns.mean) }

// A slope is the log-likelihood at some parameters, with its derivatives.
type slope struct {
	at          []float64
	likelihood  float64
	objective   float64   // with the penalty
	gradient    []float64 // of the objective
	information []float64 // minus its second derivatives, upper half by row
	scatter     []float64 // Σ ssᵀ over the gradients s of clusters, without the penalty; likewise
}

// Clusters are summed in at most mostParts parts of at least clustersAPart clusters, and
// then the parts are summed.
const clustersAPart, mostParts = 256, 64

// look evaluates the likelihood at parameters, which it keeps. The parts of the sums do not
// depend on the number of goroutines.
func (m *cumulative) look(at []float64, scatter bool) *slope {
	size := m.size()
	total := newSlope(at, size, scatter)
	clusters := m.design.Clusters()
	each := max(clustersAPart, (clusters+mostParts-1)/mostParts)
	parts := make([]*slope, (clusters+each-1)/each)
	share(len(parts), m.threads, func() func(int) {
		row := newCumulativeRow(m)
		return func(i int) {
			part := newSlope(at, size, scatter)
			for c := i * each; c < min((i+1)*each, clusters); c++ {
				row.cluster(part, c)
			}
			parts[i] = part
		}
	})
	for _, part := range parts {
		total.likelihood += part.likelihood
		addTo(total.gradient, part.gradient)
		addTo(total.information, part.information)
		addTo(total.scatter, part.scatter)
	}
	total.objective = total.likelihood
	for k := m.levels - 1; k < size; k++ {
		total.objective -= m.penalty / 2 * at[k] * at[k]
		total.gradient[k] -= m.penalty * at[k]
		total.information[k*size+k] += m.penalty
	}
	return total
}

func newSlope(at []float64, size int, scatter bool) *slope {
	s := &slope{at: at, gradient: make([]float64, size), information: make([]float64, size*size)}
	if scatter {
		s.scatter = make([]float64, size*size)
	}
	return s
}

// A cumulativeRow is scratch space for adding a row.
type cumulativeRow struct {
	model    *cumulative
	z        []float64
	gradient []float64 // of a cluster
}

func newCumulativeRow(m *cumulative) *cumulativeRow {
	return &cumulativeRow{model: m, z: make([]float64, len(m.columns.mean)), gradient: make([]float64, m.size())}
}

// cluster adds the rows of a cluster.
func (r *cumulativeRow) cluster(s *slope, c int) {
	m, times := r.model, 1.0
	if m.times != nil {
		times = float64(m.times[c])
	}
	if times == 0 {
		return
	}
	clear(r.gradient)
	first, end := m.design.rows(c)
	for i := first; i < end; i++ {
		for j, v := range m.design.row(i) {
			r.z[j] = (float64(v) - m.columns.mean[j]) / m.columns.deviation[j]
		}
		s.likelihood += times * r.add(s, m.level[m.design.outcome[i]], times)
	}
	for k, g := range r.gradient {
		s.gradient[k] += times * g
	}
	if s.scatter != nil {
		addOuter(s.scatter, r.gradient, times)
	}
}

// add adds a row of the given level to the gradient of its cluster and, with its weight, to
// the information. It returns the row's log-likelihood. With u and l the distances of the
// thresholds above and below, the probability of the level is
//
//	σ(u) − σ(l) = σ(u)·σ(−l)·(1 − e^(l−u))
func (r *cumulativeRow) add(s *slope, level int, times float64) float64 {
	thresholds, size := r.model.levels-1, len(s.gradient)
	eta := 0.0
	for j, z := range r.z {
		eta += s.at[thresholds+j] * z
	}
	likelihood, a, b := 0.0, 1.0, 0.0 // a = σ(u), b = σ(l)
	var near, bend float64            // of ln(1 − e^(l−u)) in u: derivative, and minus the second
	if level < thresholds {
		u := s.at[level] - eta
		a = sigmoid(u)
		likelihood -= entropy(1, u)
	}
	if level > 0 {
		l := s.at[level-1] - eta
		b = sigmoid(l)
		likelihood -= entropy(0, l)
	}
	if level > 0 && level < thresholds {
		gap := s.at[level] - s.at[level-1]
		near = 1 / math.Expm1(gap)
		bend = near * (1 + near)
		likelihood += math.Log(-math.Expm1(-gap))
	}
	curveA, curveB := a*(1-a), b*(1-b)
	if level < thresholds {
		r.gradient[level] += 1 - a + near
		s.information[level*size+level] += times * (curveA + bend)
		for j, z := range r.z {
			s.information[level*size+thresholds+j] -= times * curveA * z
		}
	}
	if level > 0 {
		r.gradient[level-1] -= b + near
		s.information[(level-1)*size+level-1] += times * (curveB + bend)
		for j, z := range r.z {
			s.information[(level-1)*size+thresholds+j] -= times * curveB * z
		}
	}
	if level > 0 && level < thresholds {
		s.information[(level-1)*size+level] -= times * bend
	}
	for j, z := range r.z {
		r.gradient[thresholds+j] += (a + b - 1) * z
		weight := times * (curveA + curveB) * z
		to := s.information[(thresholds+j)*size+thresholds : (thresholds+j+1)*size]
		for k := j; k < len(r.z); k++ {
			to[k] += weight * r.z[k]
		}
	}
	return likelihood
}

// maximise finds the maximum by Newton's method with halved steps.
func (m *cumulative) maximise(begin []float64) *slope {
	const rounds, halvings = 100, 40
	now := m.look(begin, false)
	for range rounds {
		step := m.step(now)
		gain := 0.0
		for k, d := range step {
			gain += d * now.gradient[k]
		}
		if !(gain > m.enough) {
			break
		}
		var next *slope
		for range halvings {
			to := make([]float64, len(step))
			for k := range to {
				to[k] = now.at[k] + step[k]
			}
			if m.rising(to) {
				if next = m.look(to, false); next.objective >= now.objective-1e-12*math.Abs(now.objective) {
					break
				}
			}
			next = nil
			for k := range step {
				step[k] /= 2
			}
		}
		if next == nil {
			break
		}
		now = next
	}
	return now
}

// step returns Newton's step, or 0 if rounding errors prevent one.
func (m *cumulative) step(s *slope) []float64 {
	step := mat.NewVecDense(m.size(), nil)
	var factors mat.Cholesky
	if factors.Factorize(symmetric(s.information, m.size())) {
		// A bad condition number comes from collinear columns, which the penalty bounds.
		_ = factors.SolveVecTo(step, mat.NewVecDense(m.size(), s.gradient))
	}
	return step.RawVector().Data
}

// rising reports whether the thresholds ascend.
func (m *cumulative) rising(at []float64) bool {
	for k := 1; k < m.levels-1; k++ {
		if !(at[k] > at[k-1]) {
			return false
		}
	}
	return true
}
