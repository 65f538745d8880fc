package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sequential is a two-sided group sequential test of a planned size. It looks at the data
// several times and may end the trial each time, with a total error of 1 − Level. A
// spending function determines the error that looks may spend up to information t, a share
// of the plan (Lan and DeMets 1983, "Discrete Sequential Boundaries for Clinical Trials").
// The times of looks must not depend on the observed differences.
//
// Intervals at the levels of the looks contain the true value at all looks together with
// probability Level (repeated confidence intervals, Jennison and Turnbull, Group
// Sequential Methods with Applications to Clinical Trials, 2000, chapter 9). A value
// outside the interval is rejected, be it 0 or a margin of equivalence.
type Sequential struct {
	Level    float64 // of confidence for all looks together
	Spending Spending
}

// A Spending is a function of the information t that determines the error spent up to t,
// for a total error α.
type Spending int8

const (
	// LateSpending is of O'Brien and Fleming's kind, 4·(1 − Φ(z/√t)) with z the quantile of
	// 1 − α/4. Early looks end a trial only for large differences, and the last look has
	// nearly the power of a trial without looks.
	LateSpending Spending = iota
	// EvenSpending is of Pocock's kind, α·ln(1 + (e−1)·t). All looks have similar bounds, so
	// that intervals of early looks are useful too.
	EvenSpending
)

// A Look holds the bounds of a sequential test at one look.
type Look struct {
	Information float64 `json:"information"` // share of the plan, such as the share of its pairs
	Bound       float64 `json:"bound"`       // in standard errors of the estimate, at most MaxBound
	Level       float64 `json:"level"`       // of the interval that excludes values beyond the bound
	Spent       float64 `json:"spent"`       // error spent up to this look
}

const (
	// MaxBound is the bound of looks that are too early to end a trial.
	MaxBound = 8
	// leastInformation is the least information between two looks.
	leastInformation = 1e-3
)

// Looks returns the looks at the given information, which must ascend by at least 0.001.
// A look at 1 or more is the last one and spends all of the remaining error. Later looks
// never change the bounds of earlier ones.
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
			return fmt.Errorf("information of look %d is %v, but look %d had all planned information", k+1, t, k)
		}
		last = t
	}
	return nil
}

// spending returns the error that looks may spend up to the given information.
func (s Sequential) spending(t float64) float64 {
	alpha := 1 - s.Level
	if t >= 1 {
		return alpha
	}
	if s.Spending == EvenSpending {
		return alpha * math.Log1p((math.E-1)*t)
	}
	z := distuv.UnitNormal.Quantile(1 - alpha/4)
	return 4 * distuv.UnitNormal.Survival(z/math.Sqrt(t))
}

// surviving is the distribution, as weighted points, of a Brownian motion at a look if it
// was within the bounds at all looks so far. An integral over it is a sum (Armitage,
// McPherson and Rowe 1969, "Repeated Significance Tests on Accumulating Data"; with Gauss's
// points instead of Simpson's).
type surviving struct {
	points, weights []float64
}

// leaving returns the probability that the motion survives so far and is beyond ±bound at
// the next look. Until then it moves with standard deviation step.
func (s *surviving) leaving(bound, step float64) float64 {
	sum := 0.0
	for i, x := range s.points {
		sum += s.weights[i] * (distuv.UnitNormal.Survival((bound-x)/step) + distuv.UnitNormal.Survival((bound+x)/step))
	}
	return sum
}

// next returns the distribution at the next look within ±bound. Its number of points
// depends on the finest scale of this and later distributions.
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
