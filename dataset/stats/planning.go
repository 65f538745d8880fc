package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Trial is the plan of a comparison of means: a two-sided test by Student's t of
// independent units, such as games or the mean scores of pairs of games.
type Trial struct {
	Level float64 // of confidence; 0.95 means a test at 5 %
	// Groups is 1 for units against a fixed value, such as a match against ½ or differences
	// of pairs against 0, and 2 for two groups with equal numbers of units.
	Groups int
	// Variance is the variance of a unit, for two groups the mean of both: p·(1−p) for an
	// indicator, or [Clusters.PerCluster] of observations.
	Variance float64
}

// Validate checks the numbers of the plan.
func (t Trial) Validate() error {
	switch {
	case !(t.Level > 0 && t.Level < 1):
		return fmt.Errorf("level is %v, must be more than 0 and less than 1", t.Level)
	case t.Groups != 1 && t.Groups != 2:
		return fmt.Errorf("groups is %d, must be 1 or 2", t.Groups)
	case !(t.Variance > 0) || math.IsInf(t.Variance, 0):
		return fmt.Errorf("variance of a unit is %v, must be more than 0", t.Variance)
	}
	return nil
}

// Power returns the probability that the test finds a true difference with the given
// number of units in each group, or 0 with fewer than two units. It approximates the
// non-central t distribution by a normal one (Abramowitz and Stegun, Handbook of
// Mathematical Functions, 26.7.10), which is accurate to 0.01 with 8 units or more.
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

// MaxUnits is the greatest number of units of a plan.
const MaxUnits = 1 << 50

// Units returns the least number of units in each group for which the test finds a true
// difference with the given power.
func (t Trial) Units(difference, power float64) (int64, error) {
	if err := t.validPower(power); err != nil {
		return 0, err
	}
	if !(math.Abs(difference) > 0) || math.IsInf(difference, 0) {
		return 0, fmt.Errorf("difference is %v, must be finite and not 0", difference)
	}
	low, high := int64(1), int64(2) // too few units, enough units
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

// Precise returns the least number of units in each group for which the bounds of an
// interval are within a distance of the estimate, by the normal distribution.
func (t Trial) Precise(distance float64) (int64, error) {
	if err := t.Validate(); err != nil {
		return 0, err
	}
	if !(distance > 0) || math.IsInf(distance, 0) {
		return 0, fmt.Errorf("distance is %v, must be finite and more than 0", distance)
	}
	z := normalQuantile(t.Level)
	units := math.Ceil(z * z * float64(t.Groups) * t.Variance / (distance * distance))
	if units > MaxUnits {
		return 0, fmt.Errorf("a distance of %v needs more than %d units in each group", distance, int64(MaxUnits))
	}
	return int64(units), nil
}

// Detectable returns the least true difference above 0 that the test finds with the given
// power and number of units, at least two, in each group.
func (t Trial) Detectable(units int64, power float64) (float64, error) {
	if err := t.validPower(power); err != nil {
		return 0, err
	}
	if units < 2 {
		return 0, fmt.Errorf("units is %d in each group, must be 2 or more", units)
	}
	low, high := 0.0, math.Sqrt(t.Variance)
	for t.power(high, float64(units)) < power {
		low, high = high, 2*high
	}
	_, high = halve(60, low, high, func(difference float64) bool { return t.power(difference, float64(units)) >= power })
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

// Needed returns the number of observations, in all, with which an interval like i would
// exclude a value at a true distance with a power: the variance of an observation is that
// which the width of i implies. For the interval of a difference, N and the result count
// both groups, whose shares of it stay the same. i must have observations, finite bounds
// and a width.
func (i Interval) Needed(distance, power float64) (int64, error) {
	return Trial{Level: i.Level, Groups: 1, Variance: i.PerObservation()}.Units(distance, power)
}

// PerObservation returns the variance of an observation that the width of i implies.
func (i Interval) PerObservation() float64 {
	spread := (i.High - i.Low) / (2 * normalQuantile(i.Level))
	return spread * spread * float64(i.N)
}
