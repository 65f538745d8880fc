package search_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// The mean and the variance of a Gamma variate both equal its shape a. The bounds are
// four standard errors; the fourth central moment is 3a² + 6a.
func TestGammaVariatesHaveMeanAndVarianceOfTheirShape(t *testing.T) {
	const draws = 40_000
	for _, shape := range [][2]uint64{{1, 50}, {1, 3}, {9, 10}, {1, 1}, {7, 4}, {5, 1}} {
		r := env.NewRand(1)
		a, sum, squares := float64(shape[0])/float64(shape[1]), 0.0, 0.0
		for range draws {
			x := math.Exp2(float64(search.GammaLog(r, shape[0], shape[1])) / search.FixedOne)
			sum += x
			squares += (x - a) * (x - a)
		}
		if mean := sum / draws; math.Abs(mean-a) > 4*math.Sqrt(a/draws) {
			t.Errorf("shape %v: mean is %v", a, mean)
		}
		if variance := squares / draws; math.Abs(variance-a) > 4*math.Sqrt((2*a*a+6*a)/draws) {
			t.Errorf("shape %v: variance is %v", a, variance)
		}
	}
}

// The shares of a symmetric Dirichlet variate of n shares, whose parameters sum to A,
// have mean 1/n and variance (1/n)(1 − 1/n)/(A + 1).
func TestDirichletNoiseHasItsMeanAndVariance(t *testing.T) {
	const draws = 4000
	for _, hundredths := range []int{1, 30, 1083, 5000} {
		for _, n := range []int{1, 2, 20, 381} {
			r, shares := env.NewRand(2), make([]int64, n)
			sum, squares := 0.0, 0.0
			for range draws / n {
				search.Dirichlet(r, hundredths, shares)
				all := int64(0)
				for _, share := range shares {
					all += share
					x := float64(share)/search.PriorOne - 1/float64(n)
					sum += x
					squares += x * x
				}
				if all > search.PriorOne || all < search.PriorOne-int64(n) {
					t.Fatalf("shares sum to %d, must be %d except for rounding", all, search.PriorOne)
				}
			}
			count, a := float64(draws/n*n), float64(hundredths)/100
			want := (1 - 1/float64(n)) / float64(n) / (a + 1)
			if variance := squares / count; math.Abs(variance-want) > 0.25*want+1e-9 {
				t.Errorf("%d shares, sum %v: variance is %v, must be %v", n, a, variance, want)
			}
		}
	}
}

func TestNoiseAtTheRootIsMixedIntoThePriors(t *testing.T) {
	game := lookup(t, "trench/standard")
	from := env.NewState(game)
	priors := func(weight, seed int, plain bool) map[env.Action]int {
		options := usual()
		options.Dirichlet, options.DirichletWeight = 1083, weight
		m := growerWith(t, game, options)
		m.Begin(uint64(seed))
		m.Search(from, search.TreeLimits{Simulations: 1, NoRootNoise: plain}, 1)
		return m.Priors()
	}
	none, some, all, plain := priors(0, 1, false), priors(25, 1, false), priors(100, 1, false), priors(100, 1, true)
	moved := 0
	for a := range none {
		if want := (75*none[a] + 25*all[a]) / 100; max(want-some[a], some[a]-want) > 1 {
			t.Errorf("action %d: prior is %d, must be %d", a, some[a], want)
		}
		if plain[a] != none[a] {
			t.Errorf("action %d: prior is %d without noise, must be %d", a, plain[a], none[a])
		}
		if all[a] != none[a] {
			moved++
		}
	}
	if moved < len(none)-1 {
		t.Errorf("noise changes %d of %d priors", moved, len(none))
	}
}
