//go:build long

package experiment_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/experiment"
)

// A pool holds real games of a handicap, by the handicapped player. Each is played as
// an experiment plays it.
type pool struct {
	settings *dataset.Settings
	games    [2][]dataset.Episode // without their steps
	mean     [2]float64           // score of the handicapped side
	variance [2]float64
}

// newPool plays the games of the arms of a handicap: one arm whose episodes handicap the
// players in turn, or one for each player.
func newPool(t *testing.T, arms []experiment.Arm, games int64) *pool {
	t.Helper()
	p := &pool{}
	for i, arm := range arms {
		settings := arm.Plan.Settings()
		p.settings = &settings
		handicapped := func(episode int64) env.Player { return env.Player(episode & 1) }
		if len(arms) > 1 {
			handicapped = func(int64) env.Player { return env.Player(i) }
		}
		err := selfplay.PlayAll(t.Context(), arm.Plan, "run", 0, games/int64(len(arms)), 2, func(ep *dataset.Episode) error {
			if side := handicapped(ep.Number); ep.Decided() {
				game := *ep
				game.Steps, game.FinalHash = nil, uint64(ep.Number)
				p.games[side] = append(p.games[side], game)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for side, games := range p.games {
		var moments stats.Moments
		for i := range games {
			moments.Add(float64(games[i].Result.For(env.Player(side))+1)/2, 1)
		}
		p.mean[side], p.variance[side] = moments.Mean(), moments.Variance()
	}
	return p
}

// loss is that of the pool, which is the truth for experiments drawn from it.
func (p *pool) loss() float64 { return 0.5 - (p.mean[0]+p.mean[1])/2 }

// trial is what plans an experiment with the pool's variance: a unit is a pair.
func (p *pool) trial() stats.Trial {
	return stats.Trial{Level: stats.Level, Groups: 1, Variance: (p.variance[0] + p.variance[1]) / 4}
}

// draw is an experiment of so many pairs of games of the pool.
func (p *pool) draw(r *rand.Rand, pairs int64) handicap.Games {
	return handicap.Games{
		Source: balance.Source{Name: "drawn", Settings: p.settings, Count: 2 * pairs, Episodes: func(yield func(*dataset.Episode, error) bool) {
			for i := range 2 * pairs {
				side := p.games[i&1]
				ep := side[r.IntN(len(side))]
				ep.Number = i
				if !yield(&ep, nil) {
					return
				}
			}
		}},
		Handicapped: func(episode int64) env.Player { return env.Player(episode & 1) },
	}
}

// found is the share of so many experiments in which an effect is shown.
func (p *pool) found(t *testing.T, r *rand.Rand, v *variant.Variant, kind string, pairs int64, runs int) float64 {
	t.Helper()
	n := 0
	for range runs {
		m, err := handicap.Measure(t.Context(), p.draw(r, pairs))
		if err != nil {
			t.Fatal(err)
		}
		played := handicap.Played{Handicap: handicap.Handicap{Type: kind}, Measures: m}
		report, err := handicap.Analyze(&handicap.Experiment{Variant: v, Agent: "drawn", Played: []handicap.Played{played}})
		if err != nil {
			t.Fatal(err)
		}
		if report.Handicaps[0].Adjusted <= 1-stats.Level {
			n++
		}
	}
	return float64(n) / float64(runs)
}

// A missing Soldier and a Light Tank that is faster by one are found with the power
// that the planner says, of as many pairs as the planner asks for, and nothing where
// there is nothing. Experiments are drawn with replacement from pools of real games.
func TestPlantedEffectsAreFoundWithThePowerThatWasPlanned(t *testing.T) {
	const games, runs = 8_000, 1_500
	r := rand.New(rand.NewPCG(91, 92))
	options := handicap.Plan{OpeningPlies: 8, MaxPlies: 1000, Seed: 5}
	for _, c := range []struct {
		variant  string
		handicap handicap.Handicap
	}{
		{"trench/standard", handicap.Handicap{Type: "Soldier"}},
		{"tankchess/16x16", handicap.Handicap{Type: "Light Tank", Change: handicap.Change{Attribute: "speed", By: 1}}},
	} {
		v := lookup(t, c.variant)
		arms, err := handicapArms(v, player("greedy"), c.handicap, options)
		if err != nil {
			t.Fatal(err)
		}
		p := newPool(t, arms, games)
		for _, wanted := range []float64{.5, handicap.Power, .95} {
			pairs, err := p.trial().Units(p.loss(), wanted)
			if err != nil {
				t.Fatal(err)
			}
			planned, err := p.trial().Power(p.loss(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			found := p.found(t, r, v, c.handicap.Type, pairs, runs)
			t.Logf("%s: a loss of %.3f is found by %d pairs in %.3f of %d experiments, planned %.3f", c.handicap, p.loss(), pairs, found, runs, planned)
			if math.Abs(found-planned) > .05 {
				t.Errorf("%s: a loss of %.3f is found by %d pairs in %.3f of %d experiments, planned were %.3f", c.handicap, p.loss(), pairs, found, runs, planned)
			}
		}
	}
	// Games of unchanged rules, of which either side counts as handicapped by turns. What
	// the pool itself loses by chance is taken away by drawing both seats from all games.
	v := lookup(t, "trench/standard")
	p := newPool(t, []experiment.Arm{control(t, v, player("greedy"), options)}, games)
	both := append(p.games[0], p.games[1]...)
	p.games = [2][]dataset.Episode{both, both}
	found := p.found(t, r, v, "Soldier", 200, runs)
	t.Logf("without a handicap: an effect is found in %.3f of %d experiments", found, runs)
	if found < .03 || found > .07 {
		t.Errorf("without a handicap an effect is found in %.3f of %d experiments", found, runs)
	}
}
