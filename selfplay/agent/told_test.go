package agent_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/search"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

// What the agents of this program tell of every choice; others choose what they tell.
func TestWhatAnAgentTellsIsInTheSteps(t *testing.T) {
	const looked = dataset.HasScore | dataset.HasNodes | dataset.HasDepth
	for agent, want := range map[string]dataset.SearchField{
		"random":                      0,
		"greedy":                      looked,
		"alphabeta:depth=2,hash=1":    looked | dataset.HasValue,
		"alphabeta:nodes=3000,hash=1": looked | dataset.HasValue,
		"mcts:sims=30":                looked | dataset.HasValue | dataset.HasVisits,
		"mcts:sims=30,fast-sims=10":   looked | dataset.HasValue | dataset.HasVisits | dataset.HasFast,
	} {
		for _, variant := range []string{"trench/standard", "ntxuva/4", "tankchess/16x16", "tankbattle/standard"} {
			p := selfplaytest.Plan(t, variant, agent, agent, func(c *selfplay.Config) { c.MaxPlies = 16 })
			settings := p.Cut(1, 0).Settings()
			replayer, err := replay.New(&settings)
			if err != nil {
				t.Fatal(err)
			}
			ep := selfplaytest.Play(t, p, 1, 0, 1)[0]
			if err := replayer.Check(&ep); err != nil {
				t.Errorf("%s: %v", agent, err)
			}
			for ply, s := range ep.Steps {
				has := want
				if s.Source == dataset.FromOpening {
					has = 0
				}
				told := &s.Search
				if told.Has != has {
					t.Fatalf("%s, %s: at ply %d it tells %06b, want %06b", variant, agent, ply, told.Has, has)
				}
				if has&looked != 0 && (told.Nodes < 1 || told.Depth < 1) {
					t.Errorf("%s, %s: at ply %d it looked at %d nodes, %d plies deep", variant, agent, ply, told.Nodes, told.Depth)
				}
				var visits int64
				for _, v := range told.Visits {
					visits += int64(v.Count)
				}
				if has&dataset.HasVisits != 0 && visits < 1 {
					t.Errorf("%s, %s: at ply %d it tells no visits", variant, agent, ply)
				}
			}
		}
	}
}

// Scores of all agents compare, so that one resignation rule fits them.
func TestGreedyTellsTheScoreItLeadsToInHundredthsOfAPoint(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/4", "tankchess/16x16", "tankbattle/standard"} {
		p := selfplaytest.Plan(t, variant, "greedy", "greedy", nil)
		settings := p.Cut(1, 0).Settings()
		replayer, err := replay.New(&settings)
		if err != nil {
			t.Fatal(err)
		}
		ep := selfplaytest.Play(t, p, 1, 0, 1)[0]
		ply, forced := -1, 0
		for s, err := range replayer.Positions(&ep) {
			if err != nil {
				t.Fatal(err)
			}
			if ply >= ep.OpeningPlies {
				step := ep.Steps[ply]
				want := env.Score(s.(env.Scorer), step.Player) * eval.Unit
				if result, reason := s.Result(); reason != env.NoReason {
					want = result.For(step.Player) * (search.Win - 1)
				}
				if int(step.Search.Score) != want {
					t.Fatalf("%s: at ply %d greedy tells a score of %d, want %d", variant, ply, step.Search.Score, want)
				}
				if _, is := search.Forced(want); is {
					forced++
				}
			}
			ply++
		}
		if forced == 0 {
			t.Errorf("%s: no choice decided the game, which ended for the reason %s", variant, ep.Reason)
		}
	}
}
