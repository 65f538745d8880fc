//go:build long

package handicap_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
	"github.com/sandtable-farm/sandtable/dataset/stats"
)

// lossOdds is the loss in log odds of a side that scores s.
func lossOdds(s float64) float64 { return math.Log((1 - s) / s) }

// Experiments of 200 to 1,000 games a handicap: a Soldier costs 0.1
// of the score, a Colonel 0.2, a Captain nothing, with seats of unequal worth and with
// draws. Every interval holds the truth at its rate, and what is no effect is found as
// such.
func TestIntervalsHoldTheTruthAtTheirRate(t *testing.T) {
	const runs = 1000
	v := lookup(t, "trench/standard")
	r := rand.New(rand.NewPCG(71, 72))
	inside, of := map[string]int{}, map[string]int{}
	count := func(what string, i stats.Interval, truth float64) {
		of[what]++
		if i.Low <= truth && truth <= i.High {
			inside[what]++
		}
	}
	false1, falseAny := 0, 0
	for range runs {
		first := stats.Wilson(binomial(r, 600, .55), 600, stats.Level)
		control := valued(map[string][2]float64{"Colonel": {.7 + .02*r.NormFloat64(), .02}, "Soldier": {.66 + .02*r.NormFloat64(), .02}, "Captain": {.5 + .02*r.NormFloat64(), .02}}, agent)
		control.Seats.First.Score = first
		report := analyze(t, &handicap.Experiment{Variant: v, Agent: agent, Control: control, SameOpenings: true, Unit: "Soldier", Played: []handicap.Played{
			removed(t, "Soldier", source(v, 1, 1000, chance(r, [2]float64{.46, .34}, .2))),
			removed(t, "Colonel", source(v, 2, 300, chance(r, [2]float64{.4, .2}, .1))),
			removed(t, "Captain", source(v, 3, 200, chance(r, [2]float64{.6, .4}, .3))),
			removed(t, "Sergeant", source(v, 6, 100, chance(r, [2]float64{.05, .03}, 0))),
			removed(t, "General", source(v, 7, 60, chance(r, [2]float64{.5, .4}, 0))),
			changed(t, "longest_move", -1, source(v, 4, 200, chance(r, [2]float64{.5, .4}, .1))),
			changed(t, "longest_move", 1, source(v, 5, 300, chance(r, [2]float64{.65, .55}, .1))),
		}})
		soldier, colonel, captain := &report.Handicaps[0], &report.Handicaps[1], &report.Handicaps[2]
		count("loss of 0.1, 1,000 games with draws", soldier.Loss, .1)
		count("loss of 0.2, 300 games", colonel.Loss, .2)
		count("no loss, 200 games with draws", captain.Loss, 0)
		count("loss of 0.46, 100 games without draws", report.Handicaps[3].Loss, .46)
		count("loss of 0.05, 60 games without draws", report.Handicaps[4].Loss, .05)
		count("log odds of 0.2, 300 games", colonel.LogOdds, lossOdds(.3))
		count("Elo of 0.2, 300 games", colonel.Elo, 400*math.Log10(.7/.3))
		count("seat, 150 games", colonel.Seats[1].Score, .2)
		count("loss of a seat against 600 games", *colonel.Seats[1].Loss, .45-.2)
		count("rise of 0.15 from 200 to 300 games", report.Curves[0].Rise, .15)
		if colonel.Value != nil {
			count("value, 300 games by 1,000", *colonel.Value, lossOdds(.3)/lossOdds(.4))
			count("value of nothing, 200 games by 1,000", *captain.Value, 0)
		}
		count("difference from the regression", colonel.Regression.Difference, 0)
		count("difference of 0.06 from the regression", soldier.Regression.Difference, .06)
		if captain.None.P <= .05 {
			false1++
		}
		// Of two comparisons that are none.
		if colonel.Regression.Adjusted <= .05 || captain.Regression.Adjusted <= .05 {
			falseAny++
		}
	}
	for what, n := range of {
		share := float64(inside[what]) / float64(n)
		t.Logf("%s: %.4f of %d", what, share, n)
		if share < .93 || share > .97 {
			t.Errorf("%s: the interval holds the truth in %.4f of %d experiments", what, share, n)
		}
	}
	if of["value, 300 games by 1,000"] < runs*99/100 {
		t.Errorf("of %d experiments only %d tell a value", runs, of["value, 300 games by 1,000"])
	}
	// Three standard errors of 1,000 runs are 2.1 %.
	if share := float64(false1) / runs; share < .03 || share > .07 {
		t.Errorf("no effect is taken for one in %.4f of the experiments", share)
	}
	if share := float64(falseAny) / runs; share > .071 {
		t.Errorf("one of two comparisons that are equal is found different in %.4f of the experiments", share)
	}
}

func binomial(r *rand.Rand, n int64, p float64) (k int64) {
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return k
}

func changed(t *testing.T, attribute string, by int, s balance.Source) handicap.Played {
	t.Helper()
	return measured(t, handicap.Handicap{Type: "Soldier", Change: handicap.Change{Attribute: attribute, By: by}}, handicap.Games{Source: s, Handicapped: byTurns})
}

// Ten handicaps that do nothing: one or more are found with a probability of 5 % at most.
func TestErrorOfAFamilyOfHandicaps(t *testing.T) {
	const runs, kinds = 600, 10
	v := lookup(t, "trench/standard")
	r := rand.New(rand.NewPCG(73, 74))
	found := 0
	for range runs {
		e := &handicap.Experiment{Variant: v, Agent: agent}
		for k := range kinds {
			e.Played = append(e.Played, removed(t, "Soldier", source(v, uint64(k), 100, chance(r, [2]float64{.55, .45}, .2))))
		}
		report := analyze(t, e)
		for i := range report.Handicaps {
			if report.Handicaps[i].Adjusted <= .05 {
				found++
				break
			}
		}
	}
	if share := float64(found) / runs; share > .062 {
		t.Errorf("in %.4f of %d experiments an effect is found where there is none", share, runs)
	} else {
		t.Logf("false finding in %.4f", share)
	}
}

// Experiments that end when a loss is known to 4 points, or a value to 0.8 units: the
// interval at the end holds the truth at least at its rate, although its look depends on
// the results.
func TestIntervalsAtTheEndOfSequentialExperimentsHoldTheTruth(t *testing.T) {
	const runs = 100
	v := lookup(t, "trench/standard")
	r := rand.New(rand.NewPCG(81, 82))
	for _, until := range []handicap.Precision{{Within: .04, Points: true}, {Within: .8}} {
		plan := handicap.Plan{Pairs: 1500, Until: &until}
		looks := plan.Looks()
		var levels []*stats.Levels
		for k := range looks {
			l, err := plan.Levels(k)
			if err != nil {
				t.Fatal(err)
			}
			levels = append(levels, l)
		}
		held, valued, ended, rejected := 0, 0, make([]int, len(looks)), 0
		for range runs {
			soldier := source(v, 1, 2*plan.Pairs, chance(r, [2]float64{.46, .34}, .2)) // costs 0.1
			colonel := source(v, 2, 2*plan.Pairs, chance(r, [2]float64{.4, .2}, .1))   // costs 0.2
			nothing := source(v, 3, 2*plan.Pairs, chance(r, [2]float64{.6, .4}, .3))
			kept := [3]balance.Source{keep(soldier), keep(colonel), keep(nothing)}
			for k, pairs := range looks {
				e := &handicap.Experiment{Variant: v, Agent: agent, Unit: "Soldier", Until: &until}
				for i, name := range []string{"Soldier", "Colonel", "Captain"} {
					p := removed(t, name, kept[i].First(2*pairs))
					p.Levels = levels[k]
					e.Played = append(e.Played, p)
				}
				report := analyze(t, e)
				if len(report.Until.Open) > 0 && k < len(looks)-1 {
					continue
				}
				ended[k]++
				if i := report.Handicaps[1].Loss; i.Low <= .2 && .2 <= i.High {
					held++
				}
				if i := report.Handicaps[1].Value; i != nil && i.Low <= lossOdds(.3)/lossOdds(.4) && lossOdds(.3)/lossOdds(.4) <= i.High {
					valued++
				}
				if report.Handicaps[2].None.P <= .05 {
					rejected++
				}
				break
			}
		}
		t.Logf("%s: ended at looks %v; the loss is held in %d, the value in %d, nothing is rejected in %d of %d", until.String(), ended, held, valued, rejected, runs)
		// 3.5 standard errors of 100 runs are 7.6 %.
		for what, n := range map[string]int{"loss": held, "value": valued} {
			if float64(n)/runs < .874 {
				t.Errorf("%s: the interval of the %s holds the truth in %d of %d experiments", until.String(), what, n, runs)
			}
		}
		if float64(rejected)/runs > .126 {
			t.Errorf("%s: what costs nothing is found to cost something in %d of %d experiments", until.String(), rejected, runs)
		}
		if ended[len(looks)-1] > runs/10 || ended[0] == runs {
			t.Errorf("%s: the experiments end at looks %v", until.String(), ended)
		}
	}
}

// keep draws the episodes of a source once.
func keep(s balance.Source) balance.Source {
	var list []*dataset.Episode
	for ep := range s.Episodes {
		list = append(list, ep)
	}
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		for _, ep := range list {
			if !yield(ep, nil) {
				return
			}
		}
	}
	return s
}
