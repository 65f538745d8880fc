package tankchess_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func engines() []variant.Engine { return []variant.Engine{tankchess.Engine()} }

func loadVariant(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load(engines(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// movesIn returns the texts of the legal actions in a position, sorted.
func movesIn(t *testing.T, v *variant.Variant, position string) []string {
	t.Helper()
	s := env.NewState(v.Game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(moveTexts(s)))
}

// renamed returns a position text with another code for one player's pieces, in
// the place that the type behind the old one has.
func renamed(position string, player env.Player, from, to string) string {
	fields := strings.Split(position, " ")
	fields[player] = strings.ReplaceAll(","+fields[player], ","+from+"@", ","+to+"@")[1:]
	return strings.Join(fields, " ")
}

func TestAnAttributeOfOneSideChangesItsMovesAlone(t *testing.T) {
	base := loadVariant(t, "tankchess/16x16")
	r := env.NewRand(3)
	for _, c := range []struct {
		attribute string
		by        int
	}{{"speed", 1}, {"speed", -1}, {"power", 1}, {"power", -1}} {
		for player := env.First; player <= env.Second; player++ {
			v, err := base.WithAttribute(player, "Light Tank", c.attribute, c.by)
			if err != nil {
				t.Fatal(err)
			}
			other := 0
			for range 12 {
				s := env.NewState(base.Game)
				for range 20 + r.IntN(60) {
					if legal := s.Legal(nil); len(legal) > 0 {
						s.Apply(legal[r.IntN(len(legal))])
					}
				}
				if s.Player() == env.NoPlayer {
					continue
				}
				was, is := movesIn(t, base, env.PositionText(s)), movesIn(t, v, renamed(env.PositionText(s), player, "LT", "LT2"))
				few, many := was, is
				if c.by < 0 {
					few, many = is, was
				}
				for _, text := range few {
					if _, found := slices.BinarySearch(many, text); !found {
						t.Fatalf("%s: %s is legal with less and not with more", v.Name, text)
					}
				}
				switch {
				case s.Player() == player:
					other += len(many) - len(few)
				case !slices.Equal(was, is):
					t.Fatalf("%s: the other side's moves differ in %s", v.Name, env.PositionText(s))
				}
			}
			if c.attribute == "speed" && other == 0 {
				t.Errorf("%s: no move is other", v.Name)
			}
		}
	}
}

func TestTheVariantOfAnAttributeIsWhole(t *testing.T) {
	for _, c := range []struct {
		base, piece, attribute string
		by                     int
		name, typeName         string
		value                  func(p tankchess.Piece) int
		want                   int
	}{
		{"tankchess/16x16", "LT", "speed", 1, "tankchess/16x16-white-LT-speed+1", "Light Tank, speed 6", func(p tankchess.Piece) int { return p.Speed }, 6},
		{"tankchess/20x20", "Heavy Tank", "armour", -1, "tankchess/20x20-white-HT-armour-1", "Heavy Tank, armour 2/1/0", func(p tankchess.Piece) int { return p.Armour.Side }, 1},
		{"tankchess/16x16", "MT", "armour_rear", 2, "tankchess/16x16-white-MT-armour_rear+2", "Medium Tank, armour rear 2", func(p tankchess.Piece) int { return p.Armour.Rear }, 2},
	} {
		base := loadVariant(t, c.base)
		v, err := base.WithAttribute(env.First, c.piece, c.attribute, c.by)
		if err != nil {
			t.Fatal(err)
		}
		if v.Name != c.name || v.Digest == base.Digest {
			t.Errorf("name is %s, digest %s", v.Name, v.Digest)
		}
		again, err := variant.FromRules(engines(), v.Rules, v.Digest)
		if err != nil {
			t.Fatal(err)
		}
		spec, old := again.Game.Spec(), base.Game.Spec()
		fresh, err := spec.PieceType(c.typeName)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := old.PieceType(c.piece)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := spec.Pieces[fresh].Count, [2]int{old.Pieces[kind].Count[0], 0}; got != want {
			t.Errorf("%s: %v pieces have the attribute, must be %v", v.Name, got, want)
		}
		if got, want := spec.Pieces[kind].Count, [2]int{0, old.Pieces[kind].Count[1]}; got != want {
			t.Errorf("%s: %v pieces are as they were, must be %v", v.Name, got, want)
		}
		if got := c.value(again.Game.(*tankchess.Game).Rules().Pieces[spec.Pieces[fresh].Symbol]); got != c.want {
			t.Errorf("%s: the attribute is %d, must be %d", v.Name, got, c.want)
		}
		if was, is := base.Game.(*tankchess.Game).Rules(), loadVariant(t, c.base).Game.(*tankchess.Game).Rules(); !reflect.DeepEqual(was, is) {
			t.Errorf("%s: the rules it comes from are changed", v.Name)
		}
	}
}

func TestAGameWithAnAttributeOfOneSideConforms(t *testing.T) {
	v, err := loadVariant(t, "tankchess/16x16").WithAttribute(env.Second, "LT", "armour", 1)
	if err != nil {
		t.Fatal(err)
	}
	envtest.Run(t, v)
}

func TestAnAttributeThatCannotBeChangedSaysWhy(t *testing.T) {
	base := loadVariant(t, "tankchess/16x16")
	for _, c := range []struct {
		player           env.Player
		piece, attribute string
		by               int
		want             string
	}{
		{env.First, "LT", "speed", 3, "speed of LT is 5 and cannot be changed by +3, must stay within 1 to 7"},
		{env.First, "LT", "armour", -1, "armour of LT is 0 and cannot be changed by -1, must stay within 0 to 99"},
		{env.First, "LT", "speed", 0, "the change of speed is 0"},
		{env.First, "LT", "speed", -1 << 63, "must stay within"},
		{env.First, "LT", "range", 1, "must be one of speed, armour, armour_front, armour_side, armour_rear, power"},
		{env.First, "CLT", "speed", 1, "Command Tank must be the same type for both sides"},
		{env.First, "XT", "speed", 1, `"XT" is not a piece type of tankchess/16x16, must be one of Command Tank (CLT), Light Tank (LT)`},
		{env.NoPlayer, "LT", "speed", 1, "player is -1, must be 0 or 1"},
	} {
		_, err := base.WithAttribute(c.player, c.piece, c.attribute, c.by)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s%+d: error is %v, must say %q", c.piece, c.attribute, c.by, err, c.want)
		}
	}
	again, err := base.WithAttribute(env.First, "LT", "speed", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.WithAttribute(env.First, "LT", "speed", 1); err == nil || !strings.Contains(err.Error(), "White has no LT") {
		t.Errorf("error is %v", err)
	}
}

// FuzzWithAttribute changes attributes of random rules: what is accepted is a game
// that plays, with as many pieces a side as before.
func FuzzWithAttribute(f *testing.F) {
	f.Add(uint64(1), uint8(0), int8(1))
	f.Add(uint64(2), uint8(5), int8(-1))
	f.Fuzz(func(t *testing.T, seed uint64, choice uint8, by int8) {
		r := env.NewRand(seed)
		rules := randomRules(r.IntN)
		codes := slices.Sorted(maps.Keys(rules.Pieces))
		names := []string{"speed", "armour", "armour_front", "armour_side", "armour_rear", "power", "", "value"}
		player, symbol, attribute := env.Player(choice&1), codes[int(choice>>1)%len(codes)], names[int(choice>>4)%len(names)]
		changed, err := rules.WithAttribute(player, symbol, attribute, int(by))
		if err != nil {
			return
		}
		apart := changed.(*tankchess.Rules)
		g, err := tankchess.New(*apart)
		if err != nil && !strings.Contains(err.Error(), "layout needs") && !strings.Contains(err.Error(), "action planes") {
			t.Fatal(err)
		}
		if count(apart.Layout.White) != count(rules.Layout.White) || rules.Layout.Black != nil && count(apart.Layout.Black) != count(rules.Layout.Black) {
			t.Errorf("armies of %v have become %v", rules.Layout, apart.Layout)
		}
		if err != nil {
			return
		}
		s := env.NewState(g)
		for range 20 {
			if legal := s.Legal(nil); len(legal) > 0 {
				s.Apply(legal[r.IntN(len(legal))])
			}
		}
	})
}

func count(table map[string]variant.Squares) (n int) {
	for _, squares := range table {
		n += len(squares)
	}
	return n
}
