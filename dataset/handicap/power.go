package handicap

import (
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// Power is the power of detectable losses.
const Power = 0.8

// mostVariance is the greatest possible variance of the mean score of two independent
// games: that of games without draws that both sides win equally often.
const mostVariance = 1.0 / 8

// Foresee returns the loss that a number of pairs of games for each handicap can detect,
// with one test for each handicap, whatever the results. With draws, or if one side wins
// most games, smaller losses are detectable too. It returns nil if the games are too few
// to detect any loss.
func Foresee(pairs int64, tests int) *Detectable { return detectable(mostVariance, pairs, tests) }

// detectable returns the loss that the games of a handicap can detect.
func (m *Measures) detectable(tests int) *Detectable {
	variance, pairs := m.perPair()
	return detectable(variance, pairs, tests)
}

// detectable adjusts for several tests by Bonferroni's bound. Holm's method is never
// worse.
func detectable(variance float64, pairs int64, tests int) *Detectable {
	trial := stats.Trial{Level: 1 - significant/float64(max(1, tests)), Groups: 1, Variance: variance}
	loss, err := trial.Detectable(pairs, Power)
	if err != nil || loss > 0.5 {
		return nil
	}
	return &Detectable{Loss: loss, Power: Power, Pairs: pairs, Tests: max(1, tests)}
}
