package env

import (
	"fmt"
	"strconv"
)

// Direction is one of the eight directions, clockwise from N = 0.
type Direction uint8

const (
	N Direction = iota
	NE
	E
	SE
	S
	SW
	W
	NW
)

// Delta returns the step of d on the board: x to the right, y upwards.
func (d Direction) Delta() (dx, dy int) {
	dxs := [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	dys := [8]int{1, 1, 0, -1, -1, -1, 0, 1}
	return dxs[d&7], dys[d&7]
}

// Turned returns d turned clockwise by a number of eighths of a circle.
func (d Direction) Turned(eighths int) Direction { return Direction(int(d)+eighths) & 7 }

func (d Direction) String() string {
	return [8]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}[d&7]
}

// ParseDirection is the inverse of Direction.String.
func ParseDirection(text string) (Direction, error) {
	for d := N; d <= NW; d++ {
		if d.String() == text {
			return d, nil
		}
	}
	return 0, fmt.Errorf("direction %q is not one of N, NE, E, SE, S, SW, W, NW", text)
}

// AppendSquare appends the name of a square on a board of the given width, as "a1".
func AppendSquare(dst []byte, square, width int) []byte {
	dst = append(dst, byte('a'+square%width))
	return strconv.AppendInt(dst, int64(square/width+1), 10)
}

// ParseSquare reads a square name from the front of text and returns the square
// and the rest. It accepts only what AppendSquare writes.
func ParseSquare(text string, width, height int) (square int, rest string, err error) {
	end := 1
	for end < len(text) && end < 4 && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if len(text) < 2 || end == 1 || text[1] == '0' {
		return 0, text, fmt.Errorf("%q does not begin with a square such as a1", text)
	}
	x := int(text[0]) - 'a'
	rank, err := strconv.Atoi(text[1:end])
	if err != nil || x < 0 || x >= width || rank > height {
		return 0, text, fmt.Errorf("square %s is off the board, which is a1 to %s", text[:end],
			AppendSquare(nil, width*height-1, width))
	}
	return (rank-1)*width + x, text[end:], nil
}
