package stats

import (
	"math"
)

// Levels converts the level that intervals and tests must have at all looks of a
// sequential trial together to the level that they need at its last look so far. The zero
// value is that of a trial with a single look. It is not safe for concurrent use.
type Levels struct {
	spending    Spending
	information []float64 // shares of the plan up to the look; empty for a single look
	known       map[float64]float64
}

// Levels returns the levels at the last of looks at the given information, which must be
// as in [Sequential.Looks]. They do not depend on the level of s.
func (s Sequential) Levels(information []float64) (*Levels, error) {
	if _, err := s.Looks(information); err != nil {
		return nil, err
	}
	return &Levels{spending: s.Spending, information: information, known: map[float64]float64{}}, nil
}

// At returns the level of an interval at this look for a level at all looks.
func (l *Levels) At(level float64) float64 {
	if len(l.information) == 0 {
		return level
	}
	if at, ok := l.known[level]; ok {
		return at
	}
	at := level
	if looks, err := (Sequential{Level: level, Spending: l.spending}).Looks(l.information); err == nil { // information was checked
		at = looks[len(looks)-1].Level
	}
	l.known[level] = at
	return at
}

// Repeated converts the P value of a test at this look to the P value at all looks: the
// least error of a sequential trial whose interval at this look rejects as much
// (Jennison and Turnbull, Group Sequential Methods with Applications to Clinical
// Trials, 2000, section 9.5). It is valid for any rule that ends the trial.
func (l *Levels) Repeated(t Test) Test {
	if len(l.information) == 0 {
		return t
	}
	t.Method = "repeated, " + t.Method
	const least = 1e-15
	rejected := math.Log(t.P)
	// beyond is at least 0 if a trial with the error exp(x) rejects as much.
	beyond := func(x float64) float64 { return math.Log(1-l.At(1-math.Exp(x))) - rejected }
	if beyond(math.Log(least)) >= 0 {
		t.P = least
		return t
	}
	t.P = math.Exp(rising(beyond, math.Log(least), 0))
	return t
}

// Significance is like the function [Significance] with the value 0, at all looks.
func (l *Levels) Significance(interval func(level float64) Interval) Test {
	return l.Repeated(Significance(interval, 0))
}

// Equivalence is like the function [Equivalence] with the margins ±margin, at all looks.
func (l *Levels) Equivalence(interval func(level float64) Interval, margin float64) Test {
	t := Equivalence(interval, -margin, margin)
	if t.P >= 0.5 {
		return t
	}
	t.P *= 2 // as for the two-sided interval
	t = l.Repeated(t)
	t.P /= 2
	return t
}

// rising returns the root of a function that rises from below 0 at low to 0 or more at
// high, to a millionth, by the Illinois method of false position, which takes few steps
// for a nearly straight function (Dowell and Jarratt 1971, "A Modified Regula Falsi
// Method for Computing the Root of an Equation").
func rising(f func(x float64) float64, low, high float64) float64 {
	const near, steps = 1e-6, 60
	below, above := f(low), f(high)
	side := 0 // the end that moved last: 1 for high, −1 for low
	for range steps {
		if high-low < near || above == 0 {
			break
		}
		// At least near/2 from both ends, so that both converge.
		x := math.Max(low+near/2, math.Min(high-near/2, low-below*(high-low)/(above-below)))
		if y := f(x); y >= 0 {
			if high, above = x, y; side > 0 {
				below /= 2
			}
			side = 1
		} else {
			if low, below = x, y; side < 0 {
				above /= 2
			}
			side = -1
		}
	}
	return high
}
