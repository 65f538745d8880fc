package engine

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Rays numbers the moves of pieces that go straight over a square board. A move
// is a square, a direction and a distance, all in the mover's frame: action
// (from·8 + direction)·Longest + distance − 1.
type Rays struct {
	Size    int       // files and ranks
	Longest int       // the longest distance of any piece
	Players [2]string // names of the players
	Step    [8]int32  // change of the square for one step in each direction
	inverse uint64    // ⌈2³²/Longest⌉: action·inverse>>32 is action/Longest
}

// NewRays returns the coding for a board of size × size squares. There must be fewer
// than 2¹⁶ actions, so that Decode is exact.
func NewRays(size, longest int, players [2]string) Rays {
	r := Rays{Size: size, Longest: longest, Players: players, inverse: uint64((1<<32 + longest - 1) / longest)}
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		r.Step[d] = int32(dy*size + dx)
	}
	return r
}

// Squares returns the number of squares.
func (r *Rays) Squares() int { return r.Size * r.Size }

// Encode returns the action of a move.
func (r *Rays) Encode(from int, d env.Direction, distance int) env.Action {
	return env.Action((from*8+int(d))*r.Longest + distance - 1)
}

// Decode is the inverse of Encode.
func (r *Rays) Decode(a env.Action) (from int, d env.Direction, distance int) {
	row := int(uint64(uint32(a)) * r.inverse >> 32)
	return row >> 3, env.Direction(row & 7), int(a) - row*r.Longest + 1
}

// Landing returns the square on which a move ends, in the mover's frame too.
func (r *Rays) Landing(from int, d env.Direction, distance int) int {
	return from + distance*int(r.Step[d&7])
}

// Absolute returns the absolute square of a square in p's frame, and back.
func (r *Rays) Absolute(p env.Player, square int) int {
	if p == env.Second {
		return r.Squares() - 1 - square
	}
	return square
}

// ToEdge returns how many steps lead from a square to the edge of the board.
func (r *Rays) ToEdge(square int, d env.Direction) int {
	dx, dy := d.Delta()
	steps := 0
	for x, y := square%r.Size+dx, square/r.Size+dy; x >= 0 && x < r.Size && y >= 0 && y < r.Size; x, y = x+dx, y+dy {
		steps++
	}
	return steps
}

// MostMoves bounds the moves of some pieces of one type: they stand on the squares
// from which they go farthest on the empty board, as far as reach says.
func (r *Rays) MostMoves(pieces int, reach func(square int, d env.Direction) int) (most int) {
	mobility := make([]int, r.Squares())
	for square := range mobility {
		for d := env.N; d <= env.NW; d++ {
			mobility[square] += reach(square, d)
		}
	}
	slices.Sort(mobility)
	for _, moves := range mobility[max(0, len(mobility)-pieces):] {
		most += moves
	}
	return most
}

// SquareName returns the name of an absolute square.
func (r *Rays) SquareName(square int) string { return string(env.AppendSquare(nil, square, r.Size)) }

// Describe sets the players, the size of the board and the actions of a Spec.
func (r *Rays) Describe(spec *env.Spec) {
	spec.Players, spec.Width, spec.Height = r.Players, r.Size, r.Size
	planes := 8 * r.Longest
	spec.Actions = r.Squares() * planes
	spec.Encoding = fmt.Sprintf("(from·8 + direction)·%d + distance − 1 in the mover's frame: the board as it is for %s, turned by "+
		"180° for %s. from is y·%d + x with a1 at 0, directions are 0 to 7 clockwise from N.", r.Longest, r.Players[env.First], r.Players[env.Second], r.Size)
	for d := env.N; d <= env.NW; d++ {
		for distance := 1; distance <= r.Longest; distance++ {
			spec.ActionPlanes = append(spec.ActionPlanes, fmt.Sprintf("%v %d", d, distance))
		}
	}
	spec.ActionFactors = []env.Factor{
		{Name: "from", Description: "start square", Size: r.Squares(), Squares: make([]int16, r.Squares())},
		{Name: "direction", Description: "0 to 7 clockwise from N, which is ahead", Size: 8},
		{Name: "distance", Description: "number of squares minus 1", Size: r.Longest},
	}
	for square := range r.Squares() {
		spec.ActionFactors[0].Squares[square] = int16(square)
	}
	for a := range spec.Actions {
		spec.ActionCells = append(spec.ActionCells, env.ActionCell{Plane: int16(a % planes), Square: int16(a / planes)})
	}
}
