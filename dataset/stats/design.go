package stats

import (
	"fmt"
	"math"
)

// A Design holds the observations of a regression of an ordered outcome, such as lost,
// drawn and won, on columns of numbers. It uses 4 bytes per number and 1 byte per row.
type Design struct {
	// Goroutines is the number of goroutines; 0 means 1. Results do not depend on it.
	Goroutines int

	names    []string
	outcomes int
	x        []float32 // by row and column
	outcome  []uint8
	ends     []int // end of the rows, by cluster
	cluster  int64 // the last
}

// maxOutcomes is the greatest number of outcomes.
const maxOutcomes = 256

// NewDesign returns a design without rows, with the given number of outcomes, 2 to 256,
// and columns with these names. It has no column for an intercept.
func NewDesign(outcomes int, names ...string) (*Design, error) {
	if outcomes < 2 || outcomes > maxOutcomes {
		return nil, fmt.Errorf("outcomes is %d, must be 2 to %d", outcomes, maxOutcomes)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there are 0 columns, must be 1 or more")
	}
	return &Design{names: names, outcomes: outcomes}, nil
}

// Append adds a row with an outcome; 0 is the worst. Rows that are not independent, such
// as positions of a game or of games with the same opening, have the same cluster.
// Clusters must be added in ascending order. Append copies x as float32.
func (d *Design) Append(cluster int64, x []float64, outcome int) error {
	row := len(d.outcome)
	switch {
	case len(x) != len(d.names):
		return fmt.Errorf("row %d has %d columns, must have %d", row, len(x), len(d.names))
	case outcome < 0 || outcome >= d.outcomes:
		return fmt.Errorf("row %d: outcome is %d, must be 0 to %d", row, outcome, d.outcomes-1)
	case row > 0 && cluster < d.cluster:
		return fmt.Errorf("row %d: cluster %d comes after cluster %d, must ascend", row, cluster, d.cluster)
	}
	for j, v := range x {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return fmt.Errorf("row %d: %s is %v, must be finite", row, d.names[j], v)
		}
	}
	for _, v := range x {
		d.x = append(d.x, float32(v))
	}
	d.outcome = append(d.outcome, uint8(outcome))
	if row == 0 || cluster > d.cluster {
		d.ends = append(d.ends, 0)
	}
	d.cluster = cluster
	d.ends[len(d.ends)-1] = row + 1
	return nil
}

// Rows returns the number of rows.
func (d *Design) Rows() int { return len(d.outcome) }

// Clusters returns the number of clusters.
func (d *Design) Clusters() int { return len(d.ends) }

// rows returns the first row of a cluster and the one after its last.
func (d *Design) rows(cluster int) (first, end int) {
	if cluster > 0 {
		first = d.ends[cluster-1]
	}
	return first, d.ends[cluster]
}

func (d *Design) row(i int) []float32 { return d.x[i*len(d.names) : (i+1)*len(d.names)] }

// columns holds the scales of the columns for a regression.
type columns struct {
	mean, deviation []float64 // deviation is 1 if all numbers are equal
	width           []float64 // range, in deviations
	vif             []float64
}

// MaxVIF is the variance inflation factor of a column that the others determine.
const MaxVIF = 1e6

// columns computes the scales of the columns. The variance inflation factor of a column is
// 1/(1 − R²) with the R² of a regression on the others, the diagonal of the inverse
// of the matrix of correlations (Belsley, Kuh and Welsch, Regression Diagnostics,
// 1980, section 3.2).
func (d *Design) columns() *columns {
	size, n := len(d.names), float64(d.Rows())
	c := &columns{mean: make([]float64, size), deviation: make([]float64, size), width: make([]float64, size), vif: make([]float64, size)}
	least, most := make([]float64, size), make([]float64, size)
	for i := range d.outcome {
		for j, v := range d.row(i) {
			x := float64(v)
			if i == 0 {
				least[j], most[j] = x, x
			}
			least[j], most[j] = math.Min(least[j], x), math.Max(most[j], x)
			c.mean[j] += x / n
		}
	}
	products := make([]float64, size*size)
	centred := make([]float64, size)
	for i := range d.outcome {
		for j, v := range d.row(i) {
			centred[j] = float64(v) - c.mean[j]
		}
		addOuter(products, centred, 1/n)
	}
	for j := range size {
		c.deviation[j] = 1
		if most[j] > least[j] {
			c.deviation[j] = math.Sqrt(products[j*size+j])
			c.width[j] = (most[j] - least[j]) / c.deviation[j]
		}
	}
	correlations := symmetric(products, size)
	for j := range size {
		for k := j; k < size; k++ {
			correlations.SetSym(j, k, correlations.At(j, k)/(c.deviation[j]*c.deviation[k]))
		}
		// A column that the others determine exactly gets MaxVIF instead of infinity.
		const nothing = 1e-9
		correlations.SetSym(j, j, 1+nothing)
	}
	inverse := inverted(correlations)
	for j := range size {
		c.vif[j] = math.Min(MaxVIF, math.Max(1, inverse.At(j, j)))
	}
	return c
}
