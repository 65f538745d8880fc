package dataset_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

func TestTheResignationRuleLooksAtThePlayersOwnLastChoices(t *testing.T) {
	const none = 1 << 30 // no score was told
	rule := dataset.Resign{Score: 200, Plies: 2}
	type told struct {
		player env.Player
		score  int32
	}
	for _, c := range []struct {
		name  string
		told  []told
		holds [2]bool // for either player, were it to move
	}{
		{"nothing was chosen", nil, [2]bool{}},
		{"once is too little", []told{{0, -900}}, [2]bool{}},
		{"twice is enough, and the opponent's scores do not count", []told{{0, -900}, {1, 900}, {0, -200}, {1, 900}}, [2]bool{true, false}},
		{"exactly the score is enough", []told{{1, -200}, {1, -200}}, [2]bool{false, true}},
		{"one more is not", []told{{1, -200}, {1, -199}}, [2]bool{}},
		{"what was before the last ones does not count", []told{{0, 500}, {0, -300}, {0, -300}}, [2]bool{true, false}},
		{"hope in between ends the row", []told{{0, -300}, {0, 0}, {0, -300}}, [2]bool{}},
		{"a choice without a score ends the row", []told{{0, -300}, {0, none}, {0, -300}}, [2]bool{}},
		{"both can hold", []told{{0, -300}, {1, -300}, {0, -300}, {1, -300}}, [2]bool{true, true}},
	} {
		var ep dataset.Episode
		for _, s := range c.told {
			step := ep.AddStep()
			step.Player = s.player
			if s.score != none {
				step.Search.Has, step.Search.Score = dataset.HasScore, s.score
			}
		}
		for p, want := range c.holds {
			if got := rule.Holds(ep.Steps, env.Player(p)); got != want {
				t.Errorf("%s: for player %d it holds: %t", c.name, p, got)
			}
			if (dataset.Resign{}).Holds(ep.Steps, env.Player(p)) {
				t.Errorf("%s: no rule holds for player %d", c.name, p)
			}
		}
	}
}

func TestTheShareOfGamesPlayedOnIsThatOfTheRule(t *testing.T) {
	for _, agents := range [][2]string{{"a", "a"}, {"a", "b"}} {
		s := dataset.Settings{Agents: agents, Seed: 7, JobEpisodes: 10}
		for _, want := range []float64{0, .25, 1} {
			s.Resign = dataset.Resign{Score: 100, Plies: 1, PlayOn: want}
			on := 0
			for number := range int64(4000) {
				if s.Assign(number).PlayOn {
					on++
				}
			}
			if share := float64(on) / 4000; share < want-.03 || share > want+.03 || want == 0 && on > 0 {
				t.Errorf("%v: %.3f of the games are played on, want %v", agents, share, want)
			}
		}
	}
	// The games of a pair are drawn apart.
	s, both := dataset.Settings{Agents: [2]string{"a", "b"}, Seed: 7, Resign: dataset.Resign{Score: 100, Plies: 1, PlayOn: .5}}, 0
	for pair := range int64(1000) {
		if s.Assign(2*pair).PlayOn == s.Assign(2*pair+1).PlayOn {
			both++
		}
	}
	if both < 400 || both > 600 {
		t.Errorf("the games of %d of 1,000 pairs have the same draw", both)
	}
}
