package eval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// A Layout says which parameters a linear evaluator of a game has. It is
// immutable.
//
// First come the game's own features ([env.Features]), then for each type of
// piece
//
//	count    how many there are, or seeds in such houses
//	file     how many stand on a file of their owner's frame
//	rank     how many stand on a rank
//	on       how many stand on a square
//	facing   how many face a direction, where they have one; N is ahead
//
// and for a type of houses instead of the last four, for each house, whether it
// holds just so many seeds, the last number meaning that many or more. What the
// symmetries of the rule set make one shares a parameter, which has the name of
// the first. All count own minus enemy, wrecks left out.
type Layout struct {
	spec    *env.Spec
	rows    []row
	names   []string
	kinds   []kindParameters // by piece type
	listing int              // pieces that a position can list
}

// A row is a run of parameters with the same beginning of their names.
type row struct {
	Name   string   `json:"name"`
	At     []string `json:"at"`
	Values []int32  `json:"values"`
}

// kindParameters are the numbers of the parameters of one type of piece.
type kindParameters struct {
	count   int32
	lines   []int32 // by line of the fold; nil for houses
	squares []int32 // by square of the owner's frame; of a house, of one seed; none where no house is
	facings []int32 // by facing in the owner's frame; nil where there is none
	heap    int32   // of a house, the number of seeds that means that many or more
}

// none is the number of no parameter.
const none = -1

// mostHeap bounds kindParameters.heap.
const mostHeap = 8

// NewLayout makes the layout of a game. It refuses one that does not list its
// pieces and add them up.
func NewLayout(game env.Game) (*Layout, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, lists := start.(env.PieceLister)
	if _, adds := start.(env.PieceAdder); !lists || !adds {
		return nil, fmt.Errorf("%s does not list its pieces and add them up, which a linear evaluator needs", spec.Game)
	}
	l := &Layout{spec: spec}
	l.add("feature", spec.Features...)
	fold, pieces := newFold(game), lister.Pieces(nil)
	// No position lists more than one piece for each square or for each piece of the start.
	l.listing = max(len(pieces), spec.Width*spec.Height)
	for kind := range spec.Pieces {
		if spec.Pieces[kind].MaxCount > 1 {
			l.addHouses(kind, pieces)
		} else {
			l.addPieces(kind, &fold)
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
	for _, what := range at {
		l.names = append(l.names, name+" "+what)
	}
	return int32(first)
}

func (l *Layout) addPieces(kind int, fold *fold) {
	spec := l.spec
	name := spec.Pieces[kind].Name
	p := kindParameters{count: l.add(name, "count")}
	file := func(line int) string { return string(rune('a' + line)) }
	p.lines = l.fold(p.lines, name+" on file", fold.lines, spec.Width, file)
	p.lines = l.fold(p.lines, name+" on rank", fold.lines, spec.Width+spec.Height, func(line int) string { return strconv.Itoa(line - spec.Width + 1) })
	for y := range spec.Height {
		p.squares = l.fold(p.squares, name+" on", fold.squares, (y+1)*spec.Width, l.square)
	}
	if spec.Pieces[kind].Turns {
		p.facings = l.fold(p.facings, name+" facing", fold.facings, 8, func(d int) string { return env.Direction(d).String() })
	}
	l.kinds = append(l.kinds, p)
}

// fold adds a row for the classes that begin among the members from len(numbers)
// to end, and appends the numbers of the parameters of these members.
func (l *Layout) fold(numbers []int32, name string, c classes, end int, at func(int) string) []int32 {
	var fresh []string
	for member, next := len(numbers), len(l.names); member < end; member++ {
		if first := c.of(member); first != member {
			numbers = append(numbers, numbers[first])
			continue
		}
		numbers = append(numbers, int32(next+len(fresh)))
		fresh = append(fresh, at(member))
	}
	l.add(name, fresh...)
	return numbers
}

// addHouses adds parameters for the houses in which the start has seeds.
func (l *Layout) addHouses(kind int, start []env.Piece) {
	house := &l.spec.Pieces[kind]
	p := kindParameters{count: l.add(house.Name, "count"), heap: int32(min(house.MaxCount, mostHeap))}
	var heaps []string
	for n := range int(p.heap) {
		heaps = append(heaps, strconv.Itoa(n+1))
	}
	if house.MaxCount > mostHeap {
		heaps[mostHeap-1] += "+"
	}
	for square := range l.spec.Width * l.spec.Height {
		number := int32(none)
		if slices.ContainsFunc(start, func(p env.Piece) bool { return int(p.Type) == kind && l.spec.Frame(p.Owner, int(p.Square)) == square }) {
			number = l.add(house.Name+" "+l.square(square)+" with", heaps...)
		}
		p.squares = append(p.squares, number)
	}
	l.kinds = append(l.kinds, p)
}

func (l *Layout) square(square int) string {
	return string(env.AppendSquare(nil, square, l.spec.Width))
}

// Size is the number of parameters.
func (l *Layout) Size() int { return len(l.names) }

// Name says what parameter i is: "Soldier on c3", in the owner's frame.
func (l *Layout) Name(i int) string { return l.names[i] }

// terms appends what a piece, no wreck, adds to the parameters as its owner counts
// them. A parameter may be there twice.
func (l *Layout) terms(dst []Term, p *env.Piece) []Term {
	k, square, count := &l.kinds[p.Type], l.spec.Frame(p.Owner, int(p.Square)), int32(p.Count)
	dst = append(dst, Term{k.count, float32(count)})
	if k.heap > 0 {
		if number := k.squares[square]; number != none {
			dst = append(dst, Term{number + min(count, k.heap) - 1, 1})
		}
		return dst
	}
	file, rank := square%l.spec.Width, l.spec.Width+square/l.spec.Width
	dst = append(dst, Term{k.lines[file], 1}, Term{k.lines[rank], 1}, Term{k.squares[square], 1})
	if k.facings != nil {
		dst = append(dst, Term{k.facings[p.Facing.Turned(4*int(p.Owner))&7], 1})
	}
	return dst
}

// Placement tells whether parameter i says where pieces stand or face, rather
// than how many there are or what the game tells of itself.
func (l *Layout) Placement(i int) bool {
	return i >= len(l.spec.Features) && !slices.ContainsFunc(l.kinds, func(k kindParameters) bool { return int(k.count) == i })
}
