//go:build long

package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

func TestTestsOfADifferenceErrAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	const runs = 1500
	var found, equivalent int
	for range runs {
		a, b := pairs(r, 60, .5, .6, false), pairs(r, 40, .5, .6, false)
		difference := func(level float64) stats.Interval { return stats.Difference(a.Interval(level), b.Interval(level)) }
		if stats.Significance(difference, 0).P <= .05 {
			found++
		}
		// On a margin the probability to take it for equivalent is α.
		a = pairs(r, 400, .6, .6, false)
		b = pairs(r, 400, .5, .6, false)
		if stats.Equivalence(difference, -.1, .1).P <= .05 {
			equivalent++
		}
	}
	// Three standard errors of 1,500 runs are 1.7 %.
	for what, n := range map[string]int{"difference": found, "equivalence": equivalent} {
		if share := float64(n) / runs; share < .033 || share > .067 {
			t.Errorf("%s is found falsely in %.1f %% of all cases", what, 100*share)
		}
	}
}

// Every interval at level 95 % holds the truth in 93 to 97 % of all cases, at the
// sizes that are stated here; those that hold it more often by design say so.
func TestCoverageOfEveryInterval(t *testing.T) {
	const level, runs = .95, 4000
	share := func(k, n int64) stats.Interval { return stats.Wilson(k, n, level) }
	binomial := func(r *rand.Rand, n int, p float64) (k int64) {
		for range n {
			if r.Float64() < p {
				k++
			}
		}
		return k
	}
	values := func(r *rand.Rand, n int, shift float64) (s stats.Sample) {
		for range n {
			s.Values = append(s.Values, math.Round(shift+4*r.ExpFloat64()))
		}
		return s
	}
	draw := rand.New(rand.NewPCG(81, 82))
	delta := stats.CliffsDelta(values(draw, 2e6, 2), values(draw, 2e6, 0), level).Estimate
	alive := deadly(t, draw, 4e5).At(40).Estimate
	for _, c := range []struct {
		what         string
		truth        float64
		conservative bool
		of           func(*rand.Rand) stats.Interval
	}{
		{"wilson, 100 at 0.3", .3, false, func(r *rand.Rand) stats.Interval { return share(binomial(r, 100, .3), 100) }},
		{"wilson, 400 at 0.04", .04, false, func(r *rand.Rand) stats.Interval { return share(binomial(r, 400, .04), 400) }},
		{"newcombe, 100 at 0.3 less 80 at 0.4", -.1, false, func(r *rand.Rand) stats.Interval {
			return stats.Difference(share(binomial(r, 100, .3), 100), share(binomial(r, 80, .4), 80))
		}},
		{"newcombe, 300 at 0.05 less 300 at 0.02", .03, false, func(r *rand.Rand) stats.Interval {
			return stats.Difference(share(binomial(r, 300, .05), 300), share(binomial(r, 300, .02), 300))
		}},
		{"pairs, 50 with a correlation of 0.5 at 0.55", .55, false, func(r *rand.Rand) stats.Interval {
			return pairs(r, 50, .55, .5, false).Interval(level)
		}},
		{"pairs, 200 with a correlation of 0.9 at 0.9", .9, false, func(r *rand.Rand) stats.Interval {
			return pairs(r, 200, .9, .9, false).Interval(level)
		}},
		{"pairs, 100 less 60", .05, false, func(r *rand.Rand) stats.Interval {
			return stats.Difference(pairs(r, 100, .5, .5, false).Interval(level), pairs(r, 60, .45, .5, false).Interval(level))
		}},
		{"mean of 40 pairs", 1, false, func(r *rand.Rand) stats.Interval {
			var c stats.Clusters
			for range 40 {
				c.Add(2+r.NormFloat64()+r.NormFloat64(), 2)
			}
			return c.StudentInterval(level)
		}},
		{"rate, 400 games with 20 events", .05, false, func(r *rand.Rand) stats.Interval {
			return counted(r, 400, 1, .05, 0, 1).RateInterval(level)
		}},
		{"rate, 100 pairs with 50 events, overdispersed", .25, false, func(r *rand.Rand) stats.Interval {
			return counted(r, 100, 2, .25, 1, 1).RateInterval(level)
		}},
		{"rate, 400 games with 40 events in clumps of up to 3", .1, false, func(r *rand.Rand) stats.Interval {
			return counted(r, 400, 1, .1, 0, 3).RateInterval(level)
		}},
		{"rate, 400 games with 1 event", .0025, true, func(r *rand.Rand) stats.Interval {
			return counted(r, 400, 1, .0025, 0, 1).RateInterval(level)
		}},
		{"rate, 100 pairs with 5 events, overdispersed", .025, true, func(r *rand.Rand) stats.Interval {
			return counted(r, 100, 2, .025, 1, 1).RateInterval(level)
		}},
		{"delta of 40 and 60", delta, false, func(r *rand.Rand) stats.Interval {
			return stats.CliffsDelta(values(r, 40, 2), values(r, 60, 0), level)
		}},
		{"bootstrap, percentile, 150 skewed clusters", 1, false, func(r *rand.Rand) stats.Interval {
			clusters := skewed(r, 150)
			return stats.Resampling{Replicates: 500, Seed: r.Uint64()}.Percentile(150, 1, level, meanOf(clusters))[0]
		}},
		{"coefficient, 150 games of 3 rows", 1.2, false, func(r *rand.Rand) stats.Interval {
			return regress(t, planted(t, r, 150, []float64{.4, 1.2, 0}, -.5, .7)).Coefficient(1, level)
		}},
		{"ratio of coefficients, 600 games of 3 rows", 3, false, func(r *rand.Rand) stats.Interval {
			return regress(t, planted(t, r, 600, []float64{.4, 1.2, 0}, -.5, .7)).Ratio(1, 0, level)
		}},
		{"alive at 40, 60 games of 8 pieces", alive, false, func(r *rand.Rand) stats.Interval { return deadly(t, r, 60).At(40) }},
	} {
		got := coverage(runs, c.truth, c.of)
		t.Logf("%s: %.1f %%", c.what, 100*got)
		if got < .93 || got > .97 && !c.conservative {
			t.Errorf("%s: the interval holds the truth in %.1f %% of all cases", c.what, 100*got)
		}
	}
}

// A variant compared with itself by the tests of a report, pairs of games being the
// clusters: P is at most x in no more than x of all cases, and about as often where
// P is not discrete; after Holm's adjustment hardly more than 5 % of the
// comparisons find anything.
func TestComparingWithItselfFindsNothing(t *testing.T) {
	const runs, games = 1000, 120
	r := rand.New(rand.NewPCG(83, 84))
	names := []string{"score", "draws", "length", "distribution", "results"}
	p := make([][]float64, len(names))
	found := 0
	for run := range runs {
		var score, draws, length [2]stats.Clusters
		var lengths [2][]float64
		results := [][]int64{make([]int64, 3), make([]int64, 3)}
		for side := range 2 {
			for range games {
				opening := r.NormFloat64()
				var sum, drawn, plies float64
				for k := range 2 {
					y := game(r, opening, -.4, .4)
					sum += float64(y) / 2
					if y == 1 {
						drawn++
					}
					if k == 0 { // the games of a pair are not independent
						results[side][y]++
					}
					plies += 40 + math.Round(20*math.Exp(.3*opening+.3*r.NormFloat64()))
				}
				score[side].Add(sum, 2)
				draws[side].Add(drawn, 2)
				length[side].Add(plies, 2)
				lengths[side] = append(lengths[side], plies/2)
			}
		}
		differing := func(of *[2]stats.Clusters) float64 {
			return stats.Significance(func(level float64) stats.Interval {
				return stats.Difference(of[0].Interval(level), of[1].Interval(level))
			}, 0).P
		}
		resampling := stats.Resampling{Replicates: 999, Seed: uint64(run), Goroutines: 2}
		kinds, err := resampling.Independence(results)
		if err != nil {
			t.Fatal(err)
		}
		all := []float64{
			differing(&score), differing(&draws),
			stats.Significance(func(level float64) stats.Interval { return stats.MeanDifference(&length[0], &length[1], level) }, 0).P,
			stats.KolmogorovSmirnov(lengths[0], lengths[1]).P,
			kinds.P,
		}
		for k, x := range all {
			p[k] = append(p[k], x)
		}
		for _, x := range stats.Holm(all) {
			if x <= .05 {
				found++
				break
			}
		}
	}
	for k, name := range names {
		// The band that one in a hundred series of uniform numbers leaves is 1.63/√n
		// (Kolmogorov); counts of games are so few that P goes in steps of up to 4 %.
		over, under := 0.0, 0.0
		for x := .005; x < 1; x += .005 {
			below := 0.0
			for _, value := range p[k] {
				if value <= x {
					below += 1. / runs
				}
			}
			over, under = math.Max(over, below-x), math.Max(under, x-below)
		}
		t.Logf("%s: P is at most x in up to %.3f more and %.3f less than x", name, over, under)
		if band := 1.63 / math.Sqrt(runs); over > band || under > band+.04 {
			t.Errorf("%s: P is at most x in up to %.3f more and %.3f less than x of all cases", name, over, under)
		}
	}
	if share := float64(found) / runs; share > .062 {
		t.Errorf("something is found in %.1f %% of the comparisons", 100*share)
	}
}
