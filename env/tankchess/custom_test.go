package tankchess_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// picker draws below a bound; everything random in these tests comes from one.
type picker func(n int) int

func (pick picker) word(words ...string) string { return words[pick(len(words))] }

func (pick picker) direction() string {
	name, _, _ := compass(pick(8))
	return name
}

// randomRules draws a valid rule set of any kind: every switch, odd guns, all
// terrains, armies of any sort; mostly on small boards, where shots and escapes
// are frequent.
func randomRules(pick picker) tankchess.Rules {
	rules := tankchess.Rules{
		Header:         variant.Header{Game: "tankchess", Name: "tankchess/random"},
		Reverse:        pick.word("alone", "mixed"),
		BackwardEscape: pick(2) == 0,
		CornerExit:     pick.word("diagonal_barred", "barred"),
		Escape:         pick.word("off_board", "off_board", "never", "last_rank"),
		NoProgress:     []int{1, 5, 20, 60}[pick(4)],
		Repetition:     []int{0, 2, 3, 4}[pick(4)],
		Pieces:         map[string]tankchess.Piece{},
	}
	if rules.Repetition == 0 && pick(2) == 0 {
		rules.NoProgress = 0
	}
	codes := []string{"CLT", "LT", "MT", "HT", "TD", "HM", "ALT", "X1", "Z", "B2B2"}
	for order := 0; len(rules.Pieces) < 2+pick(5) || rules.Pieces["CLT"].Name == ""; order += 1 + pick(90) {
		code := codes[pick(len(codes))]
		rules.Pieces[code] = randomPiece(pick, code, order)
	}
	rules.Layout = randomLayout(pick, rules.Pieces)
	return rules
}

func randomPiece(pick picker, code string, order int) tankchess.Piece {
	piece := tankchess.Piece{
		Name: "the " + code, Order: order, Value: pick(6), Speed: 1 + pick(4),
		Armour: tankchess.Armour{Front: pick(4), Side: pick(3), Rear: pick(3)},
		Power:  pick(5), Amphibious: pick(3) == 0,
	}
	if pick(6) == 0 {
		piece.Speed += pick(4)
	}
	gun := &piece.Gun
	gun.Arcs = []int{}
	switch pick(4) {
	case 0:
		gun.Arcs = []int{0}
	case 1:
		gun.Arcs = []int{-1, 0, 1}
	default:
		for arc := -3; arc <= 4; arc++ {
			if pick(3) == 0 {
				gun.Arcs = append(gun.Arcs, arc)
			}
		}
	}
	gun.Least = pick(4)
	if pick(3) == 0 {
		gun.Greatest = max(gun.Least, 1) + pick(5)
		gun.Indirect = pick(2) == 0
	}
	return piece
}

func randomLayout(pick picker, pieces map[string]tankchess.Piece) tankchess.Layout {
	layout := tankchess.Layout{Size: 8 + pick(5), Obstacles: variant.Squares{}}
	if pick(10) == 0 {
		layout.Size = 8 + pick(17)
	}
	terrain := map[string]string{}
	percent := map[string]int{"obstacle": pick(20), "water": pick(15), "low": pick(10), "hedge": pick(20)}
	for x := range layout.Size {
		for y := range layout.Size {
			square := pose{x, y, 0}.square()
			switch roll := pick(100); {
			case roll < percent["obstacle"]:
				terrain[square] = "obstacle"
			case roll < percent["obstacle"]+percent["water"]:
				terrain[square] = "water"
			case roll < percent["obstacle"]+percent["water"]+percent["low"]:
				terrain[square] = "low"
			case roll < percent["obstacle"]+percent["water"]+percent["low"]+percent["hedge"]:
				terrain[square] = "hedge"
			}
		}
	}
	taken := map[string]bool{}
	mirror := pick(2) == 0
	// place finds a start in a half of the board and clears the terrain there
	// that the piece may not stand on; mirrored, also where its counterpart starts.
	place := func(code string, upper bool) string {
		for {
			p := pose{pick(layout.Size), pick(layout.Size / 2), 0}
			if upper {
				p.y = layout.Size - 1 - p.y
			}
			if taken[p.square()] {
				continue
			}
			taken[p.square()] = true
			for _, at := range []pose{p, {layout.Size - 1 - p.x, layout.Size - 1 - p.y, 0}} {
				if ground := terrain[at.square()]; ground != "hedge" && !(ground == "water" && pieces[code].Amphibious) && (at == p || mirror) {
					delete(terrain, at.square())
				}
			}
			if pick(3) == 0 {
				return p.square() + pick.direction()
			}
			return p.square()
		}
	}
	army := func(upper bool) map[string]variant.Squares {
		table := map[string]variant.Squares{"CLT": {place("CLT", upper)}}
		for _, code := range sortedKeys(pieces) {
			for n := pick(4); code != "CLT" && n > 0; n-- {
				table[code] = append(table[code], place(code, upper))
			}
		}
		return table
	}
	layout.White = army(false)
	if !mirror {
		layout.Black = army(true)
	}
	for _, square := range sortedKeys(terrain) {
		list := map[string]*variant.Squares{"obstacle": &layout.Obstacles, "water": &layout.Water, "low": &layout.Low, "hedge": &layout.Hedges}[terrain[square]]
		*list = append(*list, square)
	}
	return layout
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// randomPosition scatters pieces over the board, wrecks among them, fewer than
// there are slots and in any order within a type; seldom in a finished game.
func randomPosition(pick picker, g *referenceGame) string {
	taken := map[string]bool{}
	mover := pick(2)
	keep := 1 + pick(5)
	end := pick(40) // 0: escaped, 1: the command tank destroyed
	var sides []string
	for owner := range 2 {
		var entries []string
		for _, code := range g.slots {
			if code != "CLT" && pick(keep) == 0 {
				continue
			}
			entry := g.randomEntry(pick, code, taken)
			switch {
			case code == "CLT" && owner != mover && end == 0 && g.rules.Escape == "off_board":
				entry = "CLT@off"
			case code == "CLT" && owner == mover && end == 1, code != "CLT" && pick(6) == 0:
				entry = strings.TrimRight(entry, "NESW") + "#"
			}
			entries = append(entries, entry)
		}
		sides = append(sides, strings.Join(entries, ","))
	}
	quiet := pick(8)
	return fmt.Sprintf("%s %s %c %d %d", sides[0], sides[1], "wb"[mover], quiet, quiet+pick(90))
}

func (g *referenceGame) randomEntry(pick picker, code string, taken map[string]bool) string {
	for {
		p := pose{pick(g.size), pick(g.size), pick(8)}
		ground := g.ground[p.x][p.y]
		if taken[p.square()] || ground == "obstacle" || ground == "low" || ground == "water" && !g.rules.Pieces[code].Amphibious {
			continue
		}
		taken[p.square()] = true
		return code + "@" + p.String()
	}
}
