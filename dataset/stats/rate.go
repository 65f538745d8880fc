package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// RateInterval returns the interval of a mean of counts, of which none is below 0,
// such as captures a game: that of Clusters' mean r with its variance v as if it came
// from a Poisson count of r²/v, the effective one, which is the count divided by its
// design effect (Rao and Scott 1999, "A Simple Method for Analysing Overdispersion
// in Clustered Poisson Data"). Of that count it is Garwood's exact interval (1936,
// "Fiducial Limits for the Poisson Distribution"), generalised to counts that are not
// whole by quantiles of the gamma distribution (Fay and Feuer 1997, "Confidence
// Intervals for Directly Standardized Rates", equation 8)
//
//	G⁻¹(α/2; k)/k·r  to  G⁻¹(1−α/2; k+1)/k·r,  k = r²/v
//
// with tails α/2 as small as Student's quantile of g−1 degrees of freedom has them.
// It holds the truth at least as often as its level says where counts are few, by
// design mostly more often, and as often where they are many.
//
// Where the clusters show no variation, as many effective counts as clusters are
// assumed, and where nothing was counted at all, as many effective trials: then the
// interval ends at −ln(α/2)/g. Of one cluster, or none, it is without an upper bound.
func (c *Clusters) RateInterval(level float64) Interval {
	i := Interval{High: math.Inf(1), Level: level, N: int64(c.size), Method: "gamma, clusters"}
	if c.clusters == 0 {
		return i
	}
	mean, variance := c.Mean()
	i.Estimate = mean
	if c.clusters < 2 {
		return i
	}
	if mean <= 0 {
		i.High = -math.Log((1-level)/2) / c.clusters
		return i
	}
	count, tail := c.clusters, (1-level)/2
	if variance > 0 {
		count, tail = mean*mean/variance, distuv.UnitNormal.Survival(studentQuantile(level, c.clusters-1))
	}
	i.Low = mean / count * mathext.GammaIncRegInv(count, tail)
	i.High = mean / count * mathext.GammaIncRegCompInv(count+1, tail)
	return i
}
