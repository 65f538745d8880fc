package handicap

import (
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Power is the power that a plan is to have.
const Power = 0.8

// mostVariance is the greatest variance that the mean score of two independent games
// can have: that of games without draws that either side wins as often.
const mostVariance = 1.0 / 8

// Foresee tells what so many pairs of games for each of so many handicaps can show,
// whatever the results: with draws, or games that one side mostly wins, they show less
// than this loss too. nil says that they are too few to show anything.
func Foresee(pairs int64, tests int) *Detectable { return detectable(mostVariance, pairs, tests) }

// detectable tells what the games of a handicap could show.
func (g *games) detectable(tests int) *Detectable {
	variance, pairs := g.perPair()
	return detectable(variance, pairs, tests)
}

// detectable adjusts for several tests by Bonferroni's bound, which Holm's method
// is never worse than.
func detectable(variance float64, pairs int64, tests int) *Detectable {
	trial := stats.Trial{Level: 1 - significant/float64(max(1, tests)), Groups: 1, Variance: variance}
	loss, err := trial.Detectable(pairs, Power)
	if err != nil || loss > 0.5 {
		return nil
	}
	return &Detectable{Loss: loss, Power: Power, Pairs: pairs, Tests: max(1, tests)}
}
