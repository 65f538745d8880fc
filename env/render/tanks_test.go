package render_test

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/render"
)

// field is a square board of tanks: each word of an army is a code, a square,
// and a direction or # for a wreck, as CLT@h1N; terrain names squares.
func field(t *testing.T, side int, first, second string, terrain map[env.Ground]string) drawn {
	t.Helper()
	d := empty(side, side)
	d.Players, d.FirstLight = [2]string{"White", "Black"}, true
	d.Caption = []string{"White to move", "plies without a destroyed piece: 8 of 100"}
	square := func(text string) (int, string) {
		at, rest, err := env.ParseSquare(text, side, side)
		if err != nil {
			t.Fatal(err)
		}
		return at, rest
	}
	for ground, squares := range terrain {
		for name := range strings.FieldsSeq(squares) {
			at, _ := square(name)
			d.Cells[at].Ground = ground
		}
	}
	for owner, army := range [...]string{first, second} {
		for word := range strings.FieldsSeq(army) {
			code, place, _ := strings.Cut(word, "@")
			at, facing := square(place)
			c := &d.Cells[at]
			c.Owner, c.Symbol = env.Player(owner), code
			if c.Wreck = facing == "#"; !c.Wreck {
				direction, err := env.ParseDirection(facing)
				if err != nil {
					t.Fatal(err)
				}
				c.Facing, c.Faced = direction, true
			}
		}
	}
	return drawn{diagram: d}
}

// battle is a busy board of 16 by 16 with every terrain tanks know.
func battle(t *testing.T) drawn {
	return field(t, 16,
		"CLT@c7NW LT@c5SE LT@f5N LT@j5NW LT@l5NW MT@f1SE MT@i3NE MT@g3NW HT@c1N HT@n2E HM@a3E TD@e8SW ALT@g9S",
		"CLT@l15NW LT@i8# LT@i14N LT@d11W LT@b9# MT@m16NW MT@g16S MT@i13NE HT@m15W HT@e16E HM@p12# TD@n8NW",
		map[env.Ground]string{
			env.Obstacle: "k2 l2 o2 d3 e3 k3 l3 o3 l4 o4 h5 i5 b6 c6 m7 n7 l8 m8 d9 e9 c10 d10 o10 h11 i11 j11 n11 o11 " +
				"h12 i12 b13 e13 b14 e14 f14 l14 m14 b15 e15 f15",
			env.LowObstacle: "f6 g6 k11 g11",
			env.Hedge:       "h6 i6 j6 b7 i13 j13",
			env.Water:       "f8 g8 f9 g9 h9 f10 g10",
		})
}

// at is the number of a square of battle.
func at(t *testing.T, name string) int16 {
	t.Helper()
	square, _, err := env.ParseSquare(name, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	return int16(square)
}

func shot(t *testing.T) []env.Event {
	return []env.Event{
		{Kind: env.Moved, From: at(t, "j4"), To: at(t, "l5")},
		{Kind: env.Fired, From: at(t, "l5"), To: at(t, "i8"), Face: env.Side},
		{Kind: env.Destroyed, From: at(t, "l5"), To: at(t, "i8"), Face: env.Side},
	}
}

func TestTanksAreAsTheyWere(t *testing.T) {
	turn := []env.Event{{Kind: env.Moved, From: at(t, "e8"), To: at(t, "e8")}}
	exit := []env.Event{{Kind: env.LeftBoard, Player: env.Second, From: at(t, "d2"), To: env.None}}
	for name, o := range map[string]render.Options{
		"tanks":        {Last: shot(t)},
		"tanks-turn":   {Last: turn, Width: 480},
		"tanks-exit":   {Last: exit, Width: 480},
		"tanks-turned": {Last: exit, View: env.Second, Width: 480},
	} {
		envtest.Golden(t, filepath.Join("testdata", name+".svg"), svg(t, battle(t), o))
	}
	envtest.Golden(t, filepath.Join("testdata", "tanks.txt"), []byte(render.Text(battle(t), shot(t)...)))
}

func TestEveryFacingIsSeen(t *testing.T) {
	pictures, texts := map[string]env.Direction{}, map[string]env.Direction{}
	for d := env.N; d <= env.NW; d++ {
		s := field(t, 8, "MT@d4"+d.String(), "", nil)
		picture, text := string(svg(t, s, render.Options{})), render.Text(s)
		if other, taken := pictures[picture]; taken {
			t.Errorf("facings %v and %v have one picture", d, other)
		}
		if other, taken := texts[text]; taken {
			t.Errorf("facings %v and %v have one text", d, other)
		}
		pictures[picture], texts[text] = d, d
	}
}

func TestAShotIsDrawnOnlyBetweenSquaresOfTheBoard(t *testing.T) {
	bare := svg(t, battle(t), render.Options{})
	for _, e := range []env.Event{
		{Kind: env.Fired, From: env.None, To: 3}, {Kind: env.Fired, From: 3, To: 256}, {Kind: env.Fired, From: 3, To: 3},
		{Kind: env.Moved, From: 3, To: env.None}, {Kind: env.Destroyed, To: env.None},
	} {
		if !bytes.Equal(bare, svg(t, battle(t), render.Options{Last: []env.Event{e}})) {
			t.Errorf("event %+v leaves a mark", e)
		}
	}
}

func TestATextOfSixteenSquaresFitsIntoAHundredColumns(t *testing.T) {
	for line := range strings.Lines(render.Text(battle(t), shot(t)...)) {
		if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 100 {
			t.Errorf("line of %d columns: %s", n, line)
		}
	}
}

func TestCoordinatesReachEveryEdge(t *testing.T) {
	for side := 8; side <= 24; side++ {
		s := field(t, side, "HT@a1N", "", nil)
		picture, text := string(svg(t, s, render.Options{})), render.Text(s)
		file, rank := string(rune('a'+side-1)), strconv.Itoa(side)
		for _, name := range []string{file, rank} {
			if !strings.Contains(picture, ">"+name+"</text>") {
				t.Errorf("picture of %d squares lacks %s", side, name)
			}
		}
		if !strings.Contains(text, " "+file+"\n") || !strings.HasPrefix(strings.TrimSpace(text), rank+" ") {
			t.Errorf("text of %d squares lacks %s or %s:\n%s", side, file, rank, text)
		}
	}
}

func TestMarksOfThePlyInATextYieldToWhereItEnded(t *testing.T) {
	s := field(t, 8, "", "", nil)
	for _, c := range []struct {
		from, to int16
		want     string
	}{{0, 1, "  1 (.[.]. "}, {1, 0, "  1 [.].). "}, {0, 0, "  1 [.]. . "}, {7, 5, ".[.].(.)"}} {
		text := render.Text(s, env.Event{Kind: env.Moved, From: c.from, To: c.to})
		if !strings.Contains(text, strings.TrimPrefix(c.want, "  1")) {
			t.Errorf("move %d to %d: no %q in\n%s", c.from, c.to, c.want, text)
		}
	}
}

func TestGroundUnderATankIsTold(t *testing.T) {
	under := map[env.Ground]string{env.Hedge: "c3", env.Water: "e3"}
	text := render.Text(field(t, 8, "LT@c3N ALT@e3E MT@g3S", "", under))
	if !strings.Contains(text, "%LT↑  .   ~ALT→ .    MT↓") {
		t.Errorf("text is\n%s", text)
	}
}

// sizesOf returns the font sizes of a symbol in the picture of its cell.
func sizesOf(t *testing.T, c env.Cell) string {
	t.Helper()
	d := empty(1, 1)
	d.Cells[0] = c
	var sizes []string
	for line := range strings.Lines(string(svg(t, drawn{diagram: d}, render.Options{Bare: true}))) {
		if strings.Contains(line, ">"+c.Symbol+"</text>") {
			_, size, _ := strings.Cut(line, `font-size="`)
			size, _, _ = strings.Cut(size, `"`)
			sizes = append(sizes, size)
		}
	}
	return strings.Join(sizes, " ")
}

func TestLongSymbolsAreSmaller(t *testing.T) {
	for _, c := range []struct{ symbol, star, tank, wreck string }{
		{"A", "15", "20 20", "12"},
		{"AB", "11.5", "16.5 16.5", "10.5"},
		{"ABC", "7.67", "13 13", "7"},
		{"ABCD", "5.75", "10 10", "5.25"},
	} {
		star := env.Cell{Symbol: c.symbol, Count: env.None, Spokes: 1, Reach: 1}
		tank := env.Cell{Symbol: c.symbol, Count: env.None, Faced: true}
		wreck := env.Cell{Symbol: c.symbol, Count: env.None, Wreck: true}
		if a, b, w := sizesOf(t, star), sizesOf(t, tank), sizesOf(t, wreck); a != c.star || b != c.tank || w != c.wreck {
			t.Errorf("%s has font sizes %s, %s and %s, want %s, %s and %s", c.symbol, a, b, w, c.star, c.tank, c.wreck)
		}
	}
}
