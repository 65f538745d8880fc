package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// maxLines is the number of lines of fire on the largest board: files, ranks and
// diagonals of both kinds.
const maxLines = 2*maxSize + 2*(2*maxSize-1)

// lines are the squares that stop direct fire, line by line. The squares of a line
// are bits 1 and up in direction N, NE, E or SE. The bit before the first square and
// the bit after the last one are set: the edges of the board stop fire too.
type lines [maxLines]uint32

// linePosition is the position of a square on its four lines, by direction N, NE,
// E and SE.
type linePosition struct {
	line [4]uint8
	bit  [4]uint8
}

// toggle makes a square stop fire, or no longer do so.
func (l *lines) toggle(p *linePosition) {
	l[p.line[0]] ^= 1 << (p.bit[0] & 31)
	l[p.line[1]] ^= 1 << (p.bit[1] & 31)
	l[p.line[2]] ^= 1 << (p.bit[2] & 31)
	l[p.line[3]] ^= 1 << (p.bit[3] & 31)
}

// rays returns the rays of a square: byte d is the distance, against direction d,
// to the first thing that stops fire.
func (l *lines) rays(p *linePosition) uint64 {
	return l.rayPair(p, 0) | l.rayPair(p, 1)<<8 | l.rayPair(p, 2)<<16 | l.rayPair(p, 3)<<24
}

// rayPair returns the distances along a line: against its direction in byte 0 and
// along it in byte 4.
func (l *lines) rayPair(p *linePosition, axis int) uint64 {
	line, bit := l[p.line[axis]], p.bit[axis]
	ahead := bits.TrailingZeros32(line >> ((bit + 1) & 31))
	behind := bits.LeadingZeros32(line << ((32 - bit) & 31))
	return uint64(behind+1) | uint64(ahead+1)<<32
}

// newLines returns the position of every square on its lines, and the lines of the
// empty board.
func newLines(size int) (positions []linePosition, empty lines) {
	diagonals := 2*size - 1
	for square := range size * size {
		x, y := square%size, square/size
		up, down := x-y+size-1, x+y // numbers of the diagonals NE and SE
		numbers := [4]int{x, size + up, size + diagonals + y, 2*size + diagonals + down}
		before := [4]int{y, min(x, y), x, x - max(0, down-size+1)} // squares of the line before this one
		lengths := [4]int{size, size - abs(x-y), size, size - abs(down-size+1)}
		var p linePosition
		for axis, line := range numbers {
			p.line[axis], p.bit[axis] = uint8(line), uint8(before[axis]+1)
			empty[line] = 1 | 1<<(lengths[axis]+1)
		}
		positions = append(positions, p)
	}
	return positions, empty
}

func abs(n int) int { return max(n, -n) }

// rayLength returns the ray in direction d.
func rayLength(rays uint64, d env.Direction) int { return int(rays >> (8 * (d & 7)) & 0xff) }
