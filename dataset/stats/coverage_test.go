package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// coverage returns how often, in runs of a simulation, an interval at level 95 %
// holds the truth.
func coverage(runs int, truth float64, simulate func(*rand.Rand) stats.Interval) float64 {
	r := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range runs {
		if i := simulate(r); i.Low <= truth && truth <= i.High {
			held++
		}
	}
	return float64(held) / float64(runs)
}

// pairs plays so many pairs in which the first game's result is repeated in the
// second with the given probability and drawn anew otherwise, so that the games of
// a pair have that correlation. A third of the games that the first player does
// not win are drawn where draws is set.
func pairs(r *rand.Rand, n int, win, correlation float64, draws bool) *stats.Clusters {
	game := func() float64 {
		switch {
		case r.Float64() < win:
			return 1
		case draws && r.Float64() < 1./3:
			return 0.5
		}
		return 0
	}
	c := new(stats.Clusters)
	for range n {
		first := game()
		second := first
		if r.Float64() >= correlation {
			second = game()
		}
		c.Add(first+second, 2)
	}
	return c
}

func TestIntervalsOfPairsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	for _, c := range []struct {
		pairs            int
		win, correlation float64
		draws            bool
	}{
		{20, .5, 0, false}, {20, .5, .8, false}, {50, .55, .5, false}, {50, .9, .5, false}, {200, .97, .9, false},
		{20, .3, .3, true}, {100, .6, .9, true}, {10, .5, 1, false},
	} {
		truth := c.win
		if c.draws {
			truth += (1 - c.win) / 6
		}
		got := coverage(4000, truth, func(r *rand.Rand) stats.Interval {
			return pairs(r, c.pairs, c.win, c.correlation, c.draws).Interval(.95)
		})
		if got < .935 || got > .985 {
			t.Errorf("%+v: the interval holds the truth in %.1f %% of all cases", c, 100*got)
		}
	}
}

// The reason for Clusters: games that come in pairs with a common fate, taken
// for independent ones, give intervals that are too narrow.
func TestTakingPairsForIndependentGamesIsWrong(t *testing.T) {
	got := coverage(4000, .5, func(r *rand.Rand) stats.Interval {
		var k int64
		for range 50 {
			if r.Float64() < .5 {
				k += 2
			}
		}
		return stats.Wilson(k, 100, .95)
	})
	if got > .90 {
		t.Errorf("Wilson over dependent games holds the truth in %.1f %%, which makes Clusters needless", 100*got)
	}
}

func TestWilsonHoldsTheTruthAsOftenAsItSays(t *testing.T) {
	for _, p := range []float64{.02, .1, .5, .7} {
		got := coverage(4000, p, func(r *rand.Rand) stats.Interval {
			var k int64
			for range 100 {
				if r.Float64() < p {
					k++
				}
			}
			return stats.Wilson(k, 100, .95)
		})
		if got < .93 || got > .98 {
			t.Errorf("p = %v: the interval holds the truth in %.1f %% of all cases", p, 100*got)
		}
	}
}
