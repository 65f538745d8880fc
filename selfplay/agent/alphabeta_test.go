package agent_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestAlphaBetaStringsAreWrittenOut(t *testing.T) {
	for text, want := range map[string]string{
		"alphabeta:eval=score":                         "alphabeta:depth=0,eval=score,hash=16,nodes=20000,noise=10,table=none,time=0s,version=2",
		"alphabeta:depth=5,eval=material":              "alphabeta:depth=5,eval=material,hash=16,nodes=0,noise=10,table=none,time=0s,version=2",
		"alphabeta:eval=score,nodes=1000":              "alphabeta:depth=0,eval=score,hash=16,nodes=1000,noise=10,table=none,time=0s,version=2",
		"alphabeta:eval=score,time=1m30s,hash=0":       "alphabeta:depth=0,eval=score,hash=0,nodes=0,noise=10,table=none,time=1m30s,version=2",
		"alphabeta:eval=score,time=1500ms":             "alphabeta:depth=0,eval=score,hash=16,nodes=0,noise=10,table=none,time=1.5s,version=2",
		"alphabeta:eval=score,time=90s":                "alphabeta:depth=0,eval=score,hash=16,nodes=0,noise=10,table=none,time=1m30s,version=2",
		"alphabeta:nodes=7,noise=5,depth=2,eval=score": "alphabeta:depth=2,eval=score,hash=16,nodes=7,noise=5,table=none,time=0s,version=2",
		"alphabeta:eval=score,version=1":               "alphabeta:depth=0,eval=score,hash=16,nodes=20000,noise=10,table=none,time=0s",
	} {
		spec, err := parse(t, text)
		if err != nil || spec.String() != want {
			t.Errorf("%s is %s, %v, must be %s", text, spec, err, want)
			continue
		}
		if again, err := parse(t, spec.String()); err != nil || again.String() != want {
			t.Errorf("%s comes back as %s, %v", want, again, err)
		}
	}
}

// A string that was recorded before the search had versions gives every other option.
func TestAStringRecordedBeforeVersionsPlaysAsItDid(t *testing.T) {
	const recorded = "alphabeta:depth=0,eval=score,hash=1,nodes=3000,noise=10,table=none,time=0s"
	old := selfplaytest.Plan(t, "trench/standard", recorded, recorded+",version=1", nil)
	if agents := old.Config().Agents; agents[0].String() != recorded || agents[1].String() != recorded {
		t.Fatalf("the agents are %v", agents)
	}
	current := selfplaytest.Plan(t, "trench/standard", recorded+",version=2", recorded+",version=2", nil)
	if reflect.DeepEqual(selfplaytest.Play(t, old, 1, 0, 1)[0].Steps, selfplaytest.Play(t, current, 1, 0, 1)[0].Steps) {
		t.Error("version 1 plays like version 2")
	}
}

func TestAnAgentWithoutAnEvaluatorGetsTheStrongest(t *testing.T) {
	for _, name := range []string{"alphabeta", "mcts"} {
		spec, err := parse(t, name)
		linear, fault := parse(t, name+":eval=linear")
		if err != nil || fault != nil || spec.String() != linear.String() {
			t.Errorf("%s is %s, %v, must be %s, %v", name, spec, err, linear, fault)
		}
	}
	if spec := parseFor(t, "tankchess/16x16", "alphabeta"); !strings.Contains(spec.String(), "eval=material,") {
		t.Errorf("in Tank Chess it is %s", spec)
	}
	if spec := parseFor(t, "trench/general", "alphabeta"); !strings.Contains(spec.String(), "eval=score,") {
		t.Errorf("without shipped weights it is %s", spec)
	}
}

func parseFor(t *testing.T, variant, text string) agent.Spec {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := agent.Parse(text, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestAlphaBetaOptionsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"alphabeta:depth=65":             `option depth is "65", must be a number from 0 to 64`,
		"alphabeta:depth=03":             `option depth is "03"`,
		"alphabeta:nodes=-1":             `option nodes is "-1"`,
		"alphabeta:nodes=many":           `option nodes is "many"`,
		"alphabeta:hash=1000000":         `option hash is "1000000"`,
		"alphabeta:noise=x":              `option noise is "x"`,
		"alphabeta:time=90h":             `option time is "90h", must be 0s or a duration from 1ms to 24h0m0s`,
		"alphabeta:time=1":               `option time is "1"`,
		"alphabeta:time=-1s":             `option time is "-1s"`,
		"alphabeta:depth=0":              "must limit the search",
		"alphabeta:nodes=0":              "must limit the search",
		"alphabeta:eval=best":            `evaluator "best" is unknown; known are linear, material, score or a file of weights`,
		"alphabeta:width=3":              "option width is unknown; known are depth, eval, hash, nodes, noise, table, time, version",
		"alphabeta:depth=1,depth=2":      "option depth is given twice",
		"alphabeta:depth=99,eval=nobody": `evaluator "nobody" is unknown`,
	} {
		if spec, err := parse(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, spec, err, want)
		}
	}
}

func TestAgentsThatThinkInSecondsAreTimed(t *testing.T) {
	for text, want := range map[string]bool{"random": false, "alphabeta": false, "alphabeta:nodes=5": false, "alphabeta:time=1s": true} {
		spec, err := parse(t, text)
		if err != nil || spec.Timed() != want {
			t.Errorf("%s: timed is %v, %v", text, spec.Timed(), err)
		}
	}
}

var smallMatches = [...]struct {
	variant, agent string
	pairs          int64
}{
	{"trench/standard", "alphabeta:depth=2,hash=1", 8},
	{"ntxuva/basic", "alphabeta:depth=4,hash=1", 12},
	{"tankchess/16x16", "alphabeta:depth=2,hash=1,nodes=3000", 6},
	{"tankbattle/standard", "alphabeta:depth=2,hash=1", 6},
}

// Its score against greedy is 0.9 and more; 0.7 in these games leaves chance room.
func TestAlphaBetaBeatsGreedy(t *testing.T) {
	for _, m := range smallMatches {
		score, games := 0.0, 0.0
		for _, ep := range selfplaytest.Play(t, selfplaytest.Plan(t, m.variant, m.agent, "greedy", nil), 2, 0, 2*m.pairs) {
			score += float64(1+ep.Result.For(env.Player(ep.Number%2))) / 2
			games++
		}
		if score < 0.7*games {
			t.Errorf("%s: %s scores %v of %v against greedy", m.variant, m.agent, score, games)
		}
		t.Logf("%s: %v of %v", m.variant, score, games)
	}
}

func TestEpisodesOfAlphaBetaAreAFunctionOfPlanAndNumber(t *testing.T) {
	for _, m := range smallMatches {
		p := selfplaytest.Plan(t, m.variant, m.agent, "alphabeta:hash=1,nodes=200", func(c *selfplay.Config) { c.MaxPlies = 60 })
		one := selfplaytest.Play(t, p, 1, 0, 6)
		if many := selfplaytest.Play(t, p, 3, 0, 6); !reflect.DeepEqual(one, many) {
			t.Errorf("%s: three goroutines play other episodes than one", m.variant)
		}
		if late := selfplaytest.Play(t, p, 2, 3, 2); !reflect.DeepEqual(one[3:5], late) {
			t.Errorf("%s: episodes depend on what was played before", m.variant)
		}
	}
}

func TestAlphaBetaTellsScoreValueNodesAndDepth(t *testing.T) {
	p := selfplaytest.Plan(t, "trench/standard", "alphabeta:depth=2", "alphabeta:nodes=100", nil)
	for _, ep := range selfplaytest.Play(t, p, 1, 0, 2) {
		for ply, step := range ep.Steps[ep.OpeningPlies:] {
			told := step.Search
			if told.Has != dataset.HasScore|dataset.HasValue|dataset.HasNodes|dataset.HasDepth || told.Nodes < 1 || told.Value != search.Value(int(told.Score)) {
				t.Fatalf("ply %d: %+v", ply, told)
			}
			switch deep := ep.Agents[step.Player] == p.Config().Agents[0].String(); {
			case deep && told.Depth != 2 && told.Score < 900_000 && told.Score > -900_000:
				t.Errorf("ply %d: depth is %d, must be 2", ply, told.Depth)
			case !deep && told.Nodes > 100:
				t.Errorf("ply %d: %d nodes, must be 100 at most", ply, told.Nodes)
			}
		}
	}
}

func TestAnAgentIsGivenAnotherEvaluator(t *testing.T) {
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := parse(t, "alphabeta:nodes=50")
	if err != nil {
		t.Fatal(err)
	}
	changed, err := spec.WithEvaluator("material", v, nil)
	if want, _ := parse(t, "alphabeta:nodes=50,eval=material"); err != nil || changed.String() != want.String() {
		t.Errorf("agent is %s (%v), want %s", changed, err, want)
	}
	if again, _ := parse(t, "alphabeta:nodes=50"); spec.String() != again.String() {
		t.Errorf("the agent that it was made from is now %s", spec)
	}
	greedy, _ := parse(t, "greedy")
	for spec, want := range map[*agent.Spec]string{&spec: "luck", &greedy: "agent greedy has no option eval"} {
		if _, err := spec.WithEvaluator("luck", v, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}

func TestAnAgentIsGivenAnotherBudget(t *testing.T) {
	for text, want := range map[string]string{
		"alphabeta":                           "alphabeta:depth=0,nodes=70",
		"alphabeta:depth=4,noise=3":           "alphabeta:nodes=70,noise=3",
		"alphabeta:time=1s,nodes=5":           "alphabeta:nodes=70",
		"mcts:sims=100,eval=material":         "mcts:sims=0,nodes=70,eval=material",
		"mcts:sims=100,fast-sims=9,nodes=100": "mcts:nodes=70,fast-sims=9",
		"exec:mine,depth=3,time=2s":           "exec:mine,depth=0,nodes=70,time=2s",
	} {
		spec, err := parse(t, text)
		if err != nil {
			t.Fatal(err)
		}
		before := spec.String()
		changed, err := spec.WithNodes(70)
		if want, wrong := parse(t, want); err != nil || wrong != nil || changed.String() != want.String() {
			t.Errorf("%s becomes %s (%v), want %s (%v)", text, changed, err, want, wrong)
		}
		if again, err := parse(t, changed.String()); err != nil || again.String() != changed.String() {
			t.Errorf("%s reads back as %s (%v)", changed, again, err)
		}
		if spec.String() != before {
			t.Errorf("%s is now %s", before, spec)
		}
	}
	for text, nodes := range map[string]int64{"greedy": 70, "alphabeta": 0, "mcts": -1} {
		spec, _ := parse(t, text)
		if changed, err := spec.WithNodes(nodes); err == nil || !strings.Contains(err.Error(), "option nodes") {
			t.Errorf("%s with %d nodes is %s (%v)", text, nodes, changed, err)
		}
	}
}
