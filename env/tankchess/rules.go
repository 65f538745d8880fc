package tankchess

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Rules is a rule set of Tank Chess. Every field is a parameter of the game. What
// it means stands in its tag, for the page of the game and for readers.
type Rules struct {
	variant.Header
	Reverse        string           `json:"reverse" help:"a step back is a whole move (alone), or may be one of the steps (mixed)"`
	BackwardEscape bool             `json:"backward_escape" help:"the Command Tank may leave the board by a step back"`
	CornerExit     string           `json:"corner_exit" help:"the Command Tank does not leave over two edges at once (diagonal_barred), or not from a corner (barred); where it wins on the last rank, the corners count (diagonal_barred) or do not (barred)"`
	Escape         string           `json:"escape" help:"the Command Tank wins by leaving the board, never, or by reaching the enemy's home rank"`
	NoProgress     int              `json:"no_progress" help:"plies in a row without a destroyed piece that draw; 0 is off"`
	Repetition     int              `json:"repetition" help:"occurrences of a position that draw the game; 0 is off"`
	Pieces         map[string]Piece `json:"pieces" help:"the types by code, a word of 1 to 4 capital letters and digits; CLT is the Command Tank"`
	Layout         Layout           `json:"layout" help:"the board and the armies; squares are named as a1"`
}

// Values of Rules.Reverse, Rules.CornerExit and Rules.Escape.
const (
	reverseAlone         = "alone"
	reverseMixed         = "mixed"
	cornerDiagonalBarred = "diagonal_barred"
	cornerBarred         = "barred"
	escapeOffBoard       = "off_board"
	escapeNever          = "never"
	escapeLastRank       = "last_rank"
)

// Piece is what a rule set says of a type.
type Piece struct {
	Name       string `json:"name" help:"what people call the type"`
	Order      int    `json:"order" help:"its place among the types, which slots and position texts follow"`
	Value      int    `json:"value" help:"what a living piece adds to the score"`
	Speed      int    `json:"speed" help:"steps a move"`
	Armour     Armour `json:"armour"`
	Power      int    `json:"power" help:"a hit destroys where it is greater than the armour of the face"`
	Gun        Gun    `json:"gun"`
	Amphibious bool   `json:"amphibious,omitempty" help:"may enter water"`
}

// Armour is a type's protection by the face that is hit.
type Armour struct {
	Front int `json:"front" help:"armour against a shot from ahead"`
	Side  int `json:"side" help:"armour against a shot from the side"`
	Rear  int `json:"rear" help:"armour against a shot from behind"`
}

// Gun is where a type can fire.
type Gun struct {
	Arcs     []int `json:"arcs" help:"directions of fire in eighths of a circle from the facing, clockwise, -3 to 4, ascending; none for an unarmed type"`
	Least    int   `json:"least" help:"least range in squares along the line; 0 is no limit"`
	Greatest int   `json:"greatest,omitempty" help:"greatest range; 0 is no limit"`
	Indirect bool  `json:"indirect,omitempty" help:"fires over whatever stands between"`
}

// commandCode is the code of the piece whose destruction loses the game.
const commandCode = "CLT"

// Limits of the parameters.
const (
	maxTypes   = 100
	maxCode    = 4 // letters and digits of a code
	maxOrder   = 1_000_000
	maxValue   = 1000
	maxSpeed   = 7
	maxArmour  = 99
	maxSlots   = 32
	minSize    = 8
	maxSize    = 24
	maxSquares = maxSize * maxSize
	maxPlanes  = 1 << 15 // action planes are numbered by an int16
)

// codes returns the codes of the types in their order.
func (r *Rules) codes() []string {
	return slices.SortedFunc(maps.Keys(r.Pieces), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Pieces[a].Order, r.Pieces[b].Order), cmp.Compare(a, b))
	})
}

// Validate returns every fault of the rule set, each naming its field.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, engineName)
	faults.OneOf("reverse", r.Reverse, reverseAlone, reverseMixed)
	faults.OneOf("corner_exit", r.CornerExit, cornerDiagonalBarred, cornerBarred)
	faults.OneOf("escape", r.Escape, escapeOffBoard, escapeNever, escapeLastRank)
	faults.RepetitionAndProgress(r.Repetition, r.NoProgress)
	r.validatePieces(&faults)
	before := faults.Err()
	ground := parseLayout(r, &faults)
	if before == nil {
		r.validateActions(&faults)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	command := slices.Index(r.codes(), commandCode)
	for _, s := range ground.armies[env.Second] {
		if s.kind == command && r.winsOn(env.Second, s.square) {
			faults.Add("layout", "puts Black's Command Tank on White's home rank, where it has won before the first move")
		}
	}
	return faults.Err()
}

func (r *Rules) validatePieces(faults *variant.Faults) {
	if _, given := r.Pieces[commandCode]; !given {
		faults.Add("pieces."+commandCode, "is missing; it is the Command Tank")
	}
	if len(r.Pieces) > maxTypes {
		faults.Add("pieces", "has %d types, must have at most %d", len(r.Pieces), maxTypes)
	}
	orders, names := map[int]string{}, map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(r.Pieces)) {
		piece, field := r.Pieces[code], "pieces."+code
		if !validCode(code) {
			faults.Add(field, "has a code that is no word of 1 to %d capital letters and digits beginning with a letter", maxCode)
		}
		if other, taken := orders[piece.Order]; taken {
			faults.Add(field+".order", "is %d, which is that of %s; orders must differ", piece.Order, other)
		}
		if other, taken := names[piece.Name]; taken {
			faults.Add(field+".name", "is %q, which is that of %s; names must differ", piece.Name, other)
		}
		orders[piece.Order], names[piece.Name] = code, code
		piece.validate(faults, field)
	}
}

func validCode(code string) bool {
	for i := range len(code) {
		letter, digit := 'A' <= code[i] && code[i] <= 'Z', '0' <= code[i] && code[i] <= '9'
		if !letter && (!digit || i == 0) {
			return false
		}
	}
	return code != "" && len(code) <= maxCode
}

func (p *Piece) validate(faults *variant.Faults, field string) {
	if p.Name == "" || strings.ContainsFunc(p.Name, func(c rune) bool { return c < ' ' || c > '~' }) {
		faults.Add(field+".name", "is %q, must be plain ASCII and not empty", p.Name)
	}
	faults.Range(field+".order", p.Order, 0, maxOrder)
	faults.Range(field+".value", p.Value, 0, maxValue)
	faults.Range(field+".speed", p.Speed, 1, maxSpeed)
	faults.Range(field+".armour.front", p.Armour.Front, 0, maxArmour)
	faults.Range(field+".armour.side", p.Armour.Side, 0, maxArmour)
	faults.Range(field+".armour.rear", p.Armour.Rear, 0, maxArmour)
	faults.Range(field+".power", p.Power, 0, maxArmour)
	p.Gun.validate(faults, field+".gun")
}

func (g *Gun) validate(faults *variant.Faults, field string) {
	for i, arc := range g.Arcs {
		if arc < -3 || arc > 4 || i > 0 && arc <= g.Arcs[i-1] {
			faults.Add(field+".arcs", "is %v, must be different numbers from −3 to 4 in ascending order", g.Arcs)
			break
		}
	}
	faults.Range(field+".least", g.Least, 0, maxSize-1)
	faults.Range(field+".greatest", g.Greatest, 0, maxSize-1)
	if g.Greatest > 0 && g.Greatest < g.Least {
		faults.Add(field+".greatest", "is %d, must be at least %d, the least range, or 0 for no limit", g.Greatest, g.Least)
	}
	if g.Indirect && g.Greatest == 0 {
		faults.Add(field+".greatest", "is 0, must be the greatest range of a gun that fires over things")
	}
}

// validateActions checks that the action planes can be numbered.
func (r *Rules) validateActions(faults *variant.Faults) {
	templates, shots := newTemplates(r.fastest(), r.Reverse == reverseMixed).count, r.shotNumbers()
	if planes := templates*shots + 1; planes > maxPlanes {
		faults.Add("pieces", "make %d action planes: %d end states of the fastest type times %d shots of the best gun and 1, must be at most %d",
			planes, templates, shots, maxPlanes)
	}
}

// fastest is the speed of the fastest type.
func (r *Rules) fastest() int {
	speed := 1
	for _, p := range r.Pieces {
		speed = max(speed, p.Speed)
	}
	return speed
}

// shotNumbers is S, how many shots an action tells apart, none included.
func (r *Rules) shotNumbers() int {
	n := 4
	for _, p := range r.Pieces {
		n = max(n, 1+p.Gun.shotCount())
	}
	return n
}

// shotCount is how many shots a gun has: its arcs, times its distances when it
// fires over things.
func (g *Gun) shotCount() int {
	if !g.Indirect {
		return len(g.Arcs)
	}
	return len(g.Arcs) * (g.Greatest - g.minRange() + 1)
}

// minRange is the least range in effect.
func (g *Gun) minRange() int { return max(g.Least, 1) }

// maxRange is the greatest range in effect.
func (g *Gun) maxRange() int {
	if g.Greatest == 0 {
		return maxSize
	}
	return g.Greatest
}
