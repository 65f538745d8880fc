package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A fit holds the likeliest parameters of a tournament under the prior of [RatePairs]: the
// natural logarithms of the strengths by player, of the advantage of moving first, and of
// the draw parameter ν. The logarithm of the posterior density is strictly concave.
type fit struct {
	players  int
	games    []meetings
	pairings []Pairing // pairs of the games; nil for independent games
	draws    bool      // whether any game was drawn; otherwise ν is 0
	prior    float64   // virtual games
	level    float64
	best     *solution
}

// A space is an affine space of parameters: full = basis·x + offset.
type space struct {
	basis  *mat.Dense
	offset []float64
}

// free returns the space of all parameters. ν is 0 if there were no draws.
func (f *fit) free() *space { return f.space(-1, nil, 0) }

// given returns the space in which a combination of parameters has a value.
func (f *fit) given(c []float64, value float64) *space {
	for k := range c {
		if math.Abs(c[k]) > 1e-12 {
			return f.space(k, c, value)
		}
	}
	return f.free()
}

// space returns a space in which c·full = value determines parameter pivot, or no
// parameter if pivot is −1.
func (f *fit) space(pivot int, c []float64, value float64) *space {
	size := f.players + 2
	var columns []int
	for k := range size {
		if k != pivot && (k != f.players+1 || f.draws) {
			columns = append(columns, k)
		}
	}
	s := &space{basis: mat.NewDense(size, len(columns), nil), offset: make([]float64, size)}
	for j, k := range columns {
		s.basis.Set(k, j, 1)
		if pivot >= 0 {
			s.basis.Set(pivot, j, -c[k]/c[pivot])
		}
	}
	if pivot >= 0 {
		s.offset[pivot] = value / c[pivot]
	}
	return s
}

// A solution is a maximum of the posterior density.
type solution struct {
	space      *space
	full       []float64
	covariance *mat.SymDense // of the coordinates in the space
	density    float64       // its logarithm, up to a constant
}

// value returns a combination of the parameters.
func (s *solution) value(c []float64) float64 {
	sum := 0.0
	for k, x := range c {
		sum += x * s.full[k]
	}
	return sum
}

// variance returns the variance of a combination of the parameters.
func (s *solution) variance(c []float64) float64 {
	var inner mat.VecDense
	inner.MulVec(s.space.basis.T(), mat.NewVecDense(len(c), c))
	return mat.Inner(&inner, s.covariance, &inner)
}

// scatter returns the variance of a combination of the parameters from the variation
// between pairs, or 0 with fewer than two pairs.
func (f *fit) scatter(c []float64) float64 {
	var inner, weights, full mat.VecDense
	inner.MulVec(f.best.space.basis.T(), mat.NewVecDense(len(c), c))
	weights.MulVec(f.best.covariance, &inner)
	full.MulVec(f.best.space.basis, &weights)
	var pairs, squares float64
	slope, curve := mat.NewVecDense(len(c), nil), mat.NewSymDense(len(c), nil)
	for _, p := range f.pairings {
		for i := range p.Pairs {
			for j, n := range p.Pairs[i] {
				if n == 0 {
					continue
				}
				one := Pairing{First: p.First, Second: p.Second}
				one.Pairs[i][j] = 1
				slope.Zero()
				for _, m := range one.meetings() {
					f.meeting(&m, f.best.full, slope, curve)
				}
				s := mat.Dot(slope, &full)
				pairs += float64(n)
				squares += float64(n) * s * s
			}
		}
	}
	if pairs < 2 {
		return 0
	}
	return squares * pairs / (pairs - 1)
}

// profileEnd returns the bound of a combination of parameters in a direction of −1 (down)
// or 1 (up). See [RatePairs].
//
// The root of the distance from the maximum is about proportional to the distance of the
// value from the estimate.
func (f *fit) profileEnd(c []float64, direction float64) float64 {
	variance := f.best.variance(c)
	wanted := normalQuantile(f.level) * math.Sqrt(math.Max(1, f.scatter(c)/variance))
	estimate, last := f.best.value(c), f.best
	beyond := func(distance float64) float64 {
		last = f.maximise(f.given(c, estimate+direction*distance), last)
		return math.Sqrt(2*math.Max(0, f.best.density-last.density)) - wanted
	}
	near, far := 0.0, wanted*math.Sqrt(variance)
	for beyond(far) < 0 {
		near, far = far, 2*far
	}
	return estimate + direction*rising(beyond, near, far)
}
