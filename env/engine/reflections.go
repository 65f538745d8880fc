package engine

import "github.com/sandtable-farm/sandtable/env"

// A Reflection maps a square board to itself, in the mover's frame.
type Reflection int

// The reflections of a square board.
const (
	LeftRight Reflection = iota
	TopBottom
	RisingDiagonal
	FallingDiagonal
	Reflections // their number
)

func (x Reflection) String() string {
	return [Reflections]string{
		"left and right exchanged", "top and bottom exchanged", "reflection over the rising diagonal", "reflection over the falling diagonal",
	}[x]
}

// Direction returns the image of a direction.
func (x Reflection) Direction(d env.Direction) env.Direction {
	return ([Reflections]env.Direction{0, 4, 2, 6}[x] - d) & 7
}

// Square returns the image of a square on a board of the given size.
func (x Reflection) Square(square, size int) int {
	column, row, top := square%size, square/size, size-1
	image := [Reflections][2]int{{top - column, row}, {column, top - row}, {row, column}, {top - row, top - column}}[x]
	return image[1]*size + image[0]
}

// Symmetry returns the symmetry of a reflection that maps each observation plane to
// itself.
func (r *Rays) Symmetry(x Reflection, planes int) env.Symmetry {
	symmetry := env.Symmetry{Name: x.String()}
	for square := range r.Squares() {
		symmetry.Squares = append(symmetry.Squares, int16(x.Square(square, r.Size)))
	}
	for plane := range planes {
		symmetry.Planes = append(symmetry.Planes, int16(plane))
	}
	symmetry.Action = func(_ env.State, a env.Action) env.Action {
		from, d, distance := r.Decode(a)
		return r.Encode(x.Square(from, r.Size), x.Direction(d), distance)
	}
	return symmetry
}
