//go:build long

package compare_test

import (
	"math"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A random player's opponents: fair games are random against random. In the biased
// variant the second player blunders: with a small probability its game is one in
// which the first player is greedy instead, and wins nearly always, so that the first
// player's score rises by 3 points of 100.
func TestASeatBiasIsFoundAsOftenAsThePlannerSays(t *testing.T) {
	const experiments, planted, power = 600, 0.03, 0.8
	p := planned(t, []string{chancy, chancy}, 1, 0, [2]string{"random", ""})
	fair := poolOf(t, p, "random", "random", 8000, 1)
	var blundered pool
	for _, ep := range poolOf(t, p, "greedy", "random", 8000, 2).games {
		if ep.Number%2 == 0 { // the greedy one moves first
			own := *ep
			own.Pair, own.Agents = dataset.NoPair, [2]string{"random", "random"}
			blundered.games = append(blundered.games, &own)
		}
	}
	even, mean := scores(fair.games)
	_, won := scores(blundered.games)
	share := planted / (won - mean)
	mixed := share*scoreSquares(blundered.games) + (1-share)*scoreSquares(fair.games) - math.Pow(mean+planted, 2)
	trial := stats.Trial{Level: stats.Level, Groups: 2, Variance: (even + mixed) / 2}
	var err error
	if p.Games, err = trial.Units(planted, power); err != nil {
		t.Fatal(err)
	}
	trial.Level = 1 - .05/3
	together, err := trial.Power(planted, p.Games)
	if err != nil {
		t.Fatal(err)
	}
	fairly := func(r *env.Rand) *dataset.Episode { return fair.games[r.IntN(len(fair.games))] }
	biased := func(r *env.Rand) *dataset.Episode {
		if r.Float64() < share {
			return blundered.games[r.IntN(len(blundered.games))]
		}
		return fairly(r)
	}
	var mu sync.Mutex
	alone, adjusted, detectable := 0, 0, 0.0
	each(experiments, func(i int) {
		var played [][]compare.Played
		for v, pick := range []func(r *env.Rand) *dataset.Episode{fairly, biased} {
			s := draw(p, 0, fair.settings, env.Derive(uint64(i), uint64(v)), p.Games, pick)
			m, err := compare.Measure(t.Context(), s, p.Games)
			if err != nil {
				t.Error(err)
				return
			}
			played = append(played, []compare.Played{{SelfPlay: m}})
		}
		r, err := compare.Compare(p, 0, played)
		if err != nil {
			t.Error(err)
			return
		}
		c := r.Against.Comparisons[0]
		mu.Lock()
		defer mu.Unlock()
		if c.Metric == "first_score" && c.Test.P <= .05 && c.Difference.Estimate > 0 {
			alone++
		}
		if c.AdjustedP <= .05 && c.Difference.Estimate > 0 {
			adjusted++
		}
		detectable += *c.Detectable / experiments
	})
	t.Logf("a bias of %.3f by %.3f of the games, %d games an arm: found by the test alone in %.3f, predicted %.3f; adjusted in %.3f, predicted %.3f; reported as detectable: %.4f",
		planted, share, p.Games, float64(alone)/experiments, power, float64(adjusted)/experiments, together, detectable)
	if is := float64(alone) / experiments; math.Abs(is-power) > .05 {
		t.Errorf("the test alone finds it in %.3f of the experiments, must be %.2f to 5 points", is, power)
	}
	// Holm's method finds more than Bonferroni's, by which power is predicted, where
	// other differences are found as well: blundered games are shorter.
	if is := float64(adjusted) / experiments; is < together-.05 || is > power+.05 {
		t.Errorf("with its family it is found in %.3f of the experiments, must be %.3f to %.2f, and 5 points", is, together, power)
	}
	trial.Level = 1 - .05/3
	if want, err := trial.Detectable(p.Games, power); err != nil || math.Abs(detectable-want) > .001 {
		t.Errorf("%v is said to be detectable, must be %v (%v)", detectable, want, err)
	}
}

// scores returns the variance and the mean of the first player's score.
func scores(games []*dataset.Episode) (variance, mean float64) {
	for _, ep := range games {
		mean += float64(ep.Result+1) / 2 / float64(len(games))
	}
	return scoreSquares(games) - mean*mean, mean
}

// scoreSquares returns the mean of the square of the first player's score.
func scoreSquares(games []*dataset.Episode) (mean float64) {
	for _, ep := range games {
		score := float64(ep.Result+1) / 2
		mean += score * score / float64(len(games))
	}
	return mean
}
