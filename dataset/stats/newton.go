package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// maximise finds the maximum of the posterior density in a space by Newton's method with
// step halving, starting at begin unless it is nil. It stops by Newton's decrement, the possible gain of a step, which is less sensitive to
// rounding than the values of the objective.
func (f *fit) maximise(s *space, begin *solution) *solution {
	size, dims := s.basis.Dims()
	x := make([]float64, dims)
	if begin != nil {
		for j := range x {
			for k := range size {
				if s.basis.At(k, j) == 1 {
					x[j] = begin.full[k]
				}
			}
		}
	}
	const rounds, halvings, enough = 200, 30, 1e-16
	now := f.look(s, x)
	for range rounds {
		step := now.step()
		if !(floats.Dot(step, now.gradient.RawVector().Data) > enough*(1+math.Abs(now.objective))) {
			break
		}
		var next *view
		for range halvings {
			floats.AddTo(x, now.x, step)
			next = f.look(s, x)
			if next.objective >= now.objective-1e-12*math.Abs(now.objective) {
				break
			}
			floats.Scale(0.5, step)
		}
		now = next
	}
	return now.solution()
}

// A view is the posterior density at a point, with its derivatives.
type view struct {
	space       *space
	x, full     []float64
	objective   float64       // logarithm of the density
	gradient    *mat.VecDense // of the objective in the space
	information mat.Cholesky  // minus its second derivatives
}

// look evaluates the posterior density at x, which it copies.
func (f *fit) look(s *space, x []float64) *view {
	size, dims := s.basis.Dims()
	v := &view{space: s, x: append([]float64(nil), x...), full: make([]float64, size), gradient: mat.NewVecDense(dims, nil)}
	full := mat.NewVecDense(size, v.full)
	full.MulVec(s.basis, mat.NewVecDense(dims, v.x))
	full.AddVec(full, mat.NewVecDense(size, append([]float64(nil), s.offset...)))

	slope := mat.NewVecDense(size, nil)
	curve := mat.NewSymDense(size, nil)
	for i := range f.games {
		v.objective += f.meeting(&f.games[i], v.full, slope, curve)
	}
	for k := range f.players + 1 {
		v.objective += f.virtual(k, v.full[k], slope, curve)
	}
	if f.draws { // ν between equals: the odds of a draw are ν to 2
		v.objective += f.virtual(f.players+1, v.full[f.players+1]-math.Ln2, slope, curve)
	}
	v.gradient.MulVec(s.basis.T(), slope)
	var half, inner mat.Dense
	half.Mul(s.basis.T(), curve)
	inner.Mul(&half, s.basis)
	information := mat.NewSymDense(dims, nil)
	for j := range dims {
		for k := j; k < dims; k++ {
			information.SetSym(j, k, (inner.At(j, k)+inner.At(k, j))/2)
		}
	}
	// Far from the maximum the curvature of the prior is lost to rounding. The ridge keeps
	// the matrix positive definite; it is too small to affect a variance.
	const ridge = 1e-12
	for j, trace := 0, mat.Trace(information); j < dims; j++ {
		information.SetSym(j, j, information.At(j, j)+ridge*trace)
	}
	v.information.Factorize(information)
	return v
}

// virtual adds the derivatives of the logarithm of the prior, as meeting does, of a
// parameter k on which x, the log odds of one of two events, depends with slope 1. Each
// event happened in half of the virtual games.
func (f *fit) virtual(k int, x float64, slope *mat.VecDense, curve *mat.SymDense) float64 {
	p := sigmoid(x)
	slope.SetVec(k, slope.AtVec(k)+f.prior*(0.5-p))
	curve.SetSym(k, k, curve.At(k, k)+f.prior*p*(1-p))
	return -f.prior * entropy(0.5, x)
}

// meeting adds the derivatives of the log-likelihood of some games in all parameters,
// with the negated second ones to curve, and returns the log-likelihood. With d the
// difference in strength, the logarithms of the weights of win, draw and loss are d/2, ln ν
// and −d/2.
func (f *fit) meeting(m *meetings, full []float64, slope *mat.VecDense, curve *mat.SymDense) float64 {
	games := float64(m.games())
	if games == 0 {
		return 0
	}
	side, drawing := f.players, f.players+1
	d := full[m.First] + full[side] - full[m.Second]
	utility := []float64{d / 2, -d / 2}
	if f.draws {
		utility = append(utility, full[drawing])
	}
	norm := floats.LogSumExp(utility)
	win, loss, draw := math.Exp(utility[0]-norm), math.Exp(utility[1]-norm), 0.0
	likelihood := float64(m.Wins)*(utility[0]-norm) + float64(m.Losses)*(utility[1]-norm)
	if f.draws {
		draw = math.Exp(utility[2] - norm)
		likelihood += float64(m.Draws) * (utility[2] - norm)
	}
	byStrength := float64(m.Wins-m.Losses)/2 - games*(win-loss)/2
	curveStrength := games / 4 * (win + loss - (win-loss)*(win-loss))
	terms := []struct {
		k    int
		sign float64
	}{{m.First, 1}, {m.Second, -1}, {side, 1}}
	add := func(j, k int, x float64) { curve.SetSym(j, k, curve.At(j, k)+x) }
	for i, a := range terms {
		slope.SetVec(a.k, slope.AtVec(a.k)+a.sign*byStrength)
		for _, b := range terms[i:] {
			add(a.k, b.k, a.sign*b.sign*curveStrength)
		}
		add(a.k, drawing, -a.sign*games*draw*(win-loss)/2)
	}
	slope.SetVec(drawing, slope.AtVec(drawing)+float64(m.Draws)-games*draw)
	add(drawing, drawing, games*draw*(1-draw))
	return likelihood
}

// step returns Newton's step.
func (v *view) step() []float64 {
	step := mat.NewVecDense(len(v.x), nil)
	if err := v.information.SolveVecTo(step, v.gradient); err != nil {
		if _, poor := err.(mat.Condition); !poor {
			step.Zero()
		}
	}
	return step.RawVector().Data
}

func (v *view) solution() *solution {
	s := &solution{space: v.space, full: v.full, covariance: mat.NewSymDense(len(v.x), nil), density: v.objective}
	// A bad condition number comes from a parameter that the games hardly determine. Its
	// variance shows that.
	_ = v.information.InverseTo(s.covariance)
	return s
}

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
