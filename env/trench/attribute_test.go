package trench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/trench"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// movesIn returns the texts of the legal actions in a position, sorted.
func movesIn(t *testing.T, v *variant.Variant, position string) []string {
	t.Helper()
	s := env.NewState(v.Game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, a := range s.Legal(nil) {
		texts = append(texts, env.ActionText(s, a))
	}
	slices.Sort(texts)
	return texts
}

func TestALongestMoveOfOneSideChangesItsMovesAlone(t *testing.T) {
	base := load(t, "trench/standard")
	r := env.NewRand(4)
	for _, c := range []struct {
		rank string
		by   int
	}{{"Soldier", 1}, {"Captain", -1}, {"General", 2}} {
		for player := env.First; player <= env.Second; player++ {
			v, err := base.WithAttribute(player, c.rank, "longest_move", c.by)
			if err != nil {
				t.Fatal(err)
			}
			changed := 0
			for range 40 {
				s := env.NewState(base.Game)
				for range 10 + r.IntN(40) {
					if legal := s.Legal(nil); len(legal) > 0 {
						s.Apply(legal[r.IntN(len(legal))])
					}
				}
				if s.Player() == env.NoPlayer {
					continue
				}
				position := env.PositionText(s)
				few, many := movesIn(t, base, position), movesIn(t, v, position)
				if c.by < 0 {
					few, many = many, few
				}
				for _, text := range few {
					if _, found := slices.BinarySearch(many, text); !found {
						t.Fatalf("%s: %s is legal with less and not with more", v.Name, text)
					}
				}
				if s.Player() == player {
					changed += len(many) - len(few)
				} else if len(many) != len(few) {
					t.Fatalf("%s: the other side's moves differ in %s", v.Name, position)
				}
			}
			if changed == 0 {
				t.Errorf("%s: no move is other", v.Name)
			}
		}
	}
}

func TestAGameWithALongestMoveOfOneSideConforms(t *testing.T) {
	v, err := load(t, "trench/standard").WithAttribute(env.Second, "L", "longest_move", 1)
	if err != nil {
		t.Fatal(err)
	}
	envtest.Run(t, v)
}

func TestALongestMoveOfOneSideIsARuleOfItsOwn(t *testing.T) {
	base := load(t, "trench/standard")
	white, err := base.WithAttribute(env.Second, "Soldier", "longest_move", 1)
	if err != nil {
		t.Fatal(err)
	}
	if white.Name != "trench/standard-white-P-longest_move+1" || white.Digest == base.Digest {
		t.Errorf("%s has the digest %s", white.Name, white.Digest)
	}
	if want := load(t, `trench/standard{"white":{"P":{"longest_move":2}}}`); want.Digest != white.Digest {
		t.Errorf("%s is not %s", white.Name, want.Name)
	}
	black, err := base.WithAttribute(env.First, "Soldier", "longest_move", 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := load(t, `trench/standard{"pieces":{"P":{"longest_move":2}},"white":{"P":{"longest_move":1}}}`); want.Digest != black.Digest {
		t.Errorf("%s is not %s", black.Name, want.Name)
	}
	both, err := white.WithAttribute(env.First, "Soldier", "longest_move", 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := load(t, `trench/standard{"pieces":{"P":{"longest_move":2}}}`); want.Digest != both.Digest {
		t.Errorf("the same change of both sides is %s", both.Rules)
	}
	if base.Game.(*trench.Game).Rules().White != nil {
		t.Error("the rules it comes from are changed")
	}
	if _, err := variant.FromRules([]variant.Engine{trench.Engine()}, white.Rules, white.Digest); err != nil {
		t.Error(err)
	}
}

func TestALongestMoveThatCannotBeChangedSaysWhy(t *testing.T) {
	base := load(t, "trench/standard")
	for _, c := range []struct {
		rank, attribute string
		by              int
		want            string
	}{
		{"P", "longest_move", -1, "longest_move of P is 1 and cannot be changed by -1, must stay within 1 to 7"},
		{"G", "longest_move", 3, "must stay within 1 to 7"},
		{"G", "longest_move", -1 << 63, "must stay within 1 to 7"},
		{"G", "points", 1, `attribute "points" cannot differ between the sides, must be longest_move`},
		{"Q", "longest_move", 1, `"Q" is not a piece type`},
	} {
		if _, err := base.WithAttribute(env.Second, c.rank, c.attribute, c.by); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s%+d: error is %v, must say %q", c.rank, c.attribute, c.by, err, c.want)
		}
	}
}
