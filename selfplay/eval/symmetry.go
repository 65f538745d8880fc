package eval

import "github.com/sandtable-farm/sandtable/env"

// classes is a union–find structure. The representative of a class is its least member.
type classes []int

func newClasses(n int) classes {
	c := make(classes, n)
	for i := range c {
		c[i] = i
	}
	return c
}

// find returns the representative of i's class.
func (c classes) find(i int) int {
	for c[i] != i {
		i = c[i]
	}
	return i
}

// union merges the classes of a and b.
func (c classes) union(a, b int) {
	a, b = c.find(a), c.find(b)
	c[max(a, b)] = min(a, b)
}

// symmetryClasses are the classes of squares, lines and facings, in a player's own
// frame, that the symmetries of a rule set make equivalent. Lines are the files
// followed by the ranks.
type symmetryClasses struct {
	width, height           int
	squares, lines, facings classes
}

func newSymmetryClasses(game env.Game) symmetryClasses {
	spec := game.Spec()
	c := symmetryClasses{
		width: spec.Width, height: spec.Height,
		squares: newClasses(spec.Width * spec.Height), lines: newClasses(spec.Width + spec.Height), facings: newClasses(8),
	}
	if symmetric, ok := game.(env.Symmetric); ok {
		for _, symmetry := range symmetric.Symmetries() {
			c.add(symmetry.Squares)
		}
	}
	return c
}

// add merges everything with its image under a symmetry, given by the image of each square.
func (c *symmetryClasses) add(image []int16) {
	for square, to := range image {
		c.squares.union(square, int(to))
	}
	for line := range c.lines {
		if to, ok := c.lineImage(line, image); ok {
			c.lines.union(line, to)
		}
	}
	for d := env.N; d <= env.NW; d++ {
		if to, ok := c.facingImage(d, image); ok {
			c.facings.union(int(d), int(to))
		}
	}
}

// file and rank return the lines of a square.
func (c *symmetryClasses) file(square int) int { return square % c.width }
func (c *symmetryClasses) rank(square int) int { return c.width + square/c.width }

// lineImage returns the image of a line. ok is false if the image is not a line.
func (c *symmetryClasses) lineImage(line int, image []int16) (to int, ok bool) {
	files, ranks := map[int]bool{}, map[int]bool{}
	for square, at := range image {
		if c.file(square) == line || c.rank(square) == line {
			files[c.file(int(at))] = true
			ranks[c.rank(int(at))] = true
			to = c.rank(int(at))
			if len(files) == 1 {
				to = c.file(int(at))
			}
		}
	}
	return to, len(files) == 1 || len(ranks) == 1
}

// facingImage returns the image of a direction. ok is false if no two squares of the board
// show it.
func (c *symmetryClasses) facingImage(d env.Direction, image []int16) (to env.Direction, ok bool) {
	dx, dy := d.Delta()
	for square, at := range image {
		x, y := square%c.width+dx, square/c.width+dy
		if x < 0 || x >= c.width || y < 0 || y >= c.height {
			continue
		}
		next := int(image[y*c.width+x])
		for to = env.N; to <= env.NW; to++ {
			if tx, ty := to.Delta(); next%c.width-int(at)%c.width == tx && next/c.width-int(at)/c.width == ty {
				return to, true
			}
		}
		return 0, false
	}
	return 0, false
}
