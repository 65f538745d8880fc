package tankchess

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Rules is a rule set of Tank Chess. Every field is a parameter of the game. Its help
// tag explains it, here and on the page of the game.
type Rules struct {
	variant.Header
	Reverse        string           `json:"reverse" help:"a step back must be a whole move (alone), or can be one of the steps of a move (mixed)"`
	BackwardEscape bool             `json:"backward_escape" help:"the Command Tank can leave the board by a step back"`
	CornerExit     string           `json:"corner_exit" help:"the Command Tank cannot leave diagonally out of a corner (diagonal_barred), or not from a corner at all (barred); if it wins on the last rank, the corners count (diagonal_barred) or do not (barred)"`
	Escape         string           `json:"escape" help:"the Command Tank wins by leaving the board (off_board), by reaching the enemy's home rank (last_rank), or not at all (never)"`
	NoProgress     int              `json:"no_progress" help:"plies in a row without a destroyed piece that draw the game; 0 is off"`
	Repetition     int              `json:"repetition" help:"occurrences of a position that draw the game; 0 is off"`
	Pieces         map[string]Piece `json:"pieces" help:"the types of pieces by code, 1 to 4 capital letters and digits; CLT is the Command Tank"`
	Layout         Layout           `json:"layout" help:"the board and the armies; squares are written like a1"`
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

// Piece is a type of piece.
type Piece struct {
	Name       string `json:"name" help:"name of the type"`
	Order      int    `json:"order" help:"sort key of the type in slots and position texts"`
	Value      int    `json:"value" help:"points that a living piece adds to the score"`
	Speed      int    `json:"speed" help:"steps per move"`
	Armour     Armour `json:"armour"`
	Power      int    `json:"power" help:"a hit destroys the target if the power is greater than the armour of the face that is hit"`
	Gun        Gun    `json:"gun"`
	Amphibious bool   `json:"amphibious,omitempty" help:"can enter water"`
}

// Armour is the protection of a type, by the face that is hit.
type Armour struct {
	Front int `json:"front" help:"armour against a shot from ahead"`
	Side  int `json:"side" help:"armour against a shot from the side"`
	Rear  int `json:"rear" help:"armour against a shot from behind"`
}

// Gun is the range of fire of a type.
type Gun struct {
	Arcs     []int `json:"arcs" help:"directions of fire in eighths of a circle clockwise from the facing, -3 to 4 in ascending order; empty for an unarmed type"`
	Least    int   `json:"least" rules:"optional" help:"least range in squares; 0 means no limit"`
	Greatest int   `json:"greatest,omitempty" help:"greatest range in squares; 0 means no limit"`
	Indirect bool  `json:"indirect,omitempty" help:"fires over everything between"`
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

// Engine returns the entry of Tank Chess in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }

// Validate returns all faults of the rule set, each with its field.
func (r *Rules) Validate() error {
	var faults variant.Faults
	faults.OneOf("game", r.Game, about.Name)
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
			faults.Add("layout", "puts Black's Command Tank on White's home rank, where it wins before the first move")
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
			faults.Add(field, "has an invalid code, must be 1 to %d capital letters and digits beginning with a letter", maxCode)
		}
		if other, taken := orders[piece.Order]; taken {
			faults.Add(field+".order", "is %d, which is also the order of %s; orders must differ", piece.Order, other)
		}
		if other, taken := names[piece.Name]; taken {
			faults.Add(field+".name", "is %q, which is also the name of %s; names must differ", piece.Name, other)
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
		faults.Add(field+".greatest", "is 0, must be at least 1 for an indirect gun")
	}
}

// validateActions checks the number of action planes.
func (r *Rules) validateActions(faults *variant.Faults) {
	templates, shots := newTemplates(r.fastest(), r.Reverse == reverseMixed).count, r.shotNumbers()
	if planes := templates*shots + 1; planes > maxPlanes {
		faults.Add("pieces", "need %d action planes (%d end states of the fastest type times %d shots of the gun with the most, plus 1), must be at most %d",
			planes, templates, shots, maxPlanes)
	}
}

// fastest returns the speed of the fastest type.
func (r *Rules) fastest() int {
	speed := 1
	for _, p := range r.Pieces {
		speed = max(speed, p.Speed)
	}
	return speed
}

// shotNumbers returns S, the number of shots that an action distinguishes, no shot
// included.
func (r *Rules) shotNumbers() int {
	n := 4
	for _, p := range r.Pieces {
		n = max(n, 1+p.Gun.shotCount())
	}
	return n
}

// shotCount returns the number of shots of a gun: its arcs, times its distances if it
// fires over things.
func (g *Gun) shotCount() int {
	if !g.Indirect {
		return len(g.Arcs)
	}
	return len(g.Arcs) * (g.Greatest - g.minRange() + 1)
}

// minRange returns the least range in effect.
func (g *Gun) minRange() int { return max(g.Least, 1) }

// maxRange returns the greatest range in effect.
func (g *Gun) maxRange() int {
	if g.Greatest == 0 {
		return maxSize
	}
	return g.Greatest
}
