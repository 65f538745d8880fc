package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A fit holds the most likely parameters of a tournament: the natural logarithms
// of the strengths by player, of the advantage of moving first, and of the draw
// parameter ν.
//
// The log-likelihood is that of a multinomial logit and concave, but it may have
// no maximum: it rises for ever where, say, a player won every game. So it is
// maximised twice with a penalty of λ/2 on the square of each parameter, where λ
// is small (far) and much smaller still (near). A parameter that has a maximum
// hardly notices; one that has none moves on by about ln(λ far/λ near) = 9.2.
type fit struct {
	players   int
	games     []meetings
	pairings  []Pairing // of which the games are; nil where they are no pairs
	draws     bool      // whether there were any; else ν is 0
	level     float64
	near, far *solution
}

const (
	farPenalty  = 1e-3
	nearPenalty = 1e-7

	// unboundedDrift is how far a parameter moves from far to near that has no maximum.
	unboundedDrift = 0.5
	// unknownVariance is what only a parameter has that the games tell nothing of,
	// whose variance is 1/λ.
	unknownVariance = 1e4
)

func newFit(players int, games []meetings, draws bool, level float64) *fit {
	f := &fit{players: players, games: games, draws: draws, level: level}
	free := f.free()
	f.far = f.maximise(free, farPenalty, nil)
	f.near = f.maximise(free, nearPenalty, f.far)
	return f
}

// drift is how far a player's rating moves from far to near.
func (f *fit) drift(i int) float64 { return f.near.full[i] - f.far.full[i] }

// A space is what the parameters may be: full = basis·x + offset.
type space struct {
	basis  *mat.Dense
	offset []float64
}

// free returns the space of all parameters, with the first player's strength
// being 1, and ν 0 where there were no draws.
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

// space makes a space in which parameter pivot, −1 for none, follows from the
// others by c·full = value.
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
	likelihood float64       // its logarithm, without the penalty
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

// scatter returns the variance of a combination of the parameters as the scatter
// of the pairs shows it; 0 with fewer than two.
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

// profileEnd returns how far a combination of parameters that rises or falls
// without end may go in the other direction, −1 down or 1 up: to where the best
// likelihood with that value falls short of the best of all by half the quantile
// of χ² with one degree of freedom.
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
	const halvings = 40
	for range halvings {
		middle := (inside + outside) / 2
		if short(middle) {
			outside = middle
		} else {
			inside = middle
		}
	}
	return (inside + outside) / 2
}
