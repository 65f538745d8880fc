package eval

import "github.com/sandtable-farm/sandtable/env"

// classes puts numbers into classes, each known by its least member.
type classes []int

func newClasses(n int) classes {
	c := make(classes, n)
	for i := range c {
		c[i] = i
	}
	return c
}

func (c classes) of(i int) int {
	for c[i] != i {
		i = c[i]
	}
	return i
}

// join makes one class of those of a and b.
func (c classes) join(a, b int) {
	a, b = c.of(a), c.of(b)
	c[max(a, b)] = min(a, b)
}

// A fold says which squares, lines and facings of a player's own frame the
// symmetries of a rule set make one. Lines are the files and then the ranks.
type fold struct {
	width, height           int
	squares, lines, facings classes
}

func newFold(game env.Game) fold {
	spec := game.Spec()
	f := fold{
		width: spec.Width, height: spec.Height,
		squares: newClasses(spec.Width * spec.Height), lines: newClasses(spec.Width + spec.Height), facings: newClasses(8),
	}
	if symmetric, ok := game.(env.Symmetric); ok {
		for _, symmetry := range symmetric.Symmetries() {
			f.add(symmetry.Squares)
		}
	}
	return f
}

// add joins everything with its image.
func (f *fold) add(image []int16) {
	for square, to := range image {
		f.squares.join(square, int(to))
	}
	for line := range f.lines {
		if to, ok := f.lineImage(line, image); ok {
			f.lines.join(line, to)
		}
	}
	for d := env.N; d <= env.NW; d++ {
		if to, ok := f.facingImage(d, image); ok {
			f.facings.join(int(d), int(to))
		}
	}
}

// file and rank are the lines of a square.
func (f *fold) file(square int) int { return square % f.width }
func (f *fold) rank(square int) int { return f.width + square/f.width }

// lineImage returns the line that a line becomes, if it becomes one.
func (f *fold) lineImage(line int, image []int16) (to int, ok bool) {
	files, ranks := map[int]bool{}, map[int]bool{}
	for square, at := range image {
		if f.file(square) == line || f.rank(square) == line {
			files[f.file(int(at))] = true
			ranks[f.rank(int(at))] = true
			to = f.rank(int(at))
			if len(files) == 1 {
				to = f.file(int(at))
			}
		}
	}
	return to, len(files) == 1 || len(ranks) == 1
}

// facingImage returns the direction that a direction becomes, if the board has
// two squares to tell it by.
func (f *fold) facingImage(d env.Direction, image []int16) (to env.Direction, ok bool) {
	dx, dy := d.Delta()
	for square, at := range image {
		x, y := square%f.width+dx, square/f.width+dy
		if x < 0 || x >= f.width || y < 0 || y >= f.height {
			continue
		}
		next := int(image[y*f.width+x])
		for to = env.N; to <= env.NW; to++ {
			if tx, ty := to.Delta(); next%f.width-int(at)%f.width == tx && next/f.width-int(at)/f.width == ty {
				return to, true
			}
		}
		return 0, false
	}
	return 0, false
}
