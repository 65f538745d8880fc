package learn_test

import (
	"math"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

func TestATargetMixesTheResultAndThePrediction(t *testing.T) {
	first, draw := env.WinFor(env.First), env.Result(0)
	scored := func(mover env.Player, score int) dataset.Step {
		return dataset.Step{Player: mover, Search: dataset.Search{Has: dataset.HasScore, Score: int32(score)}}
	}
	three := 3 * eval.Scale // 3 to 1 with the confidence ln(3)/3
	for _, c := range []struct {
		why       string
		mix       float64
		result    env.Result
		truncated bool
		step      dataset.Step
		want      float64
	}{
		{"the result alone, won", 1, first, false, scored(env.First, -three), 1},
		{"the result alone, lost by the mover", 1, first, false, scored(env.Second, three), 0},
		{"the result alone, drawn", 1, draw, false, scored(env.Second, three), .5},
		{"the score alone, good for the mover", 0, first, false, scored(env.Second, three), .75},
		{"the score alone, bad for the mover", 0, first, false, scored(env.First, -three), .25},
		{"a level score", 0, first, false, scored(env.First, 0), .5},
		{"a quarter of the result", .25, first, false, scored(env.First, three), .25*1 + .75*.75},
		{"a forced win", 0, draw, false, scored(env.Second, search.Win-3), 1},
		{"a forced loss", 0, draw, false, scored(env.First, 4-search.Win), 0},
		{"no score", 0, first, false, dataset.Step{Player: env.Second}, 0},
		{"no result", 1, draw, true, scored(env.First, three), .75},
		{"neither", .5, draw, true, dataset.Step{Player: env.First}, math.NaN()},
	} {
		ep := &dataset.Episode{Result: c.result, Truncated: c.truncated, Terminated: !c.truncated}
		got, known := learn.Target(c.mix, math.Log(3)/3, ep, &c.step)
		if known == math.IsNaN(c.want) || known && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, known %v, must be %v", c.why, got, known, c.want)
		}
	}
}
