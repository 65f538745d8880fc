package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// ExactInterval returns the interval of the mean r of results from 0 to 1, with
// variance v, for shares that may be rare: Clopper and Pearson's (see
// [ClopperPearson]) at the effective number of observations n = r(1−r)/v and n·r of
// them (Korn and Graubard 1998, "Confidence Intervals for Proportions with Small
// Expected Number of Positive Counts Estimated from Survey Data"), with tails as
// small as Student's quantile of g−1 degrees of freedom has them. Where few results
// are not 0, or not 1, it holds the truth more often than its level says, by design;
// [Clusters.Interval] is nearer to the level, and at times below it. In all else it
// is as that.
func (c *Clusters) ExactInterval(level float64) Interval {
	const method = "clopper-pearson, clusters"
	if c.clusters == 0 {
		return unknown(level, method)
	}
	mean, variance := c.Mean()
	mean = math.Min(1, math.Max(0, mean))
	effective, tail := c.clusters, (1-level)/2
	if variance > 0 && mean > 0 && mean < 1 {
		effective, tail = mean*(1-mean)/variance, distuv.UnitNormal.Survival(studentQuantile(level, c.clusters-1))
	}
	i := Interval{Estimate: mean, High: 1, Level: level, N: int64(c.size), Method: method}
	yes, no := effective*mean, effective*(1-mean)
	if yes > 0 {
		i.Low = mathext.InvRegIncBeta(yes, no+1, tail)
	}
	if no > 0 {
		i.High = mathext.InvRegIncBeta(yes+1, no, 1-tail)
	}
	return i
}
