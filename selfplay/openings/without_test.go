package openings_test

import (
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

func TestWithoutLastLeavesOnePieceOfATypeToOnePlayer(t *testing.T) {
	for name, want := range map[string]struct {
		kind   string
		starts int
	}{
		"trench/standard":     {"Soldier", 12},
		"tankchess/16x16":     {"Heavy Tank", 4},
		"tankbattle/standard": {"Tank", 26},
	} {
		v, err := games.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := v.Game.Spec().PieceType(want.kind)
		if err != nil {
			t.Fatal(err)
		}
		starts, err := openings.WithoutLast(v, kind)
		if err != nil {
			t.Fatal(err)
		}
		different := map[string]bool{}
		for i, start := range starts {
			different[start] = true
			s := env.NewState(v.Game)
			full := len(s.(env.PieceLister).Pieces(nil))
			if err := s.SetPosition(start); err != nil {
				t.Fatal(err)
			}
			var own [2]int
			pieces := s.(env.PieceLister).Pieces(nil)
			for _, p := range pieces {
				if int(p.Type) == kind {
					own[p.Owner]++
				}
			}
			// Even positions handicap the first player.
			if own[i%2] != 0 || own[1-i%2] != 1 || len(pieces) != full-want.starts+1 {
				t.Errorf("%s: start %d has %v of the type and %d of %d pieces: %s", name, i, own, len(pieces), full, start)
			}
		}
		if len(starts) != want.starts || len(different) != want.starts {
			t.Errorf("%s: %d starts, %d different, must be %d", name, len(starts), len(different), want.starts)
		}
	}
}

func TestWithoutLastSaysWhyATypeHasNoLastPiece(t *testing.T) {
	for _, c := range []struct{ variant, kind, want string }{
		{"trench/standard", "General", "Black has 1 of them at the start, must have two or more"},
		{"ntxuva/basic", "attack house", "its pieces are seeds"},
		{"tankchess/16x16", "Command Tank", "has 1 of them at the start"},
	} {
		v, err := games.Lookup(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := v.Game.Spec().PieceType(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openings.WithoutLast(v, kind); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", c.kind, err, c.want)
		}
	}
}
