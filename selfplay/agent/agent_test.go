package agent_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// parse reads an agent string for Trench.
func parse(t testing.TB, text string) (agent.Spec, error) {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	return agent.Parse(text, v, nil)
}

// newAgent makes an agent and a state of Trench in its start position.
func newAgent(t testing.TB, text string) (agent.Agent, env.State) {
	t.Helper()
	v, err := games.Lookup("trench/standard")
	if err != nil {
		t.Fatal(err)
	}
	player, err := selfplaytest.Agent(t, v.Name, text).New(v.Game)
	if err != nil {
		t.Fatal(err)
	}
	return player, env.NewState(v.Game)
}

func TestGreedyWinsAtOnceWhenItCan(t *testing.T) {
	player, s := newAgent(t, "greedy")
	// Black needs two points: the Sergeant on e3 gives them, the Colonel on b4 gives four.
	for position, want := range map[string]string{
		"7g/8/8/8/8/3Gs3/8/8 b 23-0 0 0":     "d3-e3xe3",
		"7g/8/8/8/1l6/1S6/8/8 b 0-0 0 0":     "b3-b4xb4",
		"7g/8/8/2p5/1P3l2/1G6/8/8 b 0-0 0 0": "",
	} {
		if err := s.SetPosition(position); err != nil {
			t.Fatal(err)
		}
		player.Begin(1)
		var told dataset.Search
		legal := s.Legal(nil)
		got := player.Choose(s, legal, &told)
		if want != "" && env.ActionText(s, got) != want {
			t.Errorf("%s: greedy plays %s, want %s", position, env.ActionText(s, got), want)
		}
		if told.Has != dataset.HasScore|dataset.HasNodes|dataset.HasDepth || told.Nodes != int64(len(legal)) || told.Depth != 1 {
			t.Errorf("greedy tells %+v", told)
		}
		if env.PositionText(s) != position {
			t.Error("greedy changed the position")
		}
	}
}

func TestGreedyBreaksTiesBySeed(t *testing.T) {
	player, s := newAgent(t, "greedy")
	legal := s.Legal(nil)
	chosen := map[env.Action]bool{}
	for seed := range uint64(200) {
		player.Begin(seed)
		a := player.Choose(s, legal, new(dataset.Search))
		player.Begin(seed)
		if b := player.Choose(s, legal, new(dataset.Search)); a != b {
			t.Fatalf("seed %d plays %d, then %d", seed, a, b)
		}
		chosen[a] = true
	}
	if len(chosen) != len(legal) {
		t.Errorf("200 seeds choose %d of %d equal moves", len(chosen), len(legal))
	}
}

func TestGreedyBeatsRandom(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		score := 0
		eps := selfplaytest.Play(t, selfplaytest.Plan(t, variant, "greedy", "random", nil), 2, 0, 100)
		for _, ep := range eps {
			score += ep.Result.For(env.Player(ep.Number % 2)) // greedy sits first in even episodes
		}
		if score < 40 { // 70 %: seven standard errors above even
			t.Errorf("%s: greedy scores %+d in %d games against random", variant, score, len(eps))
		}
	}
}

func TestRandomIsUniform(t *testing.T) {
	player, s := newAgent(t, "random")
	legal := s.Legal(nil)
	counts := map[env.Action]float64{}
	const draws = 14_000
	player.Begin(1)
	for range draws {
		counts[player.Choose(s, legal, new(dataset.Search))]++
	}
	chi := 0.0
	for _, a := range legal {
		d := counts[a] - draws/float64(len(legal))
		chi += d * d / (draws / float64(len(legal)))
	}
	if chi > 34.53 { // scipy.stats.chi2.ppf(0.999, 13)
		t.Errorf("chi-square is %.1f over %d actions", chi, len(legal))
	}
}

func TestAgentStrings(t *testing.T) {
	for text, want := range map[string]string{
		"greedy:": "option \"\"", "x": "known are alphabeta, best, exec, greedy, mcts, random", "": `agent "" is unknown`,
		"random:a=1": "option a is unknown; known are none", "best:a=1": "best takes no options; for this rule set it stands for alphabeta:", "random:a": `option "a" is not of the form`,
	} {
		if spec, err := parse(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, spec, err, want)
		}
	}
	for _, name := range agent.Names() {
		if name == "exec" {
			continue // a name must follow
		}
		spec, err := parse(t, name)
		if kind, _, _ := strings.Cut(spec.String(), ":"); err != nil || kind != name && name != "best" {
			t.Errorf("Parse(%q) = %v, %v", name, spec, err)
		}
	}
}

func TestAnalystsReportTheirProgressAndNoFurther(t *testing.T) {
	for _, text := range []string{"alphabeta:depth=5,hash=1,noise=0", "mcts:sims=200"} {
		player, s := newAgent(t, text)
		analyst := player.(agent.Analyst)
		player.Begin(1)
		reports := 0
		result := analyst.Analyze(s, 2, nil, func(*search.Result) { reports++ })
		if len(result.Lines) != 2 || result.Lines[0].Actions[0] == result.Lines[1].Actions[0] || reports == 0 {
			t.Errorf("%s: %d reports, lines are %+v", text, reports, result.Lines)
		}
		before, nodes := reports, result.Nodes
		player.Choose(s, s.Legal(nil), new(dataset.Search))
		if reports != before {
			t.Errorf("%s: a choice reports to the analysis before it", text)
		}
		done := make(chan struct{})
		close(done)
		if stopped := analyst.Analyze(s, 1, done, nil); stopped.Nodes > nodes/2 {
			t.Errorf("%s: %d nodes after it was to stop, %d without", text, stopped.Nodes, nodes)
		}
	}
}
