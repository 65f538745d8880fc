package stats

import (
	"fmt"
	"math"
)

// A Term is the value of one column of a sparse row.
type Term struct {
	Index int32
	Value float32
}

// Rows are weighted observations for a regression in compressed sparse form. They use 8
// bytes per term and 16 bytes per row.
type Rows struct {
	columns int
	ends    []int // of the terms, by row
	index   []int32
	value   []float32
	target  []float32
	weight  []float32
}

// NewRows returns empty rows with the given number of columns.
func NewRows(columns int) *Rows { return &Rows{columns: columns} }

// Append adds a row with a weight of 0 or more and a target from 0 to 1. Columns without
// a term are 0, and terms of the same column add up. Append copies the terms.
func (r *Rows) Append(terms []Term, target, weight float64) error {
	switch {
	case !(target >= 0 && target <= 1):
		return fmt.Errorf("row %d: target is %v, must be 0 to 1", r.Len(), target)
	case !(weight >= 0 && weight <= math.MaxFloat32):
		return fmt.Errorf("row %d: weight is %v, must be 0 or more", r.Len(), weight)
	}
	for _, t := range terms {
		if t.Index < 0 || int(t.Index) >= r.columns {
			return fmt.Errorf("row %d: column is %d, must be 0 to %d", r.Len(), t.Index, r.columns-1)
		}
		if v := float64(t.Value); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("row %d: column %d is %v, must be finite", r.Len(), t.Index, v)
		}
	}
	for _, t := range terms {
		r.index, r.value = append(r.index, t.Index), append(r.value, t.Value)
	}
	r.ends = append(r.ends, len(r.index))
	r.target, r.weight = append(r.target, float32(target)), append(r.weight, float32(weight))
	return nil
}

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.ends) }

// Columns returns the number of columns.
func (r *Rows) Columns() int { return r.columns }

// Weight returns the sum of the weights.
func (r *Rows) Weight() float64 {
	sum := 0.0
	for _, w := range r.weight {
		sum += float64(w)
	}
	return sum
}

// MeanTarget returns the weighted mean of the targets, or ½ without rows.
func (r *Rows) MeanTarget() float64 {
	sum, weight := 0.0, r.Weight()
	if weight == 0 {
		return 0.5
	}
	for i, w := range r.weight {
		sum += float64(w) * float64(r.target[i])
	}
	return sum / weight
}

// terms returns the terms of a row.
func (r *Rows) terms(row int) (index []int32, value []float32) {
	from, to := 0, r.ends[row]
	if row > 0 {
		from = r.ends[row-1]
	}
	return r.index[from:to], r.value[from:to]
}

// logit returns the product of a row with the coefficients.
func (r *Rows) logit(row int, coefficients []float64) float64 {
	sum := 0.0
	index, value := r.terms(row)
	for k, j := range index {
		sum += float64(value[k]) * coefficients[j]
	}
	return sum
}

// Entropy returns the cross-entropy of a row under the coefficients of a logistic model,
// in nats and without its weight.
func (r *Rows) Entropy(row int, coefficients []float64) float64 {
	return entropy(float64(r.target[row]), r.logit(row, coefficients))
}

// EntropyAt returns the cross-entropy of a row with predicted probability p, above 0 and
// below 1, in nats.
func (r *Rows) EntropyAt(row int, p float64) float64 {
	return entropy(float64(r.target[row]), math.Log(p/(1-p)))
}

// entropy returns −y·ln σ(z) − (1−y)·ln(1−σ(z)), which is finite for every z.
func entropy(y, z float64) float64 {
	return math.Max(z, 0) - y*z + math.Log1p(math.Exp(-math.Abs(z)))
}

// sigmoid returns σ(z) = 1/(1+e^−z).
func sigmoid(z float64) float64 {
	if z < 0 {
		e := math.Exp(z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-z))
}
