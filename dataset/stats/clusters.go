package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Clusters estimates the mean of results from 0 to 1 that come in clusters, such as the
// games of a pair. Results are independent between clusters but not within. The zero
// value is empty. For numbers outside 0 to 1, use [Clusters.RateInterval] if they are
// counts, and otherwise [Clusters.StudentInterval] and [MeanDifference].
//
// The estimate is the ratio of sums r = Σy/Σm over clusters with sums of results y and
// sizes m. Its variance is the linearised one,
//
//	v = g/(g−1) · Σ(y − r·m)² / (Σm)²
//
// for g clusters (Cochran, Sampling Techniques, 3rd ed. 1977, equation 6.13 without the
// finite population correction), which econometrics calls the cluster-robust variance of
// the mean. The interval is Wilson's at the effective number of observations r(1−r)/v,
// with Student's quantile of g−1 degrees of freedom (Dean and Pagano 2015, "Evaluating
// Confidence Interval Methods for Binomial Proportions in Clustered Surveys"). Unlike r ±
// t√v, it keeps its coverage near 0 and 1 and with few clusters.
//
// If the clusters do not vary (v = 0), or there is only one, the effective number of
// observations is the number of clusters. Clusters of one result of 0 or 1 each are
// independent trials, whose variance the share determines: their interval is [Wilson] of
// their counts.
type Clusters struct {
	clusters         float64
	size, sum        float64 // Σm, Σy
	size2, sum2, mix float64 // Σm², Σy², Σmy
}

// Add adds a cluster of n results with the given sum, 0 to n. An empty cluster is
// ignored.
func (c *Clusters) Add(sum float64, n int64) {
	if n > 0 {
		c.addMany(sum, float64(n), 1)
	}
}

// addMany adds a number of clusters of m results, each with the given sum.
func (c *Clusters) addMany(sum, m, times float64) {
	c.clusters += times
	c.size += times * m
	c.sum += times * sum
	c.size2 += times * m * m
	c.sum2 += times * sum * sum
	c.mix += times * m * sum
}

// Merge adds the clusters of o. If results are multiples of ½, the sums are exact and do
// not depend on the order of merging.
func (c *Clusters) Merge(o *Clusters) { c.MergeTimes(o, 1) }

// MergeTimes adds the clusters of o a number of times, 0 or more.
func (c *Clusters) MergeTimes(o *Clusters, times int64) {
	n := float64(times)
	c.clusters += n * o.clusters
	c.size += n * o.size
	c.sum += n * o.sum
	c.size2 += n * o.size2
	c.sum2 += n * o.sum2
	c.mix += n * o.mix
}

// Mean returns the ratio estimate and its linearised variance, which is 0 with fewer than
// two clusters. Without clusters the mean is ½.
func (c *Clusters) Mean() (mean, variance float64) {
	if c.clusters == 0 {
		return 0.5, 0
	}
	mean = c.sum / c.size
	if c.clusters < 2 {
		return mean, 0
	}
	squares := c.sum2 - 2*mean*c.mix + mean*mean*c.size2
	// A remainder of rounding does not count as variation.
	if squares < 1e-12*c.size2 {
		return mean, 0
	}
	return mean, c.clusters / (c.clusters - 1) * squares / (c.size * c.size)
}

// Len returns the number of clusters.
func (c *Clusters) Len() int64 { return int64(c.clusters) }

// PerCluster returns the variance of the mean for a single cluster, which is the variance
// of a unit for planning (see [Trial]). It is 0 with fewer than two clusters.
func (c *Clusters) PerCluster() float64 {
	_, variance := c.Mean()
	return variance * c.clusters
}

// share returns the mean as a share, and the number of independent observations that
// determine it as well: the number of clusters if it does not vary.
func (c *Clusters) share() (share, effective float64, varies bool) {
	mean, variance := c.Mean()
	mean = math.Min(1, math.Max(0, mean))
	if variance > 0 && mean > 0 && mean < 1 {
		return mean, mean * (1 - mean) / variance, true
	}
	return mean, c.clusters, false
}

// trials reports whether every cluster is a single result of 0 or 1.
func (c *Clusters) trials() bool {
	return c.size == c.clusters && c.size2 == c.clusters && c.sum2 == c.sum
}

// Interval returns the interval of the mean. Without results the estimate is ½ and the
// interval is 0 to 1. N counts results, not clusters.
func (c *Clusters) Interval(level float64) Interval {
	const method = "wilson, clusters"
	if c.clusters == 0 {
		return unknown(level, method)
	}
	if c.trials() {
		return Wilson(int64(c.sum), int64(c.size), level)
	}
	share, effective, varies := c.share()
	quantile := normalQuantile(level)
	if varies {
		quantile = studentQuantile(level, c.clusters-1)
	}
	i := wilson(share, effective, quantile)
	i.Level, i.N, i.Method = level, int64(c.size), method
	return i
}

// StudentInterval returns the interval of the mean of numbers that need not lie between 0
// and 1, such as lengths of games: Student's with g−1 degrees of freedom for g clusters.
// Its bounds are infinite if there are fewer than two clusters or they do not vary.
// Without clusters the estimate is 0.
func (c *Clusters) StudentInterval(level float64) Interval {
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: int64(c.size), Method: "t, clusters"}
	if c.clusters == 0 {
		return i
	}
	mean, variance := c.Mean()
	i.Estimate = mean
	if variance == 0 {
		return i
	}
	half := studentQuantile(level, c.clusters-1) * math.Sqrt(variance)
	i.Low, i.High = mean-half, mean+half
	return i
}

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

// Moments collects numbers for their mean without storing them (Welford 1962, "Note on a
// Method for Calculating Corrected Sums of Squares and Products"). The zero value is
// empty.
type Moments struct {
	n       int64
	mean    float64
	squares float64 // Σ(x − mean)²
}

// Add adds x a number of times. It ignores times of 0 or less.
func (m *Moments) Add(x float64, times int64) {
	if times <= 0 {
		return
	}
	m.n += times
	delta := x - m.mean
	m.mean += delta * float64(times) / float64(m.n)
	m.squares += float64(times) * delta * (x - m.mean)
}

// N returns the number of numbers added.
func (m *Moments) N() int64 { return m.n }

// Mean returns the arithmetic mean, or 0 without numbers.
func (m *Moments) Mean() float64 { return m.mean }

// Variance returns the unbiased variance, or 0 with fewer than two numbers.
func (m *Moments) Variance() float64 {
	if m.n < 2 {
		return 0
	}
	return m.squares / float64(m.n-1)
}

// Interval returns the mean with Student's t interval, whose bounds are infinite with
// fewer than two numbers.
func (m *Moments) Interval(level float64) Interval {
	i := Interval{Estimate: m.mean, Low: math.Inf(-1), High: math.Inf(1), Level: level, N: m.n, Method: "t"}
	if m.n < 2 {
		return i
	}
	half := studentQuantile(level, float64(m.n-1)) * math.Sqrt(m.Variance()/float64(m.n))
	i.Low, i.High = m.mean-half, m.mean+half
	return i
}
