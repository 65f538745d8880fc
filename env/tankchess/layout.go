package tankchess

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Layout is a board and the armies on it.
type Layout struct {
	Size      int                        `json:"size" help:"squares per side"`
	White     map[string]variant.Squares `json:"white" help:"White's start squares by code of the type, such as h1, or h1NE with a facing (default N)"`
	Black     map[string]variant.Squares `json:"black,omitempty" help:"Black's start squares, facing S by default; without them, White's rotated by 180°"`
	Obstacles variant.Squares            `json:"obstacles" help:"squares that block movement and fire"`
	Water     variant.Squares            `json:"water,omitempty" help:"squares that only amphibious types can enter"`
	Low       variant.Squares            `json:"low,omitempty" help:"squares that block movement but not fire"`
	Hedges    variant.Squares            `json:"hedges,omitempty" help:"squares that block direct fire across them but not movement"`
}

// board is what the engine reads from a layout. Squares are absolute.
type board struct {
	armies                        [2][]startPiece
	obstacles, water, low, hedges squareSet
}

// startPiece is a piece before the first move.
type startPiece struct {
	kind   int // index into Rules.codes
	square int
	facing env.Direction
}

// layoutReader reads a layout and notes its faults.
type layoutReader struct {
	rules  *Rules
	faults *variant.Faults
	codes  []string
	users  map[int]string // by square: the entry that uses it
}

// parseLayout reads the layout of a rule set and notes its faults.
func parseLayout(r *Rules, faults *variant.Faults) (g board) {
	l := layoutReader{rules: r, faults: faults, codes: r.codes(), users: map[int]string{}}
	size := r.Layout.Size
	faults.Range("layout.size", size, minSize, maxSize)
	if size < minSize || size > maxSize {
		return g
	}
	for _, terrain := range []struct {
		field   string
		squares variant.Squares
		to      *squareSet
	}{
		{"layout.obstacles", r.Layout.Obstacles, &g.obstacles},
		{"layout.water", r.Layout.Water, &g.water},
		{"layout.low", r.Layout.Low, &g.low},
		{"layout.hedges", r.Layout.Hedges, &g.hedges},
	} {
		l.readTerrain(terrain.field, terrain.squares, terrain.to)
	}
	clear(l.users) // a piece may start on terrain that it may enter
	g.armies[env.First] = l.readArmy("layout.white", r.Layout.White, env.N, &g)
	if r.Layout.Black != nil {
		g.armies[env.Second] = l.readArmy("layout.black", r.Layout.Black, env.S, &g)
	} else {
		for _, s := range g.armies[env.First] {
			l.addTurned(&g, s)
		}
	}
	if slots := l.slotsNeeded(&g); slots > maxSlots {
		faults.Add("layout", "needs %d slots per side, counting for each type the side with more pieces of it; must be at most %d", slots, maxSlots)
	}
	return g
}

func (l *layoutReader) readTerrain(field string, squares variant.Squares, to *squareSet) {
	for i, text := range squares {
		entry := fmt.Sprintf("%s[%d]", field, i)
		square, rest, err := env.ParseSquare(text, l.rules.Layout.Size, l.rules.Layout.Size)
		if err == nil && rest != "" {
			err = errors.New("must be only a square such as a1")
		}
		if err != nil {
			l.faults.Add(entry, "is %q: %v", text, err)
		} else if l.claim(square, entry) {
			to.add(square)
		}
	}
}

// claim reports whether a square is free, and notes a fault if it is not.
func (l *layoutReader) claim(square int, entry string) bool {
	if other, taken := l.users[square]; taken {
		l.faults.Add(entry, "is %s, which %s already uses", l.name(square), other)
		return false
	}
	l.users[square] = entry
	return true
}

func (l *layoutReader) name(square int) []byte {
	return env.AppendSquare(nil, square, l.rules.Layout.Size)
}

// readArmy reads one side's table.
func (l *layoutReader) readArmy(field string, table map[string]variant.Squares, ahead env.Direction, g *board) []startPiece {
	var army []startPiece
	for _, code := range slices.Sorted(maps.Keys(table)) {
		kind := slices.Index(l.codes, code)
		if kind < 0 {
			l.faults.Add(field+"."+code, "is not a piece; pieces are %v", l.codes)
			continue
		}
		for i, text := range table[code] {
			entry := fmt.Sprintf("%s.%s[%d]", field, code, i)
			s, err := l.readPiece(text, kind, ahead)
			if err != nil {
				l.faults.Add(entry, "is %q: %v", text, err)
				continue
			}
			if !l.claim(s.square, entry) {
				continue
			}
			if why := l.unfit(g, s); why != "" {
				l.faults.Add(entry, "is %q, on %s", text, why)
				continue
			}
			army = append(army, s)
		}
	}
	if n := len(table[commandCode]); n != 1 {
		l.faults.Add(field+"."+commandCode, "has %d squares, must have exactly 1", n)
	}
	return army
}

// readPiece reads a square with an optional facing.
func (l *layoutReader) readPiece(text string, kind int, ahead env.Direction) (startPiece, error) {
	square, rest, err := env.ParseSquare(text, l.rules.Layout.Size, l.rules.Layout.Size)
	if err != nil {
		return startPiece{}, err
	}
	if rest != "" {
		if ahead, err = env.ParseDirection(rest); err != nil {
			return startPiece{}, err
		}
	}
	return startPiece{kind: kind, square: square, facing: ahead}, nil
}

// unfit returns the terrain on which a piece cannot start, or "".
func (l *layoutReader) unfit(g *board, s startPiece) string {
	switch {
	case g.obstacles.has(s.square):
		return "an obstacle"
	case g.low.has(s.square):
		return "a low obstacle"
	case g.water.has(s.square) && !l.rules.Pieces[l.codes[s.kind]].Amphibious:
		return "water, which " + l.codes[s.kind] + " cannot enter"
	}
	return ""
}

// addTurned adds the piece of Black that mirrors a piece of White.
func (l *layoutReader) addTurned(g *board, s startPiece) {
	size := l.rules.Layout.Size
	s.square, s.facing = size*size-1-s.square, s.facing.Turned(4)
	piece := fmt.Sprintf("Black's %s on %s, rotated from White's,", l.codes[s.kind], l.name(s.square))
	if other, taken := l.users[s.square]; taken {
		l.faults.Add("layout.white", "puts %s where %s stands; give a black table", piece, other)
	} else if why := l.unfit(g, s); why != "" {
		l.faults.Add("layout.white", "puts %s on %s; give a black table", piece, why)
	} else {
		g.armies[env.Second] = append(g.armies[env.Second], s)
	}
}

// slotsNeeded returns the number of slots that both sides need.
func (l *layoutReader) slotsNeeded(g *board) int {
	counts := make([][2]int, len(l.codes))
	for p, army := range g.armies {
		for _, s := range army {
			counts[s.kind][p]++
		}
	}
	n := 0
	for _, c := range counts {
		n += max(c[0], c[1])
	}
	return n
}
