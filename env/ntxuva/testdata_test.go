package ntxuva_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{ntxuva.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// at returns a state of a variant at a position.
func at(t testing.TB, text, position string) env.State {
	t.Helper()
	s := env.NewState(load(t, text).Game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func perft(s env.State, depth int, stack []env.State) int {
	if depth == 0 {
		return 1
	}
	actions := s.Legal(make([]env.Action, 0, 32))
	if depth == 1 {
		return len(actions)
	}
	nodes := 0
	for _, a := range actions {
		child := stack[depth]
		child.CopyFrom(s)
		child.Apply(a)
		nodes += perft(child, depth-1, stack)
	}
	return nodes
}

func TestPerftCases(t *testing.T) {
	var cases []struct {
		Variant, Position string
		Perft             []int
		Moves             []string
		Actions           []env.Action
	}
	readJSON(t, "testdata/cases.json", &cases)
	for _, c := range cases {
		t.Run(c.Variant+" "+c.Position, func(t *testing.T) {
			stack := load(t, c.Variant).Game.NewStates(len(c.Perft) + 1)
			s := stack[0]
			if err := s.SetPosition(c.Position); err != nil {
				t.Fatal(err)
			}
			if got := s.Legal(nil); !slices.Equal(got, c.Actions) {
				t.Errorf("legal actions %v, want %v", got, c.Actions)
			}
			var moves []string
			for _, a := range s.Legal(nil) {
				moves = append(moves, env.ActionText(s, a))
			}
			if slices.Sort(moves); !slices.Equal(moves, c.Moves) {
				t.Errorf("moves %v, want %v", moves, c.Moves)
			}
			for i, want := range c.Perft {
				if got := perft(s, i+1, stack); got != want {
					t.Errorf("perft %d = %d, want %d", i+1, got, want)
				}
			}
		})
	}
}

func TestWholeGames(t *testing.T) {
	var games []struct {
		Variant, Start, Reason, Final string
		Moves                         []string
		Actions                       []env.Action
		Result                        [2]int
	}
	readJSON(t, "testdata/games.json", &games)
	for i, game := range games {
		s := at(t, game.Variant, game.Start)
		for ply, text := range game.Moves {
			a, err := s.ParseAction(text)
			if err != nil {
				t.Fatalf("game %d ply %d: %v", i, ply, err)
			}
			if a != game.Actions[ply] || env.ActionText(s, a) != text {
				t.Fatalf("game %d ply %d: %s is action %d, want %d", i, ply, text, a, game.Actions[ply])
			}
			s.Apply(a)
		}
		result, reason := s.Result()
		if reason.String() != game.Reason || result.For(env.First) != game.Result[0] || result.For(env.Second) != game.Result[1] {
			t.Errorf("game %d ends %d %v, want %v %s", i, result, reason, game.Result, game.Reason)
		}
		if got := env.PositionText(s); got != game.Final {
			t.Errorf("game %d ends in %s, want %s", i, got, game.Final)
		}
	}
}
