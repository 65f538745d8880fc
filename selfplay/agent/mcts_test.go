package agent_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestMCTSOptionsAreWrittenOutAndChecked(t *testing.T) {
	defaults := map[string]string{
		"batch": "1", "dirichlet": "0", "dirichlet-weight": "25", "eval": "score", "explore": "100", "fast-sims": "0", "fpu": "0",
		"full-share": "25", "nodes": "0", "noise": "10", "quiescence": "4", "reuse": "on", "select": "puct", "sims": "2000",
		"temperature": "100", "temperature-plies": "0",
	}
	for text, changes := range map[string]map[string]string{
		"mcts:eval=score":                      {},
		"mcts:sims=9,eval=material":            {"sims": "9", "eval": "material"},
		"mcts:eval=score,nodes=5000":           {"nodes": "5000", "sims": "0"},
		"mcts:eval=score,sims=2000,nodes=5000": {"nodes": "5000"},
		"mcts:eval=score,select=uct,reuse=off": {"select": "uct", "reuse": "off"},
		"mcts:eval=score,fast-sims=2000":       {"fast-sims": "2000"},
	} {
		var items []string
		for _, name := range slices.Sorted(maps.Keys(defaults)) {
			items = append(items, name+"="+cmp.Or(changes[name], defaults[name]))
		}
		want := "mcts:" + strings.Join(items, ",")
		if spec, err := parse(t, text); err != nil || spec.String() != want {
			t.Errorf("%s is %s, must be %s (%v)", text, spec, want, err)
		}
	}
	for text, want := range map[string]string{
		"sims=0":                  "one of the options nodes and sims must limit the search",
		"sims=+4":                 `option sims is "+4", must be a number from 0 to 10000000`,
		"nodes=-1":                `option nodes is "-1", must be a number from 0 to 1000000000000`,
		"explore=1.5":             `option explore is "1.5", must be a number from 0 to 10000`,
		"fpu=201":                 `option fpu is "201", must be a number from 0 to 200`,
		"batch=0":                 `option batch is "0", must be a number from 1 to 1024`,
		"dirichlet=100001":        `option dirichlet is "100001", must be a number from 0 to 100000`,
		"dirichlet-weight=101":    `option dirichlet-weight is "101", must be a number from 0 to 100`,
		"noise=10001":             `option noise is "10001", must be a number from 0 to 10000`,
		"quiescence=7":            `option quiescence is "7", must be a number from 0 to 6`,
		"temperature=1001":        `option temperature is "1001", must be a number from 0 to 1000`,
		"temperature-plies=-1":    `option temperature-plies is "-1", must be a number from 0 to 1000000`,
		"full-share=101":          `option full-share is "101", must be a number from 0 to 100`,
		"fast-sims=20,sims=10":    "option fast-sims is 20, must be at most sims, 10",
		"select=max":              `option select is "max", must be one of puct, uct`,
		"reuse=yes":               `option reuse is "yes", must be one of on, off`,
		"eval=luck,noise=999999":  `evaluator "luck" is unknown`,
		"depth=3":                 "option depth is unknown; known are batch, dirichlet, dirichlet-weight, eval, explore, fast-sims",
		"explore=-1,temperature=": `option "temperature=" is not of the form NAME=VALUE`,
	} {
		if spec, err := parse(t, "mcts:"+text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %s, error %v, must be %s", text, spec, err, want)
		}
	}
}

func TestMCTSBeatsGreedy(t *testing.T) {
	for variant, agent := range map[string]string{
		"trench/standard": "mcts:sims=200", "ntxuva/basic": "mcts:sims=100",
		"tankchess/16x16": "mcts:sims=400", "tankbattle/standard": "mcts:sims=200",
	} {
		score, games := 0.0, 0.0
		for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, variant, agent, "greedy", nil), 2, 0, 8) {
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
		p := selfplaytest.Plan(t, variant, "mcts:sims=60,temperature-plies=4,dirichlet=1000,fast-sims=10,batch=3", "mcts:nodes=500,select=uct", func(c *selfplay.Config) { c.MaxPlies = 16 })
		one := selfplaytest.Play(t, p, 1, 0, 6)
		if many := selfplaytest.Play(t, p, 3, 0, 6); !reflect.DeepEqual(one, many) {
			t.Errorf("%s: three goroutines play other episodes than one", variant)
		}
		if late := selfplaytest.Play(t, p, 2, 3, 2); !reflect.DeepEqual(one[3:5], late) {
			t.Errorf("%s: episodes depend on what was played before", variant)
		}
	}
}

func TestMCTSTellsVisitsAndValue(t *testing.T) {
	const all = dataset.HasScore | dataset.HasNodes | dataset.HasDepth | dataset.HasValue | dataset.HasVisits
	for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, "trench/standard", "mcts:sims=25", "mcts:sims=24", nil), 2, 0, 2) {
		for ply, step := range ep.Steps[ep.OpeningPlies:] {
			told := step.Search
			sum := int32(0)
			for i, v := range told.Visits {
				sum += v.Count
				if v.Count < 1 || i > 0 && v.Action <= told.Visits[i-1].Action {
					t.Fatalf("ply %d: visits are %v", ply, told.Visits)
				}
			}
			if told.Has != all || sum > 25 || told.Value < -1 || told.Value > 1 || told.Fast {
				t.Fatalf("ply %d: %+v", ply, told)
			}
		}
	}
}

// firsts returns how often each first action is played by 200 seeds.
func firsts(t *testing.T, agent string) map[env.Action]int {
	t.Helper()
	seen := map[env.Action]int{}
	p := selfplaytest.Plan(t, "tankbattle/standard", agent, agent, func(c *selfplay.Config) { c.Opening.Plies, c.MaxPlies = 0, 1 })
	for _, ep := range selfplaytest.Play(t, p, 1, 0, 200) {
		step := &ep.Steps[0]
		seen[step.Action]++
		if !slices.ContainsFunc(step.Search.Visits, func(v dataset.Visit) bool { return v.Action == step.Action }) {
			t.Errorf("%s plays an action that it never visited", agent)
		}
	}
	return seen
}

func TestTheFirstActionsAreDrawnByVisits(t *testing.T) {
	const agent = "mcts:sims=60,noise=0,temperature-plies=1,temperature="
	best := firsts(t, "mcts:sims=60,noise=0")
	frozen, cold, usual, hot := firsts(t, agent+"0"), firsts(t, agent+"20"), firsts(t, agent+"100"), firsts(t, agent+"1000")
	if len(best) != 1 || !maps.Equal(best, frozen) {
		t.Errorf("without draws 200 seeds play %v, at temperature 0 %v", best, frozen)
	}
	for favourite := range best {
		if c, u, h := cold[favourite], usual[favourite], hot[favourite]; c <= u || u <= h || h == 0 {
			t.Errorf("the favourite is played %d times at temperature 20, %d at 100, %d at 1000", c, u, h)
		}
	}
	if len(usual) < 5 {
		t.Errorf("200 seeds draw %d first actions", len(usual))
	}
}

// At temperature 100 an action is drawn as often as its share of the visits says.
func TestDrawsFollowTheVisits(t *testing.T) {
	const agent, draws = "mcts:sims=100,noise=0,temperature-plies=1", 200
	p := selfplaytest.Plan(t, "tankbattle/standard", agent, agent, func(c *selfplay.Config) { c.Opening.Plies, c.MaxPlies = 0, 1 })
	visits := selfplaytest.Play(t, p, 1, 0, 1)[0].Steps[0].Search.Visits
	drawn := firsts(t, agent)
	for _, v := range visits {
		share := float64(v.Count) / 100
		if got := float64(drawn[v.Action]) / draws; math.Abs(got-share) > 4.5*math.Sqrt(share*(1-share)/draws) {
			t.Errorf("action %d with %d %% of the visits is drawn in %g %%", v.Action, v.Count, 100*got)
		}
	}
}

func TestAPlayoutCapSearchesSomeMovesInFull(t *testing.T) {
	for _, share := range []int{0, 30, 100} {
		agent := fmt.Sprintf("mcts:sims=40,fast-sims=8,reuse=off,full-share=%d", share)
		full, moves := 0, 0
		for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, "tankbattle/standard", agent, agent, func(c *selfplay.Config) { c.MaxPlies = 50 }), 2, 0, 10) {
			for ply, step := range ep.Steps[ep.OpeningPlies:] {
				told, sum := &step.Search, int32(0)
				for _, v := range told.Visits {
					sum += v.Count
				}
				most := int32(40)
				if told.Fast {
					most = 8
				} else {
					full++
				}
				moves++
				_, certain := search.Forced(int(told.Score))
				if told.Has&dataset.HasFast == 0 || sum > most || sum < most && !certain && told.Value != 0 {
					t.Errorf("ply %d: %d visits, %+v", ply, sum, told)
				}
			}
		}
		if want := float64(share*moves) / 100; math.Abs(float64(full)-want) > 4*math.Sqrt(want*float64(100-share)/100) {
			t.Errorf("%d of %d moves are searched in full, must be %d %%", full, moves, share)
		}
	}
}

// The tree of the move before saves work and changes the play, no more.
func TestReuseSavesNodes(t *testing.T) {
	nodes := func(reuse string) (sum int64) {
		agent := "mcts:sims=200,reuse=" + reuse
		for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, "ntxuva/basic", agent, "random", func(c *selfplay.Config) { c.MaxPlies = 30 }), 2, 0, 4) {
			for _, step := range ep.Steps {
				sum += step.Search.Nodes
			}
		}
		return sum
	}
	if on, off := nodes("on"), nodes("off"); on >= off {
		t.Errorf("%d nodes with reuse, %d without", on, off)
	}
}
