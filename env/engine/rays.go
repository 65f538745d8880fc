package engine

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Rays numbers the moves of pieces that go straight over a square board. A move
// is a square, a direction and a distance, all in the mover's frame: action
// (from·8 + direction)·Longest + distance − 1.
type Rays struct {
	Size    int      // files and ranks
	Longest int      // the longest distance of any piece
	Step    [8]int32 // change of the square for one step in each direction
	inverse uint64   // ⌈2³²/Longest⌉: action·inverse>>32 is action/Longest
}

// NewRays returns the moves over a board of the given size. The actions must be
// fewer than 2¹⁶, so that Decode is exact.
func NewRays(size, longest int) Rays {
	r := Rays{Size: size, Longest: longest, inverse: uint64((1<<32 + longest - 1) / longest)}
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

// Absolute turns a square of p's frame into an absolute one, and back.
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

// SquareName returns the name of an absolute square.
func (r *Rays) SquareName(square int) string { return string(env.AppendSquare(nil, square, r.Size)) }

// Describe sets the size of the board in a Spec, its players and what it says of
// actions.
func (r *Rays) Describe(spec *env.Spec, players [2]string) {
	spec.Players, spec.Width, spec.Height = players, r.Size, r.Size
	planes := 8 * r.Longest
	spec.Actions = r.Squares() * planes
	spec.Encoding = fmt.Sprintf("(from·8 + direction)·%d + distance − 1 in the mover's frame: the board as it is for %s, turned by "+
		"180° for %s. from is y·%d + x with a1 at 0, directions are 0 to 7 clockwise from N.", r.Longest, players[env.First], players[env.Second], r.Size)
	for d := env.N; d <= env.NW; d++ {
		for distance := 1; distance <= r.Longest; distance++ {
			spec.ActionPlanes = append(spec.ActionPlanes, fmt.Sprintf("%v %d", d, distance))
		}
	}
	for a := range spec.Actions {
		spec.ActionCells = append(spec.ActionCells, env.ActionCell{Plane: int16(a % planes), Square: int16(a / planes)})
	}
}

// AppendMove appends the start and the landing square of p's move, with a sign
// between them.
func (r *Rays) AppendMove(dst []byte, p env.Player, a env.Action, sign byte) []byte {
	from, d, distance := r.Decode(a)
	dst = env.AppendSquare(dst, r.Absolute(p, from), r.Size)
	return env.AppendSquare(append(dst, sign), r.Absolute(p, r.Landing(from, d, distance)), r.Size)
}

// ParseMove reads what AppendMove writes from the front of a move text, with one
// of the signs. From and to are absolute.
func (r *Rays) ParseMove(text, signs string) (from, to int, rest string, err error) {
	from, rest, err = env.ParseSquare(text, r.Size, r.Size)
	if err != nil {
		return 0, 0, "", err
	}
	if rest == "" || strings.IndexByte(signs, rest[0]) < 0 {
		return 0, 0, "", fmt.Errorf("%q follows the start square, must be %s and the landing square", rest, strings.Join(strings.Split(signs, ""), " or "))
	}
	to, rest, err = env.ParseSquare(rest[1:], r.Size, r.Size)
	return from, to, rest, err
}

// A Mover is what stands on the start square of a move, for errors.
type Mover struct {
	Name  string     // of the piece
	Owner env.Player // NoPlayer when the square is empty
}

// Find returns the action of p, among the legal ones, between two absolute squares.
// Its error says what is wrong with the move.
func (r *Rays) Find(legal []env.Action, p env.Player, from, to int, mover Mover, players [2]string) (env.Action, error) {
	var landings []string
	for _, a := range legal {
		start, d, distance := r.Decode(a)
		if r.Absolute(p, start) != from {
			continue
		}
		landing := r.Absolute(p, r.Landing(start, d, distance))
		if landing == to {
			return a, nil
		}
		landings = append(landings, r.SquareName(landing))
	}
	square := r.SquareName(from)
	switch {
	case mover.Owner == env.NoPlayer:
		return env.NoAction, fmt.Errorf("there is no piece on %s", square)
	case mover.Owner != p:
		return env.NoAction, fmt.Errorf("the %s on %s belongs to %s, and %s is to move", mover.Name, square, players[mover.Owner], players[p&1])
	case len(landings) == 0:
		return env.NoAction, fmt.Errorf("the %s on %s has no legal move", mover.Name, square)
	}
	return env.NoAction, fmt.Errorf("the move is not legal; the %s on %s may go to %s", mover.Name, square, strings.Join(landings, ", "))
}
