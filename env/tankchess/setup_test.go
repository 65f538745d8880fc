package tankchess_test

import (
	"fmt"
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

func TestTheOrderOfSquaresDoesNotCount(t *testing.T) {
	const layout = `tankchess/16x16{"layout":{"white":{"CLT":["h1"],"LT":[%s],"HT":null,"MT":null,"TD":null,"HM":null,"ALT":null},"obstacles":[%s],"hedges":[%s]}}`
	one := load(t, fmt.Sprintf(layout, `"b1","c1NE","d2"`, `"e8","l9"`, `"c5","d5"`))
	other := load(t, fmt.Sprintf(layout, `"d2","b1","c1NE"`, `"l9","e8"`, `"d5","c5"`))
	if one.Digest != other.Digest {
		t.Errorf("the order changes the digest: %s and %s", one.Rules, other.Rules)
	}
	if a, b := one.Game.Spec().StartText, other.Game.Spec().StartText; a != b {
		t.Errorf("the order changes the start: %s and %s", a, b)
	}
	turned := load(t, fmt.Sprintf(layout, `"b1NE","c1","d2"`, `"e8","l9"`, `"c5","d5"`))
	if turned.Digest == one.Digest {
		t.Error("a facing at another square does not change the digest")
	}
}
