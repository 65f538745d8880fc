package eval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// A Layout lists the parameters of a linear evaluator of a game. It is immutable.
//
// First come the game's own features ([env.Features]), then, for each type of piece:
//
//	count    the number of pieces, or of seeds in houses of this type
//	file     the number on a file of the owner's frame
//	rank     the number on a rank
//	on       the number on a square
//	facing   the number that face a direction, if the type can turn; N is ahead
//
// A type of house has, instead of the last four, a parameter "with" for each house and
// each n: whether the house holds exactly n seeds. The greatest n includes larger numbers.
// Parameters that the symmetries of the rule set make equivalent are one parameter, named
// after the first. Every parameter is the player's count minus the enemy's, without wrecks.
type Layout struct {
	spec      *env.Spec
	rows      []row
	names     []string
	types     []typeParameters // by piece type
	maxPieces int              // that a position can list
}

// A row is a run of parameters whose names begin with the same text.
type row struct {
	Name   string   `json:"name"`
	At     []string `json:"at"`
	Values []int32  `json:"values"`
}

// typeParameters are the parameter numbers of one type of piece. Squares, lines and
// facings are in the owner's frame.
type typeParameters struct {
	count   int32
	lines   []int32 // by line, see symmetryClasses; nil for houses
	squares []int32 // by square; for a house, its parameter of one seed; noParameter elsewhere
	facings []int32 // by facing; nil if the type does not turn
	seeds   int32   // of a house: parameters per house; 0 for pieces
}

const noParameter = -1

// maxSeeds bounds typeParameters.seeds.
const maxSeeds = 8

// NewLayout returns the layout of a game. It returns an error unless the game's states
// are env.PieceListers and env.PieceAdders.
func NewLayout(game env.Game) (*Layout, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, lists := start.(env.PieceLister)
	if _, adds := start.(env.PieceAdder); !lists || !adds {
		return nil, fmt.Errorf("%s cannot list and add up its pieces (env.PieceLister, env.PieceAdder), which a linear evaluator needs", spec.Game)
	}
	l := &Layout{spec: spec}
	l.add("feature", spec.Features...)
	classes, pieces := newSymmetryClasses(game), lister.Pieces(nil)
	// A position lists at most one piece per square or per piece of the start.
	l.maxPieces = max(len(pieces), spec.Width*spec.Height)
	for i := range spec.Pieces {
		if spec.Pieces[i].MaxCount > 1 {
			l.addHouses(i, pieces)
		} else {
			l.addPieces(i, &classes)
		}
	}
	return l, nil
}

// add adds a row, unless it is empty, and returns the number of its first parameter.
func (l *Layout) add(name string, at ...string) int32 {
	first := len(l.names)
	if len(at) > 0 {
		l.rows = append(l.rows, row{Name: name, At: at})
	}
	for _, place := range at {
		l.names = append(l.names, name+" "+place)
	}
	return int32(first)
}

func (l *Layout) addPieces(pieceType int, c *symmetryClasses) {
	spec, piece := l.spec, &l.spec.Pieces[pieceType]
	p := typeParameters{count: l.add(piece.Name, "count")}
	file := func(line int) string { return string(rune('a' + line)) }
	rank := func(line int) string { return strconv.Itoa(line - spec.Width + 1) }
	p.lines = l.addClasses(p.lines, piece.Name+" on file", c.lines, spec.Width, file)
	p.lines = l.addClasses(p.lines, piece.Name+" on rank", c.lines, spec.Width+spec.Height, rank)
	for y := range spec.Height {
		p.squares = l.addClasses(p.squares, piece.Name+" on", c.squares, (y+1)*spec.Width, l.square)
	}
	if piece.Turns {
		p.facings = l.addClasses(p.facings, piece.Name+" facing", c.facings, 8, func(d int) string { return env.Direction(d).String() })
	}
	l.types = append(l.types, p)
}

// addClasses adds a row for the members from len(numbers) to end that represent their
// class, and appends the parameter numbers of all these members.
func (l *Layout) addClasses(numbers []int32, name string, c classes, end int, at func(int) string) []int32 {
	var places []string
	for member, next := len(numbers), len(l.names); member < end; member++ {
		if first := c.find(member); first != member {
			numbers = append(numbers, numbers[first])
			continue
		}
		numbers = append(numbers, int32(next+len(places)))
		places = append(places, at(member))
	}
	l.add(name, places...)
	return numbers
}

// addHouses adds parameters for the houses that hold seeds at the start.
func (l *Layout) addHouses(pieceType int, start []env.Piece) {
	house := &l.spec.Pieces[pieceType]
	p := typeParameters{count: l.add(house.Name, "count"), seeds: int32(min(house.MaxCount, maxSeeds))}
	var numbers []string
	for n := range int(p.seeds) {
		numbers = append(numbers, strconv.Itoa(n+1))
	}
	if house.MaxCount > maxSeeds {
		numbers[maxSeeds-1] += "+"
	}
	for square := range l.spec.Width * l.spec.Height {
		first := int32(noParameter)
		if slices.ContainsFunc(start, func(p env.Piece) bool {
			return int(p.Type) == pieceType && l.spec.Frame(p.Owner, int(p.Square)) == square
		}) {
			first = l.add(house.Name+" "+l.square(square)+" with", numbers...)
		}
		p.squares = append(p.squares, first)
	}
	l.types = append(l.types, p)
}

func (l *Layout) square(square int) string {
	return string(env.AppendSquare(nil, square, l.spec.Width))
}

// Size returns the number of parameters.
func (l *Layout) Size() int { return len(l.names) }

// Name returns the name of parameter i, such as "Soldier on c3", in the owner's frame.
func (l *Layout) Name(i int) string { return l.names[i] }

// terms appends what a piece that is not a wreck adds to the parameters, from its owner's
// view. A parameter may occur twice.
func (l *Layout) terms(dst []Term, p *env.Piece) []Term {
	t, square, count := &l.types[p.Type], l.spec.Frame(p.Owner, int(p.Square)), int32(p.Count)
	dst = append(dst, Term{t.count, float32(count)})
	if t.seeds > 0 {
		if first := t.squares[square]; first != noParameter {
			dst = append(dst, Term{first + min(count, t.seeds) - 1, 1})
		}
		return dst
	}
	file, rank := square%l.spec.Width, l.spec.Width+square/l.spec.Width
	dst = append(dst, Term{t.lines[file], 1}, Term{t.lines[rank], 1}, Term{t.squares[square], 1})
	if t.facings != nil {
		dst = append(dst, Term{t.facings[p.Facing.Turned(4*int(p.Owner))&7], 1})
	}
	return dst
}

// Placement reports whether parameter i describes where pieces stand or face, as
// opposed to a count or a feature of the game.
func (l *Layout) Placement(i int) bool {
	return i >= len(l.spec.Features) && !slices.ContainsFunc(l.types, func(t typeParameters) bool { return int(t.count) == i })
}
