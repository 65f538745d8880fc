package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// A Logistic is a logistic regression with a penalty. It minimises
//
//	Σᵢ wᵢ·H(yᵢ, σ(xᵢ·β)) + ½ Σⱼ λⱼβⱼ²
//
// over rows xᵢ with weights wᵢ and targets yᵢ, where H is the cross-entropy in nats. A
// target between 0 and 1 counts partly as either outcome (Hastie, Tibshirani and
// Friedman, The Elements of Statistical Learning, 2nd ed. 2009, section 4.4, with ridge
// shrinkage as in 3.4.1; a fractional target is the quasi-likelihood of Papke and
// Wooldridge 1996). There is no intercept unless the rows have a column for it.
type Logistic struct {
	Penalty []float64 // λ by column, 0 or more; must be above 0 for a unique solution if all values of a column are 0
	Start   []float64 // initial coefficients; nil means 0
	// Goroutines is the number of goroutines; 0 means 1. Results do not depend on it.
	Goroutines int
}

// A LogisticFit is the result of a logistic regression. Its numbers are finite for all
// rows.
type LogisticFit struct {
	Coefficients []float64
	Entropy      float64 // weighted mean over the rows, without the penalty; 0 without rows
	Steps        int
	// Converged says that the minimum was reached. If a penalty is 0, it may not exist.
	Converged bool
}

const (
	logisticSteps = 1000
	// logisticSlope is the greatest slope per row at a minimum. If rounding errors stop the
	// search early, roughSlope suffices.
	logisticSlope = 1e-8
	roughSlope    = 1e-5
)

// Fit fits the coefficients with limited-memory BFGS (Nocedal and Wright, Numerical
// Optimization, 2nd ed. 2006, algorithm 7.5). It scales each column by its curvature at β
// = 0. The error names a penalty, start or row that is not finite or has the wrong
// length.
func (l Logistic) Fit(rows *Rows) (*LogisticFit, error) {
	start := l.Start
	if start == nil {
		start = make([]float64, rows.columns)
	}
	if err := finiteColumns("penalty", l.Penalty, rows.columns); err != nil {
		return nil, err
	}
	if err := finiteColumns("start", start, rows.columns); err != nil {
		return nil, err
	}
	if least := slices.Min(append([]float64{0}, l.Penalty...)); least < 0 {
		return nil, fmt.Errorf("penalty is %v, must be 0 or more", least)
	}
	fit := &LogisticFit{Coefficients: slices.Clone(start), Converged: true}
	if rows.columns == 0 {
		fit.Entropy = rows.meanEntropy(start)
		return fit, nil
	}
	o := newLogisticObjective(rows, l.Penalty, max(1, l.Goroutines))
	x := make([]float64, rows.columns)
	floats.DivTo(x, start, o.scale)
	result, err := optimize.Minimize(
		optimize.Problem{
			Func: func(x []float64) float64 { return o.at(x).value },
			Grad: func(gradient, x []float64) { copy(gradient, o.at(x).gradient) },
		}, x,
		&optimize.Settings{GradientThreshold: logisticSlope, MajorIterations: logisticSteps, Converger: optimize.NeverTerminate{}},
		&optimize.LBFGS{Linesearcher: &optimize.MoreThuente{}, GradStopThreshold: math.NaN()})
	if result == nil {
		return nil, fmt.Errorf("logistic regression: %w", err)
	}
	// An error means that rounding left the line search nothing to gain. Near the minimum
	// that is fine, so the slope decides.
	fit.Converged = floats.Norm(o.at(result.X).gradient, math.Inf(1)) <= roughSlope
	fit.Steps = result.MajorIterations
	floats.MulTo(fit.Coefficients, result.X, o.scale)
	fit.Entropy = rows.meanEntropy(fit.Coefficients)
	return fit, nil
}

func finiteColumns(name string, x []float64, columns int) error {
	if len(x) != columns {
		return fmt.Errorf("%s has %d columns, must have %d like the rows", name, len(x), columns)
	}
	for j, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s of column %d is %v, must be finite", name, j, v)
		}
	}
	return nil
}

// meanEntropy returns the weighted mean cross-entropy of the rows, in nats.
func (r *Rows) meanEntropy(coefficients []float64) float64 {
	sum, weight := 0.0, 0.0
	for i := range r.ends {
		w := float64(r.weight[i])
		sum += w * r.Entropy(i, coefficients)
		weight += w
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// A logisticObjective is the objective of a regression divided by the weight of the rows,
// as a function of the coefficients divided by scale.
type logisticObjective struct {
	rows       *Rows
	penalty    []float64
	scale      []float64
	unit       float64 // weight of the rows
	goroutines int

	x, beta  []float64 // point of value and gradient; x is empty at first
	value    float64
	gradient []float64
	parts    []logisticPart // consecutive rows, summed in order
}

// A logisticPart is the contribution of some rows to an objective.
type logisticPart struct {
	first, end int
	value      float64
	gradient   []float64
}

func newLogisticObjective(rows *Rows, penalty []float64, goroutines int) *logisticObjective {
	const rowsAPart, mostParts = 1 << 14, 64
	o := &logisticObjective{
		rows: rows, penalty: penalty, scale: slices.Clone(penalty), unit: rows.Weight(), goroutines: goroutines,
		beta: make([]float64, rows.columns), gradient: make([]float64, rows.columns),
	}
	for i := range rows.ends {
		index, value := rows.terms(i)
		for k, j := range index {
			v := float64(value[k])
			o.scale[j] += float64(rows.weight[i]) * v * v / 4
		}
	}
	if o.unit == 0 {
		o.unit = 1
	}
	for j, curvature := range o.scale {
		o.scale[j] = 1
		if curvature > 0 {
			o.scale[j] = math.Sqrt(o.unit / curvature)
		}
	}
	size := max(rowsAPart, (rows.Len()+mostParts-1)/mostParts)
	for first := 0; first < rows.Len(); first += size {
		o.parts = append(o.parts, logisticPart{first: first, end: min(first+size, rows.Len()), gradient: make([]float64, rows.columns)})
	}
	return o
}

// at computes the objective at x, unless x is the same as last time.
func (o *logisticObjective) at(x []float64) *logisticObjective {
	if slices.Equal(o.x, x) {
		return o
	}
	o.x = append(o.x[:0], x...)
	floats.MulTo(o.beta, x, o.scale)
	share(len(o.parts), o.goroutines, func() func(int) {
		return func(i int) { o.rows.share(&o.parts[i], o.beta) }
	})
	o.value = 0
	clear(o.gradient)
	for i := range o.parts {
		o.value += o.parts[i].value
		floats.Add(o.gradient, o.parts[i].gradient)
	}
	for j, b := range o.beta {
		o.value += o.penalty[j] / 2 * b * b
		o.gradient[j] = (o.gradient[j] + o.penalty[j]*b) * o.scale[j] / o.unit
	}
	o.value /= o.unit
	return o
}

// share computes a part.
func (r *Rows) share(p *logisticPart, beta []float64) {
	p.value = 0
	clear(p.gradient)
	for i := p.first; i < p.end; i++ {
		y, w, z := float64(r.target[i]), float64(r.weight[i]), r.logit(i, beta)
		p.value += w * entropy(y, z)
		slope := w * (sigmoid(z) - y)
		index, value := r.terms(i)
		for k, j := range index {
			p.gradient[j] += slope * float64(value[k])
		}
	}
}
