package trench_test

import (
	"encoding/json"
	"os"
	"slices"
	"sort"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
)

func readJSON(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// perft counts the ways to play so many plies, the last one by the length of
// the list. states[d] is scratch for depth d.
func perft(s env.State, states []env.State, depth int) int {
	legal := s.Legal(make([]env.Action, 0, 512))
	if depth == 1 {
		return len(legal)
	}
	total := 0
	for _, a := range legal {
		states[depth].CopyFrom(s)
		states[depth].Apply(a)
		total += perft(states[depth], states, depth-1)
	}
	return total
}

func TestCasesOfIndependentPrograms(t *testing.T) {
	var cases []struct {
		Variant, Position string
		Perft             []int
		Moves             []string
		Actions           []env.Action
	}
	readJSON(t, "testdata/cases.json", &cases)
	if len(cases) != 30 {
		t.Fatalf("%d cases, want 30", len(cases))
	}
	for _, c := range cases {
		g := load(t, c.Variant).Game
		s := env.NewState(g)
		if err := s.SetPosition(c.Position); err != nil {
			t.Fatal(err)
		}
		if text := env.PositionText(s); text != c.Position {
			t.Errorf("%s prints as %s", c.Position, text)
		}
		legal := s.Legal(nil)
		var texts []string
		for _, a := range legal {
			texts = append(texts, env.ActionText(s, a))
		}
		sort.Strings(texts)
		if !slices.Equal(texts, c.Moves) || !slices.Equal(legal, c.Actions) {
			t.Errorf("%s %s: moves %v %v, want %v %v", c.Variant, c.Position, texts, legal, c.Moves, c.Actions)
		}
		states := g.NewStates(len(c.Perft) + 1)
		for i, want := range c.Perft {
			if got := perft(s, states, i+1); got != want {
				t.Errorf("%s %s: perft %d is %d, want %d", c.Variant, c.Position, i+1, got, want)
			}
		}
	}
}

func TestGamesOfIndependentPrograms(t *testing.T) {
	var games []struct {
		Variant, Start, Reason, Final string
		Moves                         []string
		Actions                       []env.Action
		Result                        [2]int
	}
	readJSON(t, "testdata/games.json", &games)
	if len(games) != 31 {
		t.Fatalf("%d games, want 31", len(games))
	}
	for i, game := range games {
		s := env.NewState(load(t, game.Variant).Game)
		if err := s.SetPosition(game.Start); err != nil {
			t.Fatal(err)
		}
		for ply, text := range game.Moves {
			if s.Player() == env.NoPlayer {
				t.Fatalf("game %d of %s is over before ply %d", i, game.Variant, ply)
			}
			a, err := s.ParseAction(text)
			if err != nil || a != game.Actions[ply] {
				t.Fatalf("game %d ply %d: %s is %d (%v), want %d", i, ply, text, a, err, game.Actions[ply])
			}
			if got := env.ActionText(s, a); got != text {
				t.Fatalf("game %d ply %d: %s, want %s", i, ply, got, text)
			}
			s.Apply(a)
		}
		result, reason := s.Result()
		if result.For(env.First) != game.Result[0] || result.For(env.Second) != game.Result[1] || reason.String() != game.Reason {
			t.Errorf("game %d of %s: %d %v, want %v %s", i, game.Variant, result, reason, game.Result, game.Reason)
		}
		if got := env.PositionText(s); got != game.Final {
			t.Errorf("game %d of %s ends in %s, want %s", i, game.Variant, got, game.Final)
		}
		again := env.NewState(load(t, game.Variant).Game)
		if err := again.SetPosition(game.Final); err != nil {
			t.Fatal(err)
		}
		if r, why := again.Result(); r != result || why != reason {
			t.Errorf("%s: %s reads back as %d %v, want %d %v", game.Variant, game.Final, r, why, result, reason)
		}
	}
}
