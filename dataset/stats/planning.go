package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Trial is what a comparison of means is planned by: a two-sided test by
// Student's t of units that are independent, such as games, or the mean scores of
// pairs of games.
type Trial struct {
	Level float64 // of confidence: 0.95 tests at 5 %
	// Groups is 1 for units against a fixed value, such as a match against ½, or the
	// differences of pairs against 0; 2 for two groups of as many units each.
	Groups int
	// Variance is that of a unit, in two groups the mean of theirs: p·(1−p) of an
	// indicator, [Clusters.PerCluster] of what was observed.
	Variance float64
}

// Validate checks the plan.
func (t Trial) Validate() error {
	switch {
	case !(t.Level > 0 && t.Level < 1):
		return fmt.Errorf("level is %v, must be more than 0 and less than 1", t.Level)
	case t.Groups != 1 && t.Groups != 2:
		return fmt.Errorf("groups are %d, must be 1 or 2", t.Groups)
	case !(t.Variance > 0) || math.IsInf(t.Variance, 0):
		return fmt.Errorf("variance of a unit is %v, must be more than 0", t.Variance)
	}
	return nil
}

// Power returns the probability that a true difference is found with so many
// units in each group, 0 with fewer than two. The non-central distribution of t is
// taken as normal (Abramowitz and Stegun, Handbook of Mathematical Functions,
// 26.7.10), which is good to 0.01 from 8 units on.
func (t Trial) Power(difference float64, units int64) (float64, error) {
	if err := t.Validate(); err != nil {
		return 0, err
	}
	if math.IsNaN(difference) || math.IsInf(difference, 0) {
		return 0, fmt.Errorf("difference is %v, must be finite", difference)
	}
	return t.power(difference, float64(units)), nil
}

func (t Trial) power(difference, units float64) float64 {
	if units < 2 {
		return 0
	}
	groups := float64(t.Groups)
	degrees := groups * (units - 1)
	centre := math.Abs(difference) / math.Sqrt(groups*t.Variance/units)
	bound := studentQuantile(t.Level, degrees)
	beyond := func(x float64) float64 {
		return distuv.UnitNormal.Survival((x*(1-1/(4*degrees)) - centre) / math.Sqrt(1+x*x/(2*degrees)))
	}
	return beyond(bound) + 1 - beyond(-bound)
}

// MaxUnits is the most units that a plan asks for.
const MaxUnits = 1 << 50

// Units returns the least number of units in each group with which a true
// difference is found with a power.
func (t Trial) Units(difference, power float64) (int64, error) {
	if err := t.validPower(power); err != nil {
		return 0, err
	}
	if !(math.Abs(difference) > 0) || math.IsInf(difference, 0) {
		return 0, fmt.Errorf("difference is %v, must be other than 0 and finite", difference)
	}
	low, high := int64(1), int64(2) // too few, enough
	for t.power(difference, float64(high)) < power {
		if high >= MaxUnits {
			return 0, fmt.Errorf("a difference of %v needs more than %d units in each group", difference, int64(MaxUnits))
		}
		low, high = high, 2*high
	}
	for high-low > 1 {
		if middle := (low + high) / 2; t.power(difference, float64(middle)) < power {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}

// Detectable returns the least true difference, more than 0, that is found with a
// power by so many units in each group, at least two.
func (t Trial) Detectable(units int64, power float64) (float64, error) {
	if err := t.validPower(power); err != nil {
		return 0, err
	}
	if units < 2 {
		return 0, fmt.Errorf("units in each group are %d, must be 2 or more", units)
	}
	low, high := 0.0, math.Sqrt(t.Variance)
	for t.power(high, float64(units)) < power {
		low, high = high, 2*high
	}
	const halvings = 60
	for range halvings {
		if middle := (low + high) / 2; t.power(middle, float64(units)) < power {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}

func (t Trial) validPower(power float64) error {
	if err := t.Validate(); err != nil {
		return err
	}
	if !(power > 1-t.Level && power < 1) {
		return fmt.Errorf("power is %v, must be more than the test's error of %.4g and less than 1", power, 1-t.Level)
	}
	return nil
}
