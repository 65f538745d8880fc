package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A fit holds the most likely parameters of a tournament: the natural logarithms of the
// strengths by player, of the advantage of moving first, and of the draw parameter ν.
//
// The log-likelihood is that of a multinomial logit and concave, but it may have no
// maximum: if a player won every game, it increases without limit. So it is maximised
// twice with a penalty of λ/2 on the square of each parameter, once with a small λ (far)
// and once with a much smaller one (near). A parameter with a maximum hardly changes
// between both; one without a maximum moves by about ln(λ far/λ near) = 9.2.
type fit struct {
	players   int
	games     []meetings
	pairings  []Pairing // pairs of the games; nil for independent games
	draws     bool      // whether any game was drawn; otherwise ν is 0
	level     float64
	near, far *solution
}

const (
	farPenalty  = 1e-3
	nearPenalty = 1e-7

	// unboundedDrift is the least move from far to near of a parameter without a maximum.
	unboundedDrift = 0.5
	// unknownVariance is the least variance of a parameter that the games do not determine,
	// which is 1/λ.
	unknownVariance = 1e4
)

func newFit(players int, games []meetings, draws bool, level float64) *fit {
	f := &fit{players: players, games: games, draws: draws, level: level}
	free := f.free()
	f.far = f.maximise(free, farPenalty, nil)
	f.near = f.maximise(free, nearPenalty, f.far)
	return f
}

// drift returns how far a player's rating moves from far to near.
func (f *fit) drift(i int) float64 { return f.near.full[i] - f.far.full[i] }

// A space is an affine space of parameters: full = basis·x + offset.
type space struct {
	basis  *mat.Dense
	offset []float64
}

// free returns the space of all parameters. The first player's strength is 1, and ν is 0
// if there were no draws.
func (f *fit) free() *space { return f.space(-1, nil, 0) }

// given returns the space in which a combination of parameters has a value.
func (f *fit) given(c []float64, value float64) *space {
	for k := 1; k < len(c); k++ {
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
	for k := 1; k < size; k++ {
		if k != pivot && (k != f.players+1 || f.draws) {
			columns = append(columns, k)
		}
	}
	s := &space{basis: mat.NewDense(size, max(1, len(columns)), nil), offset: make([]float64, size)}
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

// A solution is a maximum of the penalised likelihood.
type solution struct {
	space      *space
	full       []float64
	covariance *mat.SymDense // of the coordinates in the space
	likelihood float64       // log-likelihood without the penalty
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
	inner.MulVec(f.near.space.basis.T(), mat.NewVecDense(len(c), c))
	weights.MulVec(f.near.covariance, &inner)
	full.MulVec(f.near.space.basis, &weights)
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
					f.meeting(&m, f.near.full, slope, curve)
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

// profileEnd returns the bound of a combination of parameters without a maximum, in a
// direction of −1 (down) or 1 (up): the value at which the profile log-likelihood is less
// than its supremum by half the quantile of χ² with one degree of freedom.
func (f *fit) profileEnd(c []float64, direction float64) float64 {
	quantile := normalQuantile(f.level)
	limit := f.near.likelihood - quantile*quantile/2
	short := func(value float64) bool {
		return f.maximise(f.given(c, value), nearPenalty, f.near).likelihood < limit
	}
	inside := f.near.value(c)
	step := 1.0
	outside := inside + direction*step
	for !short(outside) {
		inside, step = outside, 2*step
		outside += direction * step
		if step > 1e3 {
			return math.Inf(int(direction))
		}
	}
	inside, outside = halve(40, inside, outside, short)
	return (inside + outside) / 2
}
