package vec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/vec"
)

var modes = []vec.Autoreset{vec.NextStep, vec.SameStep, vec.Disabled}

// starts are positions a few plies into random games.
func starts(g env.Game, count int) (texts []string) {
	r, s := env.NewRand(77), env.NewState(g)
	for len(texts) < count {
		s.Reset()
		for range 4 + len(texts) {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[r.IntN(len(legal))])
			}
		}
		if s.Player() != env.NoPlayer {
			texts = append(texts, env.PositionText(s))
		}
	}
	return texts
}

// A way is a variant and options without an autoreset mode.
type way struct {
	name    string
	game    env.Game
	options vec.Options
}

// ways returns all ways to play two small variants, and one for each other variant.
func ways(t testing.TB) (list []way) {
	t.Helper()
	for i, variant := range games.Presets() {
		g := game(t, variant)
		settings := []struct {
			name    string
			options vec.Options
		}{
			{"alternating", vec.Options{MaxPlies: 60}},
			{"opponent, any seat", vec.Options{MaxPlies: 31, Opponent: vec.Random{}}},
			{"random plies", vec.Options{MaxPlies: 20, RandomPlies: 5}},
			{"opponent, second seat", vec.Options{MaxPlies: 24, Opponent: vec.Random{}, Seat: vec.SeatSecond, Starts: starts(g, 4)}},
			{"given starts", vec.Options{MaxPlies: 15, Starts: starts(g, 3)}},
			{"opponent, first seat", vec.Options{MaxPlies: 30, Opponent: vec.Random{}, Seat: vec.SeatFirst}},
			{"one start, random plies", vec.Options{MaxPlies: 17, Starts: starts(g, 1), RandomPlies: 2}},
			{"opponent, random plies", vec.Options{MaxPlies: 24, Opponent: vec.Random{}, RandomPlies: 3}},
			{"no limit", vec.Options{MaxPlies: vec.NoLimit}},
		}
		if variant != "trench/standard" && variant != "ntxuva/basic" {
			settings = settings[i%8 : i%8+1]
		}
		for _, s := range settings {
			list = append(list, way{variant + ", " + s.name, g, s.options})
		}
	}
	return list
}

func TestEveryAutoresetModeIsThatOfGymnasium(t *testing.T) {
	for _, way := range ways(t) {
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%s, %s", way.name, mode), func(t *testing.T) {
				options := way.options
				options.Autoreset = mode
				v := newVec(t, way.game, 3, options)
				reset(t, v, 11)
				m := newVector(way.game, 3, options, 11)
				episodes := agree(t, v, m, 90, func() []env.Action { return sample(t, v) })
				if episodes == 0 && options.MaxPlies > 0 {
					t.Error("no episode ended, so the mode was not tested")
				}
			})
		}
	}
}

// bare is a state without its optional abilities.
type bare struct{ env.State }

func (s bare) CopyFrom(src env.State) { s.State.CopyFrom(src.(bare).State) }

type bareGame struct{ env.Game }

func (g bareGame) NewStates(n int) []env.State {
	states := g.Game.NewStates(n)
	for i := range states {
		states[i] = bare{states[i]}
	}
	return states
}

func TestAGameWithoutAbilitiesPlaysTheSame(t *testing.T) {
	for _, engine := range games.Engines() {
		g := game(t, engine.PresetNames()[0])
		options := vec.Options{MaxPlies: 40}
		v := newVec(t, bareGame{g}, 4, options)
		reset(t, v, 3)
		agree(t, v, newVector(g, 4, options, 3), 90, func() []env.Action { return sample(t, v) })
	}
}

func TestAFinishedSlotUnderNextStepIsEmptyAndIgnoresItsAction(t *testing.T) {
	g := game(t, "trench/standard")
	v := newVec(t, g, 2, vec.Options{MaxPlies: 1})
	reset(t, v, 1)
	step(t, v, sample(t, v))
	if !v.Truncated[0] || len(v.LegalActions) != 0 || v.ToMove[1] != env.NoPlayer {
		t.Fatalf("truncated %v, legal actions %v, to move %v", v.Truncated, v.LegalActions, v.ToMove)
	}
	for i, word := range v.Mask {
		if word != 0 {
			t.Fatalf("word %d of the mask is %#x", i, word)
		}
	}
	step(t, v, []env.Action{-5, 1 << 30})
	if v.Truncated[0] || len(legal(v, 0)) == 0 {
		t.Error("the next step did not begin the next episode")
	}
}

func TestDisabledRefusesAStepOfAFinishedSlot(t *testing.T) {
	g := game(t, "ntxuva/basic")
	for _, outputs := range []vec.Outputs{0, vec.OutList, vec.OutMask, vec.OutReward} {
		v := newVec(t, g, 3, vec.Options{MaxPlies: 2, Autoreset: vec.Disabled, Outputs: outputs})
		reset(t, v, 1)
		step(t, v, sample(t, v))
		step(t, v, sample(t, v))
		err := v.Step(sample(t, v))
		if err == nil || !strings.Contains(err.Error(), "slot 0") || !strings.Contains(err.Error(), "ResetSlots") {
			t.Errorf("outputs %b: error is %v", outputs, err)
		}
		if !v.Truncated[0] || !v.Truncated[2] {
			t.Errorf("outputs %b: the refused step has changed the flags", outputs)
		}
	}
}

func TestResetSlotsWantsAMaskWithAMark(t *testing.T) {
	v := newVec(t, game(t, "ntxuva/basic"), 3, vec.Options{})
	if err := v.ResetSlots([]bool{true, true, true}); err == nil {
		t.Error("slots are reset before the batch is")
	}
	reset(t, v, 1)
	for _, mask := range [][]bool{nil, {true}, {false, false, false}, {true, true, true, true}} {
		if v.ResetSlots(mask) == nil {
			t.Errorf("mask %v is accepted", mask)
		}
	}
}

func TestResetSlotsBeginsEpisodesOfRunningSlotsInEveryMode(t *testing.T) {
	g := game(t, "trench/standard")
	for _, mode := range modes {
		options := vec.Options{MaxPlies: 12, Autoreset: mode}
		v, m := newVec(t, g, 6, options), newVector(g, 6, options, 4)
		reset(t, v, 4)
		actions := func() []env.Action { return sample(t, v) }
		for n := range 20 {
			agree(t, v, m, 1, actions)
			mask := make([]bool, 6)
			mask[n%6], mask[n*n%6] = true, true
			m.resetMask(mask)
			if err := v.ResetSlots(mask); err != nil {
				t.Fatal(err)
			}
			if err := differs(v, m); err != nil {
				t.Fatalf("%s, step %d: %v", mode, n, err)
			}
			if mode == vec.Disabled {
				for i := range mask {
					mask[i] = m.autoreset[i]
				}
				if err := v.ResetSlots(mask); err == nil {
					m.resetMask(mask)
				}
			}
		}
	}
}
