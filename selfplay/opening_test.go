package selfplay_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
)

func TestBalancedOpeningsPutNobodyAheadAndRepeatNothing(t *testing.T) {
	for _, variant := range games.Presets() {
		p := plan(t, variant, "random", "greedy", func(p *selfplay.Plan) {
			p.Opening = selfplay.Opening{Plies: 8, Balanced: true}
			p.MaxPlies = 9
		})
		distinct := map[uint64]bool{}
		for _, ep := range play(t, p, 1, 0, 40) {
			s := env.NewState(p.Variant.Game)
			level := env.Score(s.(env.Scorer), env.First)
			seen := map[uint64]bool{s.Hash(): true}
			for i := range ep.OpeningPlies {
				s.Apply(ep.Steps[i].Action)
				if seen[s.Hash()] {
					t.Errorf("%s: opening of pair %d comes to a position twice", variant, ep.Pair)
				}
				seen[s.Hash()] = true
			}
			if s.Player() == env.NoPlayer || env.Score(s.(env.Scorer), env.First) != level || ep.OpeningPlies != 8 {
				t.Errorf("%s: opening of pair %d ends at %s", variant, ep.Pair, env.PositionText(s))
			}
			distinct[s.Hash()] = true
		}
		if len(distinct) < 15 {
			t.Errorf("%s: 20 pairs have only %d openings", variant, len(distinct))
		}
	}
}

func TestOpeningsThatCannotBeBalancedAreAnError(t *testing.T) {
	p := plan(t, "ntxuva/4", "random", "greedy", func(p *selfplay.Plan) {
		p.Opening = selfplay.Opening{Plies: 300, Balanced: true}
	})
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 2, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "put a side ahead or repeated a position; use fewer opening plies") {
		t.Errorf("error is %v", err)
	}
}

func TestABalancedPlanSurvivesItsSettings(t *testing.T) {
	p := plan(t, "trench/standard", "random", "greedy", func(p *selfplay.Plan) { p.Opening.Balanced = true })
	settings := p.Settings(4)
	again, err := selfplay.FromSettings(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !again.Opening.Balanced {
		t.Error("the settings forget that openings are balanced")
	}
	plain := plan(t, "trench/standard", "random", "greedy", nil).Settings(4)
	if plain.Run() == settings.Run() {
		t.Error("balanced openings are the same run as others")
	}
}
