package stats

import "math"

// regular returns the shares of the classes and the number of pairs. A class without
// pairs counts as a thousandth of a pair, as in fishtest.
func (p *Pentanomial) regular() (shares classes, total float64) {
	const nothing = 1e-3
	counts := p.counts()
	for k := range counts {
		counts[k] = math.Max(counts[k], nothing)
	}
	total = counts.total()
	return counts.scaled(1 / total), total
}

// even returns the uniform distribution over the classes.
func even() classes { return classes{0.2, 0.2, 0.2, 0.2, 0.2} }

// likelihoodRatio returns the log-likelihood ratio per pair of the shares under a against
// b.
func (c classes) likelihoodRatio(a, b classes) float64 {
	sum := 0.0
	for k, share := range c {
		sum += share * math.Log(a[k]/b[k])
	}
	return sum
}

// likeliest returns the distribution with the greatest likelihood of the observed shares
// among those whose mean is t standard deviations above ½. It linearises the condition
// repeatedly, starting at begin, until the distribution converges (Van den Bergh,
// "Normalized Elo practical", section 4.1). From the uniform distribution this works for
// |t| below 0.9. It fails if begin is too far away.
func likeliest(shares classes, t float64, begin classes) (p classes, ok bool) {
	const rounds, enough = 50, 1e-12
	p = begin
	for range rounds {
		mean, variance := p.moments()
		sigma := math.Sqrt(variance)
		var slack classes // what a class adds to mean − ½ − t·σ
		for k := range slack {
			z := (pairMean(k) - mean) / sigma
			slack[k] = pairMean(k) - 0.5 - t*sigma*(1+z*z)/2
		}
		next, ok := tilted(shares, slack)
		if !ok {
			return p, false
		}
		change := 0.0
		for k := range p {
			change = math.Max(change, math.Abs(next[k]-p[k]))
		}
		p = next
		if change < enough {
			return p, true
		}
	}
	return p, false
}

// tilted returns the distribution with the greatest likelihood under which the values a
// have mean 0: share/(1+x·a) for the right x (Van den Bergh, "The Likelihood Ratio for
// Multinomial Distributions", proposition 1.1). It fails unless values of both signs occur.
func tilted(shares, a classes) (p classes, ok bool) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, value := range a {
		least, most = math.Min(least, value), math.Max(most, value)
	}
	if !(least < 0 && most > 0) {
		return shares, false
	}
	slope := func(x float64) float64 { // falls from +∞ to −∞ between the bounds
		sum := 0.0
		for k := range a {
			sum += shares[k] * a[k] / (1 + x*a[k])
		}
		return sum
	}
	x := falling(slope, -1/most, -1/least)
	for k := range shares {
		p[k] = shares[k] / (1 + x*a[k])
	}
	return p, true
}

// falling returns the root of a decreasing function between two bounds by bisection. It
// does not evaluate the function at the bounds.
func falling(f func(float64) float64, low, high float64) float64 {
	const halvings = 200
	for range halvings {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if f(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2
}

// profileEnd returns the mean, in standard deviations above ½, at which the profile
// log-likelihood of the pairs is less than its maximum by fall, in a direction of −1 or 1.
// It is infinite if it is unreasonably far away.
func profileEnd(shares classes, total, fall, direction float64) float64 {
	const halvings, unreasonable = 40, 100
	mean, variance := shares.moments()
	inside := (mean - 0.5) / math.Sqrt(variance)
	p := shares
	short := func(t float64) bool {
		q, ok := likeliest(shares, t, p)
		if !ok || total*shares.likelihoodRatio(shares, q) > fall {
			return true
		}
		p = q
		return false
	}
	step := (1 + math.Abs(inside)) / math.Sqrt(total)
	outside := inside + direction*step
	for !short(outside) {
		if math.Abs(outside) > unreasonable {
			return math.Inf(int(direction))
		}
		step *= 2
		inside, outside = outside, outside+direction*step
	}
	inside, _ = halve(halvings, inside, outside, short)
	return inside
}

// halve halves the distance between two numbers, of which beyond holds for the outside one
// only, a number of times.
func halve(times int, inside, outside float64, beyond func(float64) bool) (in, out float64) {
	for range times {
		if middle := (inside + outside) / 2; beyond(middle) {
			outside = middle
		} else {
			inside = middle
		}
	}
	return inside, outside
}
