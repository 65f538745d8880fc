package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// RateInterval returns the interval of a mean of counts, such as captures per game. With
// r and v the mean and its variance (see Clusters), the effective count is r²/v, the
// count divided by its design effect (Rao and Scott 1999, "A Simple Method for Analysing
// Overdispersion in Clustered Poisson Data"). The interval is Garwood's exact one of the
// effective count (1936, "Fiducial Limits for the Poisson Distribution"), generalised to
// counts that are not integers by quantiles of the gamma distribution (Fay and Feuer
// 1997, "Confidence Intervals for Directly Standardized Rates", equation 8):
//
//	G⁻¹(α/2; k)/k·r  to  G⁻¹(1−α/2; k+1)/k·r,  k = r²/v
//
// Its tails α/2 correspond to Student's quantile of g−1 degrees of freedom. It is
// conservative if counts are small.
//
// If the clusters do not vary, the effective count is the number of clusters. If nothing
// was counted, the number of effective trials is, and the upper bound is −ln(α/2)/g. With
// fewer than two clusters the upper bound is infinite.
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
