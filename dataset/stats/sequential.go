package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sequential is a two-sided group sequential test of a planned size: data are
// looked at several times, and may end the trial each time, with an error of 1 −
// Level in all. How much of it a look may spend follows from the information so
// far by the spending function of O'Brien and Fleming's kind, for error α and
// information t of the plan
//
//	4·(1 − Φ(z/√t)), z the quantile of 1 − α/4
//
// so that early looks end a trial only by great differences and the last one is
// nearly as good as a trial without looks (Lan and DeMets 1983, "Discrete
// Sequential Boundaries for Clinical Trials"). When looks take place must not
// depend on the differences seen.
//
// An interval at a look's level holds the truth at all looks at once with
// probability Level (repeated confidence intervals, Jennison and Turnbull, Group
// Sequential Methods with Applications to Clinical Trials, 2000, chapter 9):
// whatever it leaves out is refused, whether that is no difference or one beyond
// a margin of equivalence.
type Sequential struct {
	Level float64 // of confidence in all looks together
}

// A Look is what a sequential test asks for at one look.
type Look struct {
	Information float64 `json:"information"` // share of the plan: of its pairs where all pairs count alike
	Bound       float64 `json:"bound"`       // of the estimate in standard errors, at most MaxBound
	Level       float64 `json:"level"`       // of the interval that leaves out what is beyond the bound
	Spent       float64 `json:"spent"`       // error up to this look
}

const (
	// MaxBound is the bound of looks so early that they can end nothing.
	MaxBound = 8
	// leastInformation is what must come between two looks.
	leastInformation = 1e-3
)

// Looks returns the looks at so much information, which rises by at least 0.001
// from look to look. The last one may be at 1 or beyond, which spends all that is
// left; a look never changes what was asked for at those before.
func (s Sequential) Looks(information []float64) ([]Look, error) {
	if err := s.validate(information); err != nil {
		return nil, err
	}
	looks := make([]Look, len(information))
	before := surviving{points: []float64{0}, weights: []float64{1}}
	last, spent := 0.0, 0.0
	for k, t := range information {
		next := s.spending(t)
		step := math.Sqrt(t - last)
		bound := falling(func(z float64) float64 { return before.leaving(z*math.Sqrt(t), step) - (next - spent) }, 0, MaxBound)
		looks[k] = Look{Information: t, Bound: bound, Level: 1 - 2*distuv.UnitNormal.Survival(bound), Spent: next}
		if k+1 < len(information) {
			before = before.next(bound*math.Sqrt(t), step, math.Min(step, math.Sqrt(information[k+1]-t)))
		}
		last, spent = t, next
	}
	return looks, nil
}

func (s Sequential) validate(information []float64) error {
	if !(s.Level > 0 && s.Level < 1) {
		return fmt.Errorf("level is %v, must be more than 0 and less than 1", s.Level)
	}
	last := 0.0
	for k, t := range information {
		if !(t-last >= leastInformation*(1-1e-9)) || math.IsInf(t, 0) {
			return fmt.Errorf("information of look %d is %v, must be at least %v more than %v", k+1, t, leastInformation, last)
		}
		if last >= 1 {
			return fmt.Errorf("information of look %d is %v, but look %d had all that was planned", k+1, t, k)
		}
		last = t
	}
	return nil
}

// spending returns the error that may be spent up to so much information.
func (s Sequential) spending(t float64) float64 {
	alpha := 1 - s.Level
	if t >= 1 {
		return alpha
	}
	z := distuv.UnitNormal.Quantile(1 - alpha/4)
	return 4 * distuv.UnitNormal.Survival(z/math.Sqrt(t))
}

// surviving is the distribution of a Brownian motion at a look, where it was
// within the bounds at all looks so far, as weighted points: an integral over it
// is the sum (Armitage, McPherson and Rowe 1969, "Repeated Significance Tests on
// Accumulating Data"; Gauss's points in place of Simpson's).
type surviving struct {
	points, weights []float64
}

// leaving returns the probability to survive so far and be beyond ±bound at the
// next look, up to which the motion has the standard deviation step.
func (s *surviving) leaving(bound, step float64) float64 {
	sum := 0.0
	for i, x := range s.points {
		sum += s.weights[i] * (distuv.UnitNormal.Survival((bound-x)/step) + distuv.UnitNormal.Survival((bound+x)/step))
	}
	return sum
}

// next returns the distribution at the next look within ±bound. The finest scale
// on which it, or what follows from it, changes decides how many points it has.
func (s *surviving) next(bound, step, finest float64) surviving {
	const least, perScale = 40, 5
	n := least + int(perScale*2*bound/finest)
	d := surviving{points: make([]float64, n), weights: make([]float64, n)}
	quad.Legendre{}.FixedLocations(d.points, d.weights, -bound, bound)
	for i, y := range d.points {
		density := 0.0
		for j, x := range s.points {
			density += s.weights[j] * distuv.UnitNormal.Prob((y-x)/step) / step
		}
		d.weights[i] *= density
	}
	return d
}
