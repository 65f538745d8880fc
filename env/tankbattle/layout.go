package tankbattle

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Layout is a board as data. Squares are named as "a1".
type Layout struct {
	Size           int             `json:"size" help:"files and ranks"`
	WhiteBase      variant.Squares `json:"white_base" help:"start squares of White's tanks and goal of Black's; 14 squares on a board of size 11, 1 to 14 on a smaller one"`
	WhiteCommander string          `json:"white_commander" help:"start square of White's commander, in its base"`
	BlackBase      variant.Squares `json:"black_base" help:"start squares of Black's tanks and goal of White's"`
	BlackCommander string          `json:"black_commander" help:"start square of Black's commander, in its base"`
	Contaminated   variant.Squares `json:"contaminated" help:"squares that only commanders can enter"`
	Mines          variant.Squares `json:"mines" help:"squares that no tank can enter"`
}

const (
	minSize  = 5
	maxSize  = 11
	armySize = 14 // tanks of a side on the standard board, and the most on any
)

// terrain is a layout in numbers. Squares are absolute.
type terrain struct {
	size         int
	base         [2]squareSet
	commander    [2]int
	mines        squareSet
	contaminated squareSet
}

// validate reports every fault of the layout. Boards of the standard size have
// bases of the standard 14 squares, smaller ones bases of up to as many.
func (l *Layout) validate(faults *variant.Faults) {
	if l.Size < minSize || l.Size > maxSize {
		faults.Range("layout.size", l.Size, minSize, maxSize)
		return
	}
	taken := map[int]string{}
	white := l.validateSquares(faults, taken, "layout.white_base", l.WhiteBase)
	black := l.validateSquares(faults, taken, "layout.black_base", l.BlackBase)
	l.validateSquares(faults, taken, "layout.contaminated", l.Contaminated)
	l.validateSquares(faults, taken, "layout.mines", l.Mines)
	validateCommander(faults, "layout.white_commander", l.WhiteCommander, white, "layout.white_base")
	validateCommander(faults, "layout.black_commander", l.BlackCommander, black, "layout.black_base")
	l.validateBase(faults, "layout.white_base", l.WhiteBase)
	l.validateBase(faults, "layout.black_base", l.BlackBase)
}

func (l *Layout) validateBase(faults *variant.Faults, field string, base variant.Squares) {
	switch n := len(base); {
	case l.Size == maxSize && n != armySize:
		faults.Add(field, "has %d squares, must have %d on a board of size %d", n, armySize, maxSize)
	case n < 1 || n > armySize:
		faults.Add(field, "has %d squares, must have 1 to %d", n, armySize)
	}
}

// validateSquares reports squares that are off the board or taken already, and
// returns the names of the others. taken maps a square to the field that has it.
func (l *Layout) validateSquares(faults *variant.Faults, taken map[int]string, field string, squares variant.Squares) []string {
	var good []string
	for i, name := range squares {
		element := fmt.Sprintf("%s[%d]", field, i)
		square, rest, err := env.ParseSquare(name, l.Size, l.Size)
		if err != nil || rest != "" {
			faults.Add(element, "is %q, must be a square from a1 to %s", name, env.AppendSquare(nil, l.Size*l.Size-1, l.Size))
			continue
		}
		if before := taken[square]; before != "" {
			faults.Add(element, "is %s, which is also %s", name, before)
			continue
		}
		taken[square] = element
		good = append(good, name)
	}
	return good
}

func validateCommander(faults *variant.Faults, field, name string, base []string, baseField string) {
	if !slices.Contains(base, name) {
		faults.Add(field, "is %q, must be a square of %s", name, baseField)
	}
}

// terrain returns the layout in numbers. It must be valid.
func (l *Layout) terrain() terrain {
	set := func(names variant.Squares) (set squareSet) {
		for _, name := range names {
			set.add(l.square(name))
		}
		return set
	}
	return terrain{
		size:         l.Size,
		base:         [2]squareSet{set(l.WhiteBase), set(l.BlackBase)},
		commander:    [2]int{l.square(l.WhiteCommander), l.square(l.BlackCommander)},
		mines:        set(l.Mines),
		contaminated: set(l.Contaminated),
	}
}

func (l *Layout) square(name string) int {
	square, _, err := env.ParseSquare(name, l.Size, l.Size)
	if err != nil {
		panic(fmt.Sprintf("tankbattle: square of a valid layout: %v", err))
	}
	return square
}

func (t *terrain) squares() int { return t.size * t.size }

// step returns the square one step away, and whether it is on the board.
func (t *terrain) step(square int, d env.Direction) (int, bool) {
	dx, dy := d.Delta()
	x, y := square%t.size+dx, square/t.size+dy
	return y*t.size + x, x >= 0 && x < t.size && y >= 0 && y < t.size
}

// limit returns how far a tank can go in a direction on the empty board. A tank
// that starts in the enemy base stays in it.
func (t *terrain) limit(k kind, from int, d env.Direction) int {
	enemyBase := &t.base[k.owner()^1]
	inside := enemyBase.has(from)
	for steps := 0; ; steps++ {
		next, on := t.step(from, d)
		if !on || t.mines.has(next) || (t.contaminated.has(next) && !k.commander()) || (inside && !enemyBase.has(next)) {
			return steps
		}
		from = next
	}
}

// start returns the board at the start: each army on its base.
func (t *terrain) start() board {
	b := vacantBoard()
	for owner := range t.base {
		tanks := 0
		for square := range t.squares() {
			switch {
			case square == t.commander[owner]:
				b[square] = makeID(owner, 0)
			case t.base[owner].has(square):
				tanks++
				b[square] = makeID(owner, tanks)
			}
		}
	}
	return b
}

// name returns the name of a square.
func (t *terrain) name(square int) string { return string(env.AppendSquare(nil, square, t.size)) }
