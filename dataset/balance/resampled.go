package balance

import (
	"math"

	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// DefaultReplicates is the default of Options.Replicates.
const DefaultReplicates = 1000

const (
	// bootstrapClusters is the least number of clusters for a bootstrap. With fewer, its
	// intervals are too narrow.
	bootstrapClusters = 200
	// mostRows is the greatest number of distinct rows for which a bootstrap is fast
	// enough. With more rows it agrees with Fieller's method.
	mostRows = 20_000
	// clearUnit is the number of standard errors from 0 at which no replicate of the unit
	// comes near 0.
	clearUnit = 4
)

// bootstrapStream and the phase determine the seed, so that equal data have equal
// intervals.
const bootstrapStream = 0x626f6f74 // "boot"

// resampled holds bootstrap intervals by column. A nil *resampled has none.
type resampled struct {
	values, scores []stats.Interval // values is nil if the unit may be worth 0
}

// resampled draws clusters with replacement and fits each draw. It returns nil if there
// are too few clusters or too many rows.
func (v *valuer) resampled(r *stats.Regression, p phase) *resampled {
	if v.replicates <= 0 || r.Clusters < bootstrapClusters || r.DistinctRows() > mostRows {
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

// value returns the interval of the value of column j, or other if the bootstrap has none.
func (d *resampled) value(j int, other stats.Interval) *stats.Interval {
	if d != nil && d.values != nil && other.Low != other.High && bounded(d.values[j]) {
		return &d.values[j]
	}
	return &other
}

// score returns the interval of the score of the side that is one ahead in column j, or
// other.
func (d *resampled) score(j int, other stats.Interval) *stats.Interval {
	if d != nil && bounded(d.scores[j]) {
		return &d.scores[j]
	}
	return &other
}

func bounded(i stats.Interval) bool { return !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0) }

// aheadBy returns the expected score of a side that is ahead by eta in log odds, averaged
// over both players.
func aheadBy(outcomes []int, thresholds []float64, eta float64) float64 {
	return (expected(outcomes, thresholds, eta) + 1 - expected(outcomes, thresholds, -eta)) / 2
}

// expected returns the expected score of the first player, with 1 for a win and ½ for a
// draw, if the odds of a better result are multiplied by exp(eta).
func expected(outcomes []int, thresholds []float64, eta float64) float64 {
	score := float64(outcomes[len(outcomes)-1]) / 2
	for k, threshold := range thresholds {
		step := float64(outcomes[k+1]-outcomes[k]) / 2
		score -= step / (1 + math.Exp(eta-threshold))
	}
	return score
}
