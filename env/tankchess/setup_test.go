package tankchess_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/tankchess"
)

// setUp returns a state of a variant in a position.
func setUp(t testing.TB, variant, position string) *tankchess.State {
	t.Helper()
	s := env.NewState(load(t, variant).Game).(*tankchess.State)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s
}

// playTexts plays moves given by their texts.
func playTexts(t testing.TB, s env.State, moves ...string) {
	t.Helper()
	for _, move := range moves {
		a, err := s.ParseAction(move)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
}

// walkGames calls visit in every position of some random games of a variant.
func walkGames(t testing.TB, variant string, games int, visit func(s env.State)) {
	t.Helper()
	s := env.NewState(load(t, variant).Game)
	rand := env.NewRand(3)
	for range games {
		for s.Reset(); ; {
			visit(s)
			legal := s.Legal(nil)
			if len(legal) == 0 {
				break
			}
			s.Apply(legal[rand.IntN(len(legal))])
		}
	}
}

// openBoard is a patch that makes 16x16 a board without terrain.
const openBoard = `"layout":{"obstacles":[]}`
