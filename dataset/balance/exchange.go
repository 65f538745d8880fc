package balance

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// weights are the values of the types in the whole game, in log odds. They are nil if
// the value of some type is not significantly above 0. Types whose difference never
// varies weigh 0.
type weights struct {
	regression *stats.Regression
	of         []float64 // by type
}

// weigh returns the coefficients of the whole game as weights if those of all types
// whose difference varies are significantly above 0, otherwise nil.
func weigh(whole *PhaseValues, r *stats.Regression) *weights {
	if !whole.Problem.None() {
		return nil
	}
	w := &weights{regression: r, of: make([]float64, len(whole.Types))}
	for t, value := range whole.Types {
		switch {
		case value.Problem == (Problem{Code: NeverVaries}):
		case value.Value != nil && value.Value.Low > 0 && value.LogOdds.Low > 0:
			w.of[t] = value.LogOdds.Estimate
		default:
			return nil
		}
	}
	return w
}

// exchanges sets ValueALoss of each type: the weight that the type takes divided by the
// weight of its losses.
//
// The ratio f has two errors, which are assumed to be independent. That of the exchanges
// follows from the share of the weight taken in the weight taken and lost, by cluster.
// That of the weights β follows by the delta method from their covariance Σ: with K the
// victims of type t by type,
//
//	var ln f = gᵀΣg,  g = ∂ ln f/∂β = K/(K·β) − e_t/β_t
//
// On the log scale, the distance of a bound from the estimate is the root of the sum of
// both squared distances (Zou and Donner 2008).
func (w *weights) exchanges(s *sample, types []TypeActivity) {
	if w == nil {
		return
	}
	clusters, victims := w.clusters(s)
	for t := range types {
		if w.of[t] <= 0 {
			continue
		}
		value := ratio(clusters[t].Interval(stats.Level))
		value.N, value.Method = s.games, value.Method+", delta method"
		if taken := dot(victims[t], w.of); taken > 0 && value.Estimate > 0 && !math.IsInf(value.Estimate, 1) {
			gradient := make([]float64, len(w.regression.Names))
			for v, n := range victims[t] {
				if w.of[v] > 0 {
					gradient[v] = n / taken
				}
			}
			gradient[t] -= 1 / w.of[t]
			i := w.regression.Combination(gradient, stats.Level)
			spread := i.High - i.Estimate
			value.Low = value.Estimate * math.Exp(-math.Hypot(math.Log(value.Estimate/value.Low), spread))
			value.High = value.Estimate * math.Exp(math.Hypot(math.Log(value.High/value.Estimate), spread))
		}
		types[t].ValueALoss = &value
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for k := range b {
		sum += a[k] * b[k]
	}
	return sum
}

// clusters returns, by type, the clusters of the share of the weight that it takes in the
// weight that it takes and loses, and the number of its victims by type.
func (w *weights) clusters(s *sample) (shares []stats.Clusters, victims [][]float64) {
	k := len(w.of)
	shares, victims = make([]stats.Clusters, k), make([][]float64, k)
	for t := range victims {
		victims[t] = make([]float64, k)
	}
	taken, lost := make([]float64, k), make([]float64, k)
	const scale = 1000 // the size of a cluster is an integer: thousandths
	end := func() {
		for t := range shares {
			size := int64(math.Round(scale * (taken[t] + lost[t])))
			shares[t].Add(math.Min(scale*taken[t], float64(size)), size)
			taken[t], lost[t] = 0, 0
		}
	}
	for i := range s.trades {
		trade := &s.trades[i]
		if i > 0 && s.trades[i-1].group != trade.group {
			end()
		}
		worth := float64(trade.amount) * w.of[trade.victim]
		taken[trade.killer] += worth
		lost[trade.victim] += worth
		victims[trade.killer][trade.victim] += float64(trade.amount)
	}
	end()
	return shares, victims
}
