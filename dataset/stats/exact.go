package stats

import (
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// ExactInterval returns the interval of the mean r of results from 0 to 1, with variance
// v, for shares that may be rare: the exact binomial interval of Clopper and Pearson
// (1934, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
// Binomial") at the effective number of observations n = r(1−r)/v, of which n·r are
// successes (Korn and Graubard 1998, "Confidence Intervals for Proportions with Small
// Expected Number of Positive Counts Estimated from Survey Data"). Its tails correspond
// to Student's quantile of g−1 degrees of freedom. It is conservative if few results
// differ from 0, or from 1. [Clusters.Interval] has a coverage closer to the level, which
// can also be too low. Otherwise ExactInterval is like Interval.
func (c *Clusters) ExactInterval(level float64) Interval {
	const method = "clopper-pearson, clusters"
	if c.clusters == 0 {
		return unknown(level, method)
	}
	mean, effective, varies := c.share()
	tail := (1 - level) / 2
	if varies {
		tail = distuv.UnitNormal.Survival(studentQuantile(level, c.clusters-1))
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
