package compare

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// levels are what intervals at a look of a plan must be asked for so that they hold
// with a level at all looks at once.
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

// divided is the level of each of n intervals that hold all at once with a level,
// by Bonferroni's inequality.
func divided(level float64, n int) float64 { return 1 - (1-level)/float64(max(1, n)) }
