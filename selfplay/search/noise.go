package search

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// addRootNoise mixes Dirichlet noise into the priors of the root.
func (m *MCTS) addRootNoise() {
	children := m.childrenOf(0)
	m.noise = slices.Grow(m.noise[:0], len(children))[:len(children)]
	dirichlet(&m.rand, m.options.Dirichlet, m.noise)
	weight := int64(m.options.DirichletWeight)
	for i := range children {
		c := &children[i]
		c.prior = int32(((100-weight)*int64(c.prior) + weight*m.noise[i]) / 100)
	}
	m.promoteUnvisited(0)
}

// dirichlet fills shares with a Dirichlet variate, in units of 1/priorOne. Its parameters
// are equal and sum to hundredths/100. A Dirichlet variate is a set of Gamma variates
// divided by their sum. The Gamma variates can be too small for any number type, so
// they are kept as logarithms; all arithmetic is in integers.
func dirichlet(r *env.Rand, hundredths int, shares []int64) {
	greatest := int64(-1 << 62)
	for i := range shares {
		shares[i] = gammaLog(r, uint64(hundredths), 100*uint64(len(shares)))
		greatest = max(greatest, shares[i])
	}
	sum := int64(0)
	for i, log := range shares {
		shares[i] = int64(power(log - greatest))
		sum += shares[i]
	}
	for i, share := range shares {
		shares[i] = share * priorOne / sum
	}
}

// gammaLog returns the binary logarithm of a Gamma variate of shape
// numerator/denominator: the sum of an exponential variate for each whole unit of the
// shape and a Gamma variate for the fraction.
func gammaLog(r *env.Rand, numerator, denominator uint64) int64 {
	whole, rest := numerator/denominator, numerator%denominator
	if whole == 0 {
		return fractionLog(r, rest, denominator)
	}
	sum := uint64(0)
	for range whole {
		sum += exponential(r)
	}
	if rest > 0 {
		sum += power(fractionLog(r, rest, denominator))
	}
	return fixedLog(max(sum, 1))
}

// fractionLog returns the binary logarithm of a Gamma variate of shape a =
// numerator/denominator below 1, by the algorithm GS of Ahrens and Dieter (1974,
// "Computer Methods for Sampling from Gamma, Beta, Poisson and Binomial
// Distributions").
func fractionLog(r *env.Rand, numerator, denominator uint64) int64 {
	const inverseE = 0x5e2d58d9
	b := uint64(fixedOne) + inverseE*numerator/denominator // 1 + a/e
	for {
		p := fixedLog(b) + uniformLog(r)
		if p <= 0 {
			x := p * int64(denominator) / int64(numerator)
			if power(x) <= exponential(r) {
				return x
			}
			continue
		}
		y := (b - min(b, power(p))) * denominator / numerator
		x := fixedLog(naturalLog(-fixedLog(max(y, 1))))
		if uniformLog(r) <= x*int64(numerator)/int64(denominator)-x {
			return x
		}
	}
}

// uniformLog returns the binary logarithm of a uniform variate in (0, 1].
func uniformLog(r *env.Rand) int64 {
	const fractionBits = 63
	return binaryLog(r.Uint64()>>1+1) - fractionBits<<fixedBits
}

// exponential returns an exponential variate as a fixed-point number.
func exponential(r *env.Rand) uint64 { return naturalLog(-uniformLog(r)) }
