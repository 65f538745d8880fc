package balance

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// DefaultReplicates is how often the bootstrap draws unless Options say otherwise.
const DefaultReplicates = 1000

const (
	// enoughClusters is from how many clusters on the bootstrap is used: with fewer its
	// intervals are too narrow.
	enoughClusters = 200
	// mostRows bounds the different rows with which it is affordable. With as many
	// clusters as so many rows take it agrees with Fieller's method.
	mostRows = 20_000
	// clearUnit is how many standard errors the unit is from nothing where no
	// replicate comes near it.
	clearUnit = 4
)

// bootstrapStream and the phase make the seed: the same data give the same intervals.
const bootstrapStream = 0x626f6f74 // "boot"

// resampled holds bootstrap intervals by column; nil has none.
type resampled struct {
	values, scores []stats.Interval // values are nil where the unit may be worth nothing
}

// resampled draws clusters with replacement and fits each draw, or returns nil where
// there are too few clusters, or rows too many.
func (v *valuer) resampled(r *stats.Regression, p phase) *resampled {
	if v.replicates <= 0 || r.Clusters < enoughClusters || r.DistinctRows() > mostRows {
		return nil
	}
	columns := len(v.names)
	draw := stats.Resampling{Replicates: v.replicates, Seed: env.Derive(bootstrapStream, uint64(p)), Goroutines: v.goroutines}
	intervals := draw.Percentile(int(r.Clusters), 2*columns, stats.Level, func(dst []float64, times []int32) {
		fit := make([]float64, columns+len(r.Thresholds))
		r.Refit(fit, times)
		for j, x := range fit[:columns] {
			dst[j] = x / fit[v.unit]
			dst[columns+j] = aheadBy(r.Outcomes, fit[columns:], x)
		}
	})
	for j := range intervals {
		intervals[j].N = r.Rows
		intervals[j].Method += ", clusters"
	}
	out := &resampled{values: intervals[:columns], scores: intervals[columns:]}
	if unit := r.Coefficient(v.unit, stats.Level); math.Abs(unit.Estimate) < clearUnit*(unit.High-unit.Estimate)/2 {
		out.values = nil
	}
	return out
}

// value is the interval of a column's worth, the other where the bootstrap has none.
func (d *resampled) value(j int, other stats.Interval) *stats.Interval {
	if d != nil && d.values != nil && other.Low != other.High && bounded(d.values[j]) {
		return &d.values[j]
	}
	return &other
}

// score is the interval of the score of who is one ahead, likewise.
func (d *resampled) score(j int, other stats.Interval) *stats.Interval {
	if d != nil && bounded(d.scores[j]) {
		return &d.scores[j]
	}
	return &other
}

func bounded(i stats.Interval) bool { return !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0) }

// aheadBy is the expected score of a player who is ahead by eta in the logarithm of
// the odds, whichever it is.
func aheadBy(outcomes []int, thresholds []float64, eta float64) float64 {
	return (expected(outcomes, thresholds, eta) + 1 - expected(outcomes, thresholds, -eta)) / 2
}

// expected is the expected score of the first player, 1 a win and ½ a draw, with the
// odds of a better result multiplied by e to the power of eta.
func expected(outcomes []int, thresholds []float64, eta float64) float64 {
	score := float64(outcomes[len(outcomes)-1]) / 2
	for k, threshold := range thresholds {
		step := float64(outcomes[k+1]-outcomes[k]) / 2
		score -= step / (1 + math.Exp(eta-threshold))
	}
	return score
}
