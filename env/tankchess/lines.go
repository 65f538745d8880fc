package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// maxLines is how many lines of fire the largest board has: files, ranks and
// both kinds of diagonals.
const maxLines = 2*maxSize + 2*(2*maxSize-1)

// lines are what stops direct fire, line by line. The squares of a line are
// bits 1 and up in the direction N, NE, E or SE; a set bit before them and one
// behind them are the edges of the board.
type lines [maxLines]uint32

// crossing is where a square is on its four lines, by direction N, NE, E, SE.
type crossing struct {
	line [4]uint8
	bit  [4]uint8
}

// flip raises or lowers what stops fire on a square.
func (l *lines) flip(c *crossing) {
	l[c.line[0]] ^= 1 << (c.bit[0] & 31)
	l[c.line[1]] ^= 1 << (c.bit[1] & 31)
	l[c.line[2]] ^= 1 << (c.bit[2] & 31)
	l[c.line[3]] ^= 1 << (c.bit[3] & 31)
}

// sight tells how far a square is seen from: byte d is the distance from it, in
// the direction opposite to d, of the first thing that stops fire. A shell that
// flies in direction d therefore hits the square from all nearer squares of that line.
func (l *lines) sight(c *crossing) uint64 {
	return l.both(c, 0) | l.both(c, 1)<<8 | l.both(c, 2)<<16 | l.both(c, 3)<<24
}

// both returns the distances along a line: against its direction in byte 0 and
// with it in byte 4.
func (l *lines) both(c *crossing, axis int) uint64 {
	line, bit := l[c.line[axis]], c.bit[axis]
	ahead := bits.TrailingZeros32(line >> ((bit + 1) & 31))
	behind := bits.LeadingZeros32(line << ((32 - bit) & 31))
	return uint64(behind+1) | uint64(ahead+1)<<32
}

// crossings returns where each square of a board is on its lines, and the lines
// of the empty board.
func crossings(size int) (all []crossing, empty lines) {
	diagonals := 2*size - 1
	for square := range size * size {
		x, y := square%size, square/size
		up, down := x-y+size-1, x+y // numbers of the diagonals NE and SE
		lines := [4]int{x, size + up, size + diagonals + y, 2*size + diagonals + down}
		places := [4]int{y, min(x, y), x, x - max(0, down-size+1)}
		lengths := [4]int{size, size - abs(x-y), size, size - abs(down-size+1)}
		var c crossing
		for axis, line := range lines {
			c.line[axis], c.bit[axis] = uint8(line), uint8(places[axis]+1)
			empty[line] = 1 | 1<<(lengths[axis]+1)
		}
		all = append(all, c)
	}
	return all, empty
}

func abs(n int) int { return max(n, -n) }

// along returns the byte of a sight for shells that fly in direction d.
func along(sight uint64, d env.Direction) int { return int(sight >> (8 * (d & 7)) & 0xff) }
