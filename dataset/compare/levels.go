package compare

import (
	"fmt"
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// levels are what intervals and tests at a look of a plan must be asked for so that
// they hold with a level at all looks at once.
type levels struct {
	information []float64 // up to the look; empty where it is the only one
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

// at returns the level of an interval at this look for a level in all looks.
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

// repeated returns the P value in all looks of a test that has one at this look: the
// least error of a sequential trial whose interval at this look refuses as much
// (Jennison and Turnbull, Group Sequential Methods with Applications to Clinical
// Trials, 2000, section 9.5). A trial that ends by any rule has the error that it says.
func (l *levels) repeated(t stats.Test) stats.Test {
	if len(l.information) == 0 {
		return t
	}
	t.Method = "repeated, " + t.Method
	const least = 1e-15
	refused := math.Log(t.P)
	// beyond is at least 0 where a trial with the logarithm of an error refuses as much.
	beyond := func(x float64) float64 { return math.Log(1-l.at(1-math.Exp(x))) - refused }
	if beyond(math.Log(least)) >= 0 {
		t.P = least
		return t
	}
	t.P = math.Exp(rising(beyond, math.Log(least), 0))
	return t
}

// rising returns where a function that rises from below 0 at low to 0 or more at high
// gets to 0, to a millionth, by false position as Illinois has it, which takes few
// steps where the function is nearly straight (Dowell and Jarratt 1971, "A Modified
// Regula Falsi Method for Computing the Root of an Equation").
func rising(f func(x float64) float64, low, high float64) float64 {
	const near, steps = 1e-6, 60
	below, above := f(low), f(high)
	side := 0 // whose end has moved last
	for range steps {
		if high-low < near || above == 0 {
			break
		}
		// Half of what is near from the ends at least, so that both get near.
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

// significance tests whether what an interval estimates is 0.
func (l *levels) significance(interval func(level float64) stats.Interval) stats.Test {
	return l.repeated(stats.Significance(interval, 0))
}

// equivalence tests whether what an interval estimates is within a margin of 0.
func (l *levels) equivalence(interval func(level float64) stats.Interval, margin float64) stats.Test {
	t := stats.Equivalence(interval, -margin, margin)
	if t.P >= 0.5 {
		return t
	}
	t.P *= 2 // of the two-sided interval
	t = l.repeated(t)
	t.P /= 2
	return t
}

// divided is the level of each of n intervals that hold all at once with a level,
// by Bonferroni's inequality.
func divided(level float64, n int) float64 { return 1 - (1-level)/float64(max(1, n)) }
