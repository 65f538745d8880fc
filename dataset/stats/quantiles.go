package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// normalQuantile returns the two-sided quantile of the normal distribution:
// 1.96 at level 0.95.
func normalQuantile(level float64) float64 { return -distuv.UnitNormal.Quantile((1 - level) / 2) }

// studentQuantile returns the two-sided quantile of Student's t distribution by Newton's
// method on the tail, or on its logarithm if the tail is thin. (Gonum's quantile is
// several times slower.) For very many degrees of freedom it uses the normal quantile
// with the first terms of the expansion (Abramowitz and Stegun, Handbook of Mathematical
// Functions, 26.7.5).
func studentQuantile(level, degrees float64) float64 {
	const many, thin, rounds, enough = 1e5, 0.2, 100, 1e-10
	z := normalQuantile(level)
	if degrees > many {
		z2 := z * z
		return z * (1 + (z2+1)/(4*degrees) + (5*z2*z2+16*z2+3)/(96*degrees*degrees))
	}
	if z == 0 {
		return 0
	}
	beyond := (1 - level) / 2
	tail, t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}, z
	for range rounds {
		is, density := mathext.RegIncBeta(degrees/2, 0.5, degrees/(degrees+t*t))/2, tail.Prob(t)
		next := t + (is-beyond)/density
		if beyond < thin {
			next = t * math.Exp(math.Log(is/beyond)*is/(t*density))
		}
		if change := math.Abs(next - t); !(change > enough*t) {
			return next
		}
		t = next
	}
	return t
}
