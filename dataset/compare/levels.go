package compare

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// levels converts the level that intervals and tests must have at all looks of a plan
// together to the level that they need at one look.
type levels struct {
	information []float64 // shares of the games up to the look; empty for a single look
	known       map[float64]float64
}

func (p *Plan) levels(look int) (*levels, error) {
	if look < 0 || look >= p.LookCount() {
		return nil, fmt.Errorf("look is %d, must be 0 to %d", look, p.LookCount()-1)
	}
	l := &levels{known: map[float64]float64{}}
	if len(p.Looks) > 0 {
		l.information = p.information()[:look+1]
		if _, err := (stats.Sequential{Level: stats.Level}).Looks(l.information); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// at returns the level of an interval at this look for a level at all looks.
func (l *levels) at(level float64) float64 {
	if len(l.information) == 0 {
		return level
	}
	if at, ok := l.known[level]; ok {
		return at
	}
	at := level
	if looks, err := (stats.Sequential{Level: level}).Looks(l.information); err == nil { // information was checked
		at = looks[len(looks)-1].Level
	}
	l.known[level] = at
	return at
}

// repeated converts the P value of a test at this look to the P value at all looks: the
// least error of a sequential trial whose interval at this look rejects as much
// (Jennison and Turnbull, Group Sequential Methods with Applications to Clinical
// Trials, 2000, section 9.5). It is valid for any rule that ends the trial.
func (l *levels) repeated(t stats.Test) stats.Test {
	if len(l.information) == 0 {
		return t
	}
	t.Method = "repeated, " + t.Method
	const least = 1e-15
	rejected := math.Log(t.P)
	// beyond is at least 0 if a trial with the error exp(x) rejects as much.
	beyond := func(x float64) float64 { return math.Log(1-l.at(1-math.Exp(x))) - rejected }
	if beyond(math.Log(least)) >= 0 {
		t.P = least
		return t
	}
	t.P = math.Exp(rising(beyond, math.Log(least), 0))
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

// significance tests the hypothesis that the estimated number is 0.
func (l *levels) significance(interval func(level float64) stats.Interval) stats.Test {
	return l.repeated(stats.Significance(interval, 0))
}

// equivalence tests the hypothesis that the estimated number is not within a margin of 0.
func (l *levels) equivalence(interval func(level float64) stats.Interval, margin float64) stats.Test {
	t := stats.Equivalence(interval, -margin, margin)
	if t.P >= 0.5 {
		return t
	}
	t.P *= 2 // as for the two-sided interval
	t = l.repeated(t)
	t.P /= 2
	return t
}

// divided returns the level that each of n intervals needs for all of them to hold
// together with a level, by Bonferroni's inequality.
func divided(level float64, n int) float64 { return 1 - (1-level)/float64(max(1, n)) }
