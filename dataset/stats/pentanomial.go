package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Pentanomial counts game pairs by the points of one side in both games together: 0, ½,
// 1, 1½ and 2. The two games of a pair share an opening and are not independent, but the
// pairs are.
type Pentanomial [5]int64

// Pairs returns the number of pairs.
func (p *Pentanomial) Pairs() int64 { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Score returns the mean score per game as [Clusters] estimates it, with each pair as a
// cluster of two games. N counts games.
func (p *Pentanomial) Score(level float64) Interval {
	var c Clusters
	for halves, pairs := range p {
		c.addMany(float64(halves)/2, 2, float64(pairs))
	}
	return c.Interval(level)
}

// Elo returns the difference in strength on the logistic scale, derived from Score. It is
// ±Inf if one side won every game.
func (p *Pentanomial) Elo(level float64) Interval { return p.Score(level).Elo() }

// eloPerSigma is the normalized Elo of a mean score that is one standard deviation of a
// game above ½: 800/ln 10. Without draws and near equality, normalized and logistic Elo
// agree (Van den Bergh, "Normalized Elo", 2019, and "Normalized Elo practical", section
// 2).
const eloPerSigma = 800 / math.Ln10

// NormalizedElo returns the difference in strength in units of the noise of a game:
// 800/ln 10 · (s−½)/σ, where s is the mean score per game and σ is √2 times the standard
// deviation of the mean score of a pair. It determines the number of pairs that a test
// needs, for any share of draws.
//
// The interval is that of the profile likelihood: the values that the likelihood ratio of
// [SPRT] does not reject, with the square of Student's quantile of n−1 degrees of freedom
// as the limit for n pairs (Owen 1990, "Empirical Likelihood Ratio Confidence Regions").
// Pairs that do not vary have no σ. Then the interval contains all values that are
// possible if a share ε of all pairs, the Clopper–Pearson limit for 0 in n, moves to one
// extreme. Without pairs the bounds are infinite.
func (p *Pentanomial) NormalizedElo(level float64) Interval {
	i := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: level, N: 2 * p.Pairs(), Method: "profile likelihood"}
	d := p.distribution()
	n := float64(p.Pairs())
	if n == 0 {
		return i
	}
	mean, variance := d.moments()
	if variance == 0 {
		return steady(i, mean, 1-math.Pow((1-level)/2, 1/n))
	}
	quantile := studentQuantile(level, n-1)
	shares, total := p.regular()
	i.Estimate = (mean - 0.5) / math.Sqrt(variance)
	i.Low = profileEnd(shares, total, quantile*quantile/2, -1)
	i.High = profileEnd(shares, total, quantile*quantile/2, 1)
	return i.Times(eloPerSigma / math.Sqrt2)
}

// steady sets the interval of pairs that all have the mean score x, if up to a share e of
// the pairs may have another score.
func steady(i Interval, x, e float64) Interval {
	i.Method = "clopper-pearson, one value"
	i.Estimate = extreme(x-0.5, 0)
	spread := math.Sqrt(e * (1 - e))
	i.Low = extreme(x*(1-e)-0.5, x*spread)
	i.High = extreme(x+(1-x)*e-0.5, (1-x)*spread)
	return i.Times(eloPerSigma / math.Sqrt2)
}

// extreme returns a/b, where b may be 0.
func extreme(a, b float64) float64 {
	if b == 0 {
		if a == 0 {
			return 0
		}
		return math.Inf(int(math.Copysign(1, a)))
	}
	return a / b
}

// LOS returns the likelihood of superiority: the probability Φ((s−½)/SE) that the
// expected score is above ½, with the standard error by pairs. If the pairs do not vary,
// half a pair is added at each extreme. Without pairs it is ½.
func (p *Pentanomial) LOS() float64 { return distuv.UnitNormal.CDF(p.superiority()) }

// Inferiority returns 1 − LOS as the tail of the normal distribution, which is exact even
// where LOS rounds to 1.
func (p *Pentanomial) Inferiority() float64 { return distuv.UnitNormal.Survival(p.superiority()) }

// superiority returns (s−½)/SE of LOS.
func (p *Pentanomial) superiority() float64 {
	counts := p.counts()
	mean, variance := counts.moments()
	if variance == 0 {
		counts[0] += 0.5
		counts[4] += 0.5
		mean, variance = counts.moments()
	}
	return (mean - 0.5) / math.Sqrt(variance/counts.total())
}

// pairMean returns the mean score per game in a pair of class k.
func pairMean(k int) float64 { return float64(k) / 4 }

// classes are weights of the five classes of pairs.
type classes [5]float64

func (p *Pentanomial) counts() classes {
	var c classes
	for k, n := range p {
		c[k] = float64(n)
	}
	return c
}

// distribution returns the shares of the classes.
func (p *Pentanomial) distribution() classes {
	c := p.counts()
	return c.scaled(1 / math.Max(1, c.total()))
}

func (c classes) scaled(factor float64) classes {
	for k := range c {
		c[k] *= factor
	}
	return c
}

func (c classes) total() float64 { return c[0] + c[1] + c[2] + c[3] + c[4] }

// moments returns the mean and the variance of the mean score of a pair, or ½ and 0
// without weights.
func (c classes) moments() (mean, variance float64) {
	total := c.total()
	if total == 0 {
		return 0.5, 0
	}
	for k, weight := range c {
		mean += weight * pairMean(k)
	}
	mean /= total
	for k, weight := range c {
		variance += weight * (pairMean(k) - mean) * (pairMean(k) - mean)
	}
	return mean, variance / total
}
