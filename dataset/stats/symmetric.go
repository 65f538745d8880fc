package stats

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// addOuter adds times·x·xᵀ to the upper half of a square matrix, by row.
func addOuter(square, x []float64, times float64) {
	for j, v := range x {
		to := square[j*len(x) : (j+1)*len(x)]
		for k := j; k < len(x); k++ {
			to[k] += times * v * x[k]
		}
	}
}

// addTo adds numbers elementwise.
func addTo(dst, x []float64) {
	if dst != nil {
		floats.Add(dst, x)
	}
}

// symmetric returns a copy of the matrix with this upper half, by row.
func symmetric(upper []float64, size int) *mat.SymDense {
	return mat.NewSymDense(size, append([]float64(nil), upper...))
}

// inverted returns the inverse of a positive definite matrix, or 0 if rounding errors make
// it indefinite.
func inverted(a *mat.SymDense) *mat.SymDense {
	inverse := mat.NewSymDense(a.SymmetricDim(), nil)
	var factors mat.Cholesky
	if factors.Factorize(a) {
		// A bad condition number shows in large numbers of the inverse.
		_ = factors.InverseTo(inverse)
	}
	return inverse
}
