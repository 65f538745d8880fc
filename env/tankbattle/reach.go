package tankbattle

import (
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
	cells  = stride*(maxSize+2) + 4
)

func (t *terrain) cell(square int) int {
	x, y := square%t.size, square/t.size
	return (y+1)*stride + x + 1
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

// cross is where a cell lies on its four lines: their numbers and its bits in
// them. Along a line bits go up by one.
type cross struct {
	line [axes]uint8
	bit  [axes]uint8
}

func (t *terrain) cross(square int) cross {
	x, y := square%t.size, square/t.size
	return cross{
		line: [axes]uint8{
			uint8(x),
			uint8(maxSize + x - y + maxSize - 1),
			uint8(maxSize + diagonals + y),
			uint8(2*maxSize + diagonals + x + y),
		},
		bit: [axes]uint8{uint8(y + 1), uint8(x + 1), uint8(x + 1), uint8(x + 1)},
	}
}

// edges returns the lines of the empty board: the bits before the first square
// and after the last one are set.
func (t *terrain) edges() (edges [lines]uint16) {
	for square := range t.squares() {
		c := t.cross(square)
		for axis, d := range [axes]env.Direction{env.N, env.NE, env.E, env.SE} {
			if _, on := t.step(square, d); !on {
				edges[c.line[axis]] |= 2 << c.bit[axis]
			}
			if _, on := t.step(square, d.Turned(4)); !on {
				edges[c.line[axis]] |= 1 << c.bit[axis] >> 1
			}
		}
	}
	return edges
}

// nearest returns the distances from a bit of a line to the next ones set above
// and below it. There are such bits.
func nearest(line uint16, bit uint8) (up, down int) {
	up = bits.TrailingZeros32(uint32(line) >> (bit & 15) &^ 1)
	down = int(bit) + 1 - bits.Len32(uint32(line)&(1<<(bit&15)-1))
	return up, down
}

// flip puts a bit for a piece on the lines of a cell or takes it off.
func (s *State) flip(c *cross) {
	for axis := range axes {
		s.lines[c.line[axis]%lines] ^= 1 << (c.bit[axis] & 15)
	}
}

// views are how far a piece sees, byte d in absolute direction d.
type views [8]uint8

// vacate lets the pieces around a cell that has just become empty see past it.
func (s *State) vacate(cell int) {
	c := &s.game.crosses[cell]
	s.flip(c)
	for axis := range axes {
		up, down := nearest(s.lines[c.line[axis]%lines], c.bit[axis])
		p := s.board[cell+up*deltas[axis]] % ids
		q := s.board[cell-down*deltas[axis]] % ids
		between := uint8(up + down - 1)
		s.views[p][axis+4] = between + s.captures(p, q)
		s.views[q][axis] = between + s.captures(q, p)
	}
}

// settle lets the pieces around a cell see the piece that has come to it, and
// that piece see them. The lines know it already.
func (s *State) settle(cell int, piece id) {
	piece %= ids
	c := &s.game.crosses[cell]
	own := &s.views[piece]
	for axis := range axes {
		up, down := nearest(s.lines[c.line[axis]%lines], c.bit[axis])
		p := s.board[cell+up*deltas[axis]] % ids
		q := s.board[cell-down*deltas[axis]] % ids
		s.views[p][axis+4] = uint8(up-1) + s.captures(p, piece)
		s.views[q][axis] = uint8(down-1) + s.captures(q, piece)
		own[axis] = uint8(up-1) + s.captures(piece, p)
		own[axis+4] = uint8(down-1) + s.captures(piece, q)
	}
}

// captures is 1 if a piece may capture another one that it sees, else 0. With a
// wall it is either.
func (s *State) captures(p, q id) uint8 {
	if (p|q)%idsEach == 0 && s.safe[ownerOf(q)] {
		return 0
	}
	return (p ^ q) / idsEach & 1
}

// reach returns how far the piece on a cell can go, byte d in absolute direction d.
func (s *State) reach(cell int) uint64 {
	piece := s.board[cell] % ids
	return lesser(s.viewsOf(piece), s.game.spots[piece][cell].limit)
}

// lesser returns the lesser of the bytes of a and b, which are below 128.
func lesser(a, b uint64) uint64 {
	const tops = 0x8080808080808080
	notLess := ((a | tops) - b) & tops
	return a ^ (a^b)&(notLess-notLess>>7)
}
