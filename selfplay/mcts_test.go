package selfplay_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
)

func TestMCTSOptionsAreWrittenOutAndChecked(t *testing.T) {
	for text, want := range map[string]string{
		"mcts":                        "mcts:eval=score,explore=150,noise=10,sample=0,sims=400",
		"mcts:sims=9,eval=material":   "mcts:eval=material,explore=150,noise=10,sample=0,sims=9",
		"mcts:sample=6,explore=0":     "mcts:eval=score,explore=0,noise=10,sample=6,sims=400",
		"mcts:sims=0":                 `option sims is "0", must be a number from 1 to 10000000`,
		"mcts:sims=+4":                `option sims is "+4"`,
		"mcts:explore=1.5":            `option explore is "1.5", must be a number from 0 to 10000`,
		"mcts:sample=-1":              `option sample is "-1"`,
		"mcts:eval=luck,noise=999999": `evaluator "luck" is unknown`,
		"mcts:depth=3":                "option depth is unknown; known are eval, explore, noise, sample, sims",
	} {
		spec, err := parse(t, text)
		switch {
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: error is %v, must be %s", text, err, want)
		case err == nil && spec.String() != want:
			t.Errorf("%s is %s, must be %s", text, spec, want)
		}
	}
}

func TestMCTSBeatsGreedy(t *testing.T) {
	for variant, agent := range map[string]string{
		"trench/standard": "mcts:sims=40", "ntxuva/basic": "mcts:sims=100",
		"tankchess/16x16": "mcts:sims=15", "tankbattle/standard": "mcts:sims=30",
	} {
		score, games := 0.0, 0.0
		for _, ep := range play(t, plan(t, variant, agent, "greedy", nil), 2, 0, 8) {
			score += float64(1+ep.Result.For(env.Player(ep.Number%2))) / 2
			games++
		}
		t.Logf("%s: %v of %v", variant, score, games)
		if score < 0.7*games {
			t.Errorf("%s: %s scores %v of %v against greedy", variant, agent, score, games)
		}
	}
}

func TestEpisodesOfMCTSAreAFunctionOfPlanAndNumber(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"} {
		p := plan(t, variant, "mcts:sims=12,sample=4", "mcts:sims=6", func(p *selfplay.Plan) { p.MaxPlies = 16 })
		one := play(t, p, 1, 0, 6)
		if many := play(t, p, 3, 0, 6); !reflect.DeepEqual(one, many) {
			t.Errorf("%s: three goroutines play other episodes than one", variant)
		}
		if late := play(t, p, 2, 3, 2); !reflect.DeepEqual(one[3:5], late) {
			t.Errorf("%s: episodes depend on what was played before", variant)
		}
	}
}

func TestMCTSTellsVisitsAndValue(t *testing.T) {
	const all = dataset.HasScore | dataset.HasNodes | dataset.HasDepth | dataset.HasValue | dataset.HasVisits
	for _, ep := range play(t, plan(t, "trench/standard", "mcts:sims=25", "mcts:sims=24", nil), 2, 0, 2) {
		for ply, step := range ep.Steps[ep.OpeningPlies:] {
			told := step.Search
			sum := int32(0)
			for i, v := range told.Visits {
				sum += v.Count
				if v.Count < 1 || i > 0 && v.Action <= told.Visits[i-1].Action {
					t.Fatalf("ply %d: visits are %v", ply, told.Visits)
				}
			}
			if told.Has != all || sum > 24 || told.Value < -1 || told.Value > 1 || told.Nodes < 1 || told.Depth < 1 {
				t.Fatalf("ply %d: %+v", ply, told)
			}
		}
	}
}

func TestSampleDrawsTheFirstActionsByVisits(t *testing.T) {
	firsts := func(agent string) int {
		seen := map[env.Action]bool{}
		p := plan(t, "tankbattle/standard", agent, agent, func(p *selfplay.Plan) { p.Opening.Plies, p.MaxPlies = 0, 1 })
		for _, ep := range play(t, p, 1, 0, 30) {
			seen[ep.Steps[0].Action] = true
			drawn := false
			for _, v := range ep.Steps[0].Search.Visits {
				drawn = drawn || v.Action == ep.Steps[0].Action
			}
			if !drawn {
				t.Errorf("%s plays an action that it never visited", agent)
			}
		}
		return len(seen)
	}
	if drawn, best := firsts("mcts:sims=60,noise=0,sample=1"), firsts("mcts:sims=60,noise=0"); drawn < 5 || best != 1 {
		t.Errorf("30 seeds play %d first actions when they are drawn, %d when not", drawn, best)
	}
}
