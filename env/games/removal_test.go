package games_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// pieceOn returns the piece on a square.
func pieceOn(t *testing.T, s env.State, square string, width, height int) env.Piece {
	t.Helper()
	number, _, err := env.ParseSquare(square, width, height)
	if err != nil {
		t.Fatal(err)
	}
	list := s.(env.PieceLister).Pieces(nil)
	i := slices.IndexFunc(list, func(p env.Piece) bool { return int(p.Square) == number })
	if i < 0 {
		t.Fatalf("nothing stands on %s", square)
	}
	return list[i]
}

// positionOf returns a state of a variant in a position.
func positionOf(t *testing.T, variant, position string) (env.State, *env.Spec) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	s := env.NewState(v.Game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s, v.Game.Spec()
}

func TestRemovalLeavesTheRestOfThePosition(t *testing.T) {
	for _, c := range []struct{ variant, position, square, want string }{
		{"trench/standard", "pP6/8/8/8/8/8/8/6Gg w 3-4 7 9", "b8", "p7/8/8/8/8/8/8/6Gg w 3-4 0 9"},
		{"trench/standard", "pP6/8/8/8/8/8/8/6Gg w 3-4 7 9", "g1", "pP6/8/8/8/8/8/8/7g w 3-4 0 9"},
		{"ntxuva/4", "1,0,3,0,0,0,0,0 0,2,0,0,0,0,0,1 n 5 8", "c1", "1,0,2,0,0,0,0,0 0,2,0,0,0,0,0,1 n 0 8"},
		{"ntxuva/4", "1,0,3,0,0,0,0,0 0,2,0,0,0,0,0,1 n 5 8", "a1", "0,0,3,0,0,0,0,0 0,2,0,0,0,0,0,1 n 0 8"},
		{"tankchess/16x16", "CLT@h1N,LT@a1N,LT@b1#,LT@d1SW,MT@e1N CLT@h16S b 4 30", "a1", "CLT@h1N,LT@b1#,LT@d1SW,MT@e1N CLT@h16S b 0 30"},
		{"tankbattle/standard", "11/11/11/11/11/11/11/11/11/11/CTt8 b 2 3", "a1", "11/11/11/11/11/11/11/11/11/11/1Tt8 b 0 3"},
	} {
		s, spec := positionOf(t, c.variant, c.position)
		if err := s.(env.Remover).Remove(pieceOn(t, s, c.square, spec.Width, spec.Height)); err != nil {
			t.Errorf("%s, %q: %v", c.variant, c.position, err)
		} else if got := env.PositionText(s); got != c.want {
			t.Errorf("%s: %q without %s is %q, must be %q", c.variant, c.position, c.square, got, c.want)
		}
	}
}

func TestRemovalSaysWhyAPieceCannotBeMissing(t *testing.T) {
	for _, c := range []struct{ variant, position, square, want string }{
		{"trench/general", "pP6/8/8/8/8/8/8/6Gg b 0-0 0 0", "h1", "remove White's General on h1: it cannot be missing, since "},
		{"trench/standard", "p7/8/8/8/8/8/8/6Gg b 0-0 0 0", "g1", "remove Black's General on g1: the game would be over: second, annihilated"},
		{"ntxuva/4", "1,0,0,0,0,0,0,0 0,2,0,0,0,0,0,1 n 0 0", "a1", "remove a seed of South's house 0: the game would be over: second, wiped_out"},
		{"ntxuva/4", "1,0,3,0,0,0,0,0 1,1,2,1,1,1,1,1 n 0 0", "b4", "remove a seed of North's house 2: the game would be over: first, blocked"},
		{"tankchess/16x16", "CLT@h1N CLT@h16S w 0 0", "h16", "remove Black's Command Tank on h16: it cannot be missing, since "},
		{"tankchess/16x16", "CLT@h1N,LT@a1# CLT@h16S w 0 0", "a1", "the piece is a wreck"},
		{"tankbattle/standard", "T10/11/11/11/11/11/11/11/11/11/C1t8 w 0 0", "a1", "remove White's Commander on a1: the game would be over: "},
		{"tankbattle/standard", "11/11/11/11/11/11/11/11/11/11/9tc w 0 0", "k1", "the game is over"},
	} {
		s, spec := positionOf(t, c.variant, c.position)
		err := s.(env.Remover).Remove(pieceOn(t, s, c.square, spec.Width, spec.Height))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %q without %s: error is %v, must say %q", c.variant, c.position, c.square, err, c.want)
		}
		if text := env.PositionText(s); text != c.position {
			t.Errorf("%s: what was refused made %q of %q", c.variant, text, c.position)
		}
	}
}
