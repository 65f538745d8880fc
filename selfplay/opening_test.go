package selfplay_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/selfplaytest"
)

func TestBalancedOpeningsPutNobodyAheadAndRepeatNothing(t *testing.T) {
	for _, variant := range games.Presets() {
		p := selfplaytest.Plan(t, variant, "random", "greedy", func(c *selfplay.Config) {
			c.Opening = selfplay.Opening{Plies: 8, Balanced: true}
			c.MaxPlies = 9
		})
		distinct := map[uint64]bool{}
		for _, ep := range selfplaytest.Play(t, p, 1, 0, 40) {
			s := env.NewState(p.Config().Variant.Game)
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

// Two pieces that wander about an empty board come back to a position now and then.
func TestBalancedOpeningsRepeatNoPosition(t *testing.T) {
	repeats := func(plies int, balanced bool) (n int) {
		p := selfplaytest.Plan(t, "trench/standard", "random", "random", func(c *selfplay.Config) {
			c.Opening = selfplay.Opening{Plies: plies, Balanced: balanced, Starts: []string{"7g/8/8/8/8/8/8/G7 b 0-0 0 0"}}
			c.MaxPlies = plies + 1
		})
		for _, ep := range selfplaytest.Play(t, p, 1, 0, 2000) {
			seen := map[uint64]bool{}
			for _, step := range ep.Steps { // the last one is that of the agent, after the opening
				if seen[step.Hash] {
					n++
					break
				}
				seen[step.Hash] = true
			}
		}
		return n
	}
	// The start can return after four plies: at the end of the opening, one ply before it, and earlier.
	for _, plies := range []int{4, 5, 8} {
		if free, balanced := repeats(plies, false), repeats(plies, true); free < 5 || balanced != 0 {
			t.Errorf("%d of 2000 openings of %d plies repeat a position, %d of the balanced ones", free, plies, balanced)
		}
	}
}

func TestOpeningsThatCannotBeBalancedAreAnError(t *testing.T) {
	p := selfplaytest.Plan(t, "ntxuva/4", "random", "greedy", func(c *selfplay.Config) {
		c.Opening = selfplay.Opening{Plies: 300, Balanced: true}
	})
	err := selfplay.PlayAll(t.Context(), p, "run", 0, 2, 1, func(*dataset.Episode) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "put a side ahead or repeated a position; use fewer opening plies") {
		t.Errorf("error is %v", err)
	}
}

func TestABalancedPlanSurvivesItsSettings(t *testing.T) {
	p := selfplaytest.Plan(t, "trench/standard", "random", "greedy", func(c *selfplay.Config) { c.Opening.Balanced = true })
	settings := p.Cut(4, 0).Settings()
	again, err := selfplay.Open(&settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !again.Config().Opening.Balanced {
		t.Error("the settings forget that openings are balanced")
	}
	plain := selfplaytest.Plan(t, "trench/standard", "random", "greedy", nil).Cut(4, 0).Settings()
	if plain.Run() == settings.Run() {
		t.Error("balanced openings are the same run as others")
	}
}
