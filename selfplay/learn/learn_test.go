package learn_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// run returns a run of two short iterations in a new folder.
func run(t testing.TB) learn.Run {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := agent.Parse("alphabeta:eval=score,nodes=40,hash=1,version=1", v, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec}, Opening: selfplay.Opening{Plies: 4}, MaxPlies: 200, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return learn.Run{
		Dir: filepath.Join(t.TempDir(), "run"), Workers: 2, Stop: learn.Stop{Iterations: 2},
		Plan: plan,
		Recipe: learn.Recipe{
			Episodes: 120, Window: 2, Positions: 8, Mix: .5, L2: 1,
			Gate: learn.Gate{SPRT: stats.SPRT{Elo0: 0, Elo1: 100, Alpha: .2, Beta: .2}, Pairs: 80, OpeningPlies: 4},
		},
	}
}

func train(t testing.TB, r learn.Run) *learn.Outcome {
	t.Helper()
	o, err := learn.Train(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAnAgentLearnsFromItsGames(t *testing.T) {
	r := run(t)
	r.Recipe.Episodes, r.Recipe.Gate.SPRT, r.Recipe.Gate.Pairs = 300, stats.SPRT{Elo0: 0, Elo1: 50, Alpha: .05, Beta: .05}, 300
	var finished []int
	r.Finished = func(o *learn.Outcome) error {
		finished = append(finished, len(o.Iterations))
		return nil
	}
	o := train(t, r)
	if !slices.Equal(finished, []int{1, 2}) || len(o.Iterations) != 2 || len(o.Curve) != 2 {
		t.Fatalf("finished %v, %d iterations, %d points", finished, len(o.Iterations), len(o.Curve))
	}
	one, two := o.Iterations[0], o.Iterations[1]
	if one.Player != r.Plan.Config().Agents[0].String() || one.Episodes != 300 || one.Plies < 3000 || one.Candidate == one.Player {
		t.Errorf("the first iteration is %+v", one)
	}
	if !one.Accepted || one.Gate.Test.Verdict != "H1" || one.Gate.Agents != [2]string{one.Candidate, one.Player} || two.Player != one.Candidate {
		t.Errorf("the first candidate: accepted %v, %+v; the second player is %s", one.Accepted, one.Gate, two.Player)
	}
	for _, report := range o.Iterations {
		fit := report.Fit
		if fit.HeldOut.Gain.Low <= 0 || fit.HeldOut.Gain.N < 10 || fit.HeldOut.Entropy.Estimate >= fit.HeldOut.Null.Estimate || !fit.Converged {
			t.Errorf("iteration %d: held out %+v", report.Iteration, fit.HeldOut)
		}
		if fit.Positions+fit.HeldOut.Positions > int(fit.Games)*8 || fit.Positions < 400 || fit.Confidence <= 0 {
			t.Errorf("iteration %d: %d games, %d positions, confidence %v", report.Iteration, fit.Games, fit.Positions, fit.Confidence)
		}
	}
	if two.Fit.Games <= one.Fit.Games {
		t.Errorf("the second fit has %d games, the first %d: it must use both iterations", two.Fit.Games, one.Fit.Games)
	}
	if o.Curve[0].Best != o.Curve[0].Candidate || o.Curve[0].Best.Low <= 0 || o.Curve[1].Pairs != two.Gate.Pairs {
		t.Errorf("the curve is %+v", o.Curve)
	}
	best, err := os.ReadFile(o.Weights)
	if err != nil {
		t.Fatal(err)
	}
	if digest := dataset.FileDigest(string(best)); !strings.Contains(o.Best, digest) || !strings.Contains(string(best), "sandtable train trench/standard") {
		t.Errorf("the best agent is %s, its weights have the digest %s", o.Best, digest)
	}
}

func TestARunBeginsWithTheWeightsItIsGiven(t *testing.T) {
	first := run(t)
	o := train(t, first)
	r := run(t)
	spec, err := r.Plan.Config().Agents[0].WithEvaluator(o.Weights, r.Plan.Config().Variant, &agent.Sources{ReadFile: os.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Agents = [2]agent.Spec{spec, spec} })
	r.Stop.Iterations = 1
	if next := train(t, r); next.Iterations[0].Player != o.Best {
		t.Errorf("games are played by %s, want %s", next.Iterations[0].Player, o.Best)
	}
	if again := train(t, r); again.Iterations[0].Player != o.Best {
		t.Error("the run does not resume")
	}
}

func TestTheMixChangesTheTargets(t *testing.T) {
	weights := map[string]bool{}
	for _, mix := range []float64{0, .5, 1} {
		r := run(t)
		r.Stop.Iterations, r.Recipe.Mix = 1, mix
		o := train(t, r)
		weights[o.Iterations[0].Weights] = true
		if gain := o.Iterations[0].Fit.HeldOut.Gain; gain.Low <= 0 {
			t.Errorf("with a mix of %v, held-out games gain %+v", mix, gain)
		}
	}
	if len(weights) != 3 {
		t.Errorf("three mixes give %d different weights", len(weights))
	}
}

// The penalty on counts is a tenth of that on placements: with a strong penalty, the
// weights of counts stay the greatest.
func TestCountsArePenalisedLessThanPlacements(t *testing.T) {
	r := run(t)
	r.Stop.Iterations, r.Recipe.L2, r.Recipe.Gate.Pairs = 1, 30, 1
	train(t, r)
	data, err := os.ReadFile(filepath.Join(r.Dir, "iterations/0001/weights.json"))
	if err != nil {
		t.Fatal(err)
	}
	weights, err := eval.ReadWeights(data)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := eval.NewLayout(r.Plan.Config().Variant.Game)
	if err != nil {
		t.Fatal(err)
	}
	count, placement := 0.0, 0.0 // greatest absolute weights
	for i, weight := range weights.Values() {
		if layout.Placement(i) {
			placement = max(placement, math.Abs(weight))
		} else if strings.HasSuffix(layout.Name(i), " count") {
			count = max(count, math.Abs(weight))
		}
	}
	if count < 1.5*placement || placement == 0 {
		t.Errorf("the greatest weight of a count is %v, of a placement %v", count, placement)
	}
}

func TestAGameContributesAtMostItsPositions(t *testing.T) {
	var positions []int
	for _, most := range []int{8, 1000, math.MaxInt} {
		r := run(t)
		r.Stop.Iterations, r.Recipe.Episodes, r.Recipe.Positions, r.Recipe.Gate.Pairs = 1, 20, most, 1
		positions = append(positions, train(t, r).Iterations[0].Fit.Positions)
	}
	if positions[0] != 18*8 || positions[1] <= positions[0] || positions[2] != positions[1] {
		t.Errorf("at most 8, 1000 and any number of positions per game give %v", positions)
	}
}

// Truncated games still have the search's scores to learn from.
func TestTruncatedGamesAreLearntFromByTheirScores(t *testing.T) {
	r := run(t)
	r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.MaxPlies = 20 })
	r.Recipe.Mix, r.Stop.Iterations = 1, 1
	fit := train(t, r).Iterations[0].Fit
	if fit.Truncated < 110 || fit.Games < 110 || fit.Positions < 400 || fit.HeldOut.Gain.Estimate <= 0 {
		t.Errorf("the fit of games truncated after 20 plies is %+v", fit)
	}
}

func TestStoppingConditions(t *testing.T) {
	r := run(t)
	r.Stop = learn.Stop{At: time.Now()}
	if o := train(t, r); len(o.Iterations) != 0 || o.Weights != "" || o.Best != r.Plan.Config().Agents[0].String() {
		t.Errorf("without time the outcome is %+v", o)
	}
	r.Stop = learn.Stop{Elo: 1}
	if o := train(t, r); o.Curve[len(o.Curve)-1].Best.Estimate < 1 || !o.Iterations[len(o.Iterations)-1].Accepted {
		t.Errorf("until 1 Elo the curve is %+v", o.Curve)
	}
	data, err := json.Marshal(train(t, r))
	if err != nil || !strings.Contains(string(data), `"best_elo":{"estimate":`) {
		t.Errorf("JSON is %s (%v)", data, err)
	}
}

func TestInvalidRunsAreRefusedAndLeaveNoFolder(t *testing.T) {
	played := func(text string) func(*learn.Run) {
		return func(r *learn.Run) {
			spec, err := agent.Parse(text, r.Plan.Config().Variant, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Agents = [2]agent.Spec{spec, spec} })
		}
	}
	for want, change := range map[string]func(*learn.Run){
		"episodes is 9, must be 10":       func(r *learn.Run) { r.Recipe.Episodes = 9 },
		"episodes is 9223372036854775807": func(r *learn.Run) { r.Recipe.Episodes = math.MaxInt64 },
		"window is 0":                     func(r *learn.Run) { r.Recipe.Window = 0 },
		"positions is 0":                  func(r *learn.Run) { r.Recipe.Positions = 0 },
		"mix is 1.5":                      func(r *learn.Run) { r.Recipe.Mix = 1.5 },
		"l2 is 0":                         func(r *learn.Run) { r.Recipe.L2 = 0 },
		"l2 is 1e+300":                    func(r *learn.Run) { r.Recipe.L2 = 1e300 },
		"gate: pairs is 0":                func(r *learn.Run) { r.Recipe.Gate.Pairs = 0 },
		"gate: pairs is 9":                func(r *learn.Run) { r.Recipe.Gate.Pairs = math.MaxInt64 },
		"gate: elo0 is 100":               func(r *learn.Run) { r.Recipe.Gate.Elo0 = 100 },
		"gate: opening plies is -1":       func(r *learn.Run) { r.Recipe.Gate.OpeningPlies = -1 },
		"iterations is -1":                func(r *learn.Run) { r.Stop.Iterations = -1 },
		"target Elo is -1":                func(r *learn.Run) { r.Stop.Elo = -1 },
		"target Elo is NaN":               func(r *learn.Run) { r.Stop.Elo = math.NaN() },
		"the plan has two different agents": func(r *learn.Run) {
			r.Plan = selfplaytest.Changed(t, r.Plan, func(c *selfplay.Config) { c.Agents[1] = selfplaytest.Agent(t, "trench/standard", "random") })
		},
		"agent greedy has no option eval": played("greedy"),
		"agent random has no option eval": played("random"),
	} {
		r := run(t)
		change(&r)
		if _, err := learn.Train(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if _, err := os.Stat(r.Dir); err == nil {
			t.Errorf("%s: the folder was created", want)
		}
	}
}
