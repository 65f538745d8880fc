package tankbattle

import (
	"encoding/binary"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// How far a piece can go in a direction is the lesser of two numbers. The limit
// belongs to the square and the kind of piece: edge, mines, contaminated squares
// and the enemy base. The view belongs to the position: the squares up to the
// first piece, and that piece's square too if it may be captured. Both are kept
// as eight bytes, one for each direction.
//
// A move changes few views: those of the pieces that see the square it leaves,
// those that see the square it comes to, and its own. They are found on the four
// lines through each of the squares, where a bit stands for a piece.

// A cell is a square on a board with a border, where every step from a square
// leads to a cell.
const (
	stride = maxSize + 1
	cells  = 256 // more than exist, so that an index of type uint8 is always in range
)

func (t *terrain) cell(square int) uint8 {
	x, y := square%t.size, square/t.size
	return uint8((y+1)*stride + x + 1)
}

// Lines run in the directions N, NE, E and SE, in this order: files, diagonals,
// ranks, the other diagonals.
const (
	axes      = 4
	diagonals = 2*maxSize - 1
	lines     = 2*maxSize + 2*diagonals
)

// deltas are the changes of the cell for a step along the axes.
var deltas = [axes]int{stride, stride + 1, 1, 1 - stride}

// An arm is where a cell lies on one of its lines: the line, the cell's place in
// it, its bit, and the bits above and below. Along a line places go up by one.
type arm struct {
	line, place       uint8
	bit, above, below uint16
}

// arms are a cell's four lines.
type arms [axes]arm

func (t *terrain) arms(square int) (out arms) {
	x, y := square%t.size, square/t.size
	for axis, where := range [axes]struct{ line, place int }{
		{x, y + 1},
		{maxSize + x - y + maxSize - 1, x + 1},
		{maxSize + diagonals + y, x + 1},
		{2*maxSize + diagonals + x + y, x + 1},
	} {
		out[axis] = arm{
			line:  uint8(where.line),
			place: uint8(where.place),
			bit:   1 << where.place,
			above: ^uint16(0) << (where.place + 1),
			below: 1<<where.place - 1,
		}
	}
	return out
}

// edges returns the lines of the empty board: the bits before the first square
// and after the last one are set.
func (t *terrain) edges() (edges [lines]uint16) {
	for square := range t.squares() {
		arms := t.arms(square)
		for axis, d := range [axes]env.Direction{env.N, env.NE, env.E, env.SE} {
			if _, on := t.step(square, d); !on {
				edges[arms[axis].line] |= arms[axis].bit << 1
			}
			if _, on := t.step(square, d.Turned(4)); !on {
				edges[arms[axis].line] |= arms[axis].bit >> 1
			}
		}
	}
	return edges
}

// nearest returns the distances from an arm's bit to the next ones that are set
// above and below it. There are such bits.
func (a *arm) nearest(line uint16) (up, down int) {
	up = bits.TrailingZeros32(uint32(line&a.above)) - int(a.place)
	down = int(a.place) + 1 - bits.Len32(uint32(line&a.below))
	return up, down
}

// enter puts a piece on the line, leave takes it off.
func (a *arm) enter(l *[lines]uint16) { l[a.line%lines] |= a.bit }
func (a *arm) leave(l *[lines]uint16) { l[a.line%lines] &^= a.bit }

// distances are numbers of squares by absolute direction.
type distances [8]uint8

// packed returns the distances as bytes of a number, N the lowest.
func (d *distances) packed() uint64 { return binary.LittleEndian.Uint64(d[:]) }

// neighbours returns the nearest pieces on a line through a cell and their
// distances. step is the change of the cell for a step along the line.
func (s *State) neighbours(cell uint8, a *arm, step int) (above, below id, up, down int) {
	up, down = a.nearest(s.lines[a.line%lines])
	return s.board[cell+uint8(up*step)], s.board[cell-uint8(down*step)], up, down
}

// setReach sets how far a piece goes in an absolute direction, given its view.
func (s *State) setReach(piece id, d int, view uint32) {
	if limit := uint32(s.limit[piece%ids][d&7]); limit < view {
		view = limit
	}
	s.reach[piece%ids][d&7] = uint8(view)
}

// vacate lets the pieces around a cell whose piece has gone see past it, to each
// other.
func (s *State) vacate(cell uint8) {
	arms := s.game.arms[cell]
	meet := func(above, below id, up, down, axis int) {
		view := uint32(up+down-1) + enemies(above, below)
		s.setReach(above, axis+4, view)
		s.setReach(below, axis, view)
	}
	above, below, up, down := s.neighbours(cell, &arms[0], stride)
	arms[0].leave(&s.lines)
	meet(above, below, up, down, 0)
	above, below, up, down = s.neighbours(cell, &arms[1], stride+1)
	arms[1].leave(&s.lines)
	meet(above, below, up, down, 1)
	above, below, up, down = s.neighbours(cell, &arms[2], 1)
	arms[2].leave(&s.lines)
	meet(above, below, up, down, 2)
	above, below, up, down = s.neighbours(cell, &arms[3], 1-stride)
	arms[3].leave(&s.lines)
	meet(above, below, up, down, 3)
}

// occupy lets the pieces around a cell see the piece that has come to it, and
// that piece see them.
func (s *State) occupy(cell uint8, piece id) {
	arms := s.game.arms[cell]
	limit := s.game.placements[piece%ids][cell].limit
	var views uint64
	meet := func(other id, distance, d int) {
		view := uint32(distance-1) + enemies(piece, other)
		s.setReach(other, d^4, view)
		views |= uint64(view) << (8 * d)
	}
	above, below, up, down := s.neighbours(cell, &arms[0], stride)
	arms[0].enter(&s.lines)
	meet(above, up, 0)
	meet(below, down, 4)
	above, below, up, down = s.neighbours(cell, &arms[1], stride+1)
	arms[1].enter(&s.lines)
	meet(above, up, 1)
	meet(below, down, 5)
	above, below, up, down = s.neighbours(cell, &arms[2], 1)
	arms[2].enter(&s.lines)
	meet(above, up, 2)
	meet(below, down, 6)
	above, below, up, down = s.neighbours(cell, &arms[3], 1-stride)
	arms[3].enter(&s.lines)
	meet(above, up, 3)
	meet(below, down, 7)
	s.limit[piece%ids] = limit
	binary.LittleEndian.PutUint64(s.reach[piece%ids][:], lesser(views, limit.packed()))
}

// lesser returns the lesser of the bytes of a and b, which are below 128.
func lesser(a, b uint64) uint64 {
	const tops = 0x8080808080808080
	notLess := ((a | tops) - b) & tops
	return a ^ (a^b)&(notLess-notLess>>7)
}

// enemies is 1 if two pieces are of different players, else 0. With a wall it is
// either.
func enemies(p, q id) uint32 { return uint32(p^q) & 1 }

// duel corrects how far the commanders see: one that is safe from the other
// stops it like an own tank.
func (s *State) duel() {
	for p, safe := range s.safe {
		victim, hunter := s.commander[p], s.commander[p^1]
		if !safe || victim == 0 || hunter == 0 {
			continue
		}
		arms := s.game.arms[hunter]
		for axis := range arms {
			up, down := arms[axis].nearest(s.lines[arms[axis].line%lines])
			if hunter+uint8(up*deltas[axis]) == victim {
				s.setReach(s.board[hunter], axis, uint32(up-1))
			}
			if hunter-uint8(down*deltas[axis]) == victim {
				s.setReach(s.board[hunter], axis+4, uint32(down-1))
			}
		}
	}
}
