package tankbattle

import "github.com/sandtable-farm/sandtable/env"

// A reflection maps squares and directions. Both commanders' squares must lie on
// its axis, so a layout has one of these at the most.
type reflection struct {
	name      string
	square    func(x, y, top int) (int, int)
	direction func(d env.Direction) env.Direction
}

var reflections = [...]reflection{
	{"left and right exchanged", func(x, y, top int) (int, int) { return top - x, y }, func(d env.Direction) env.Direction { return -d & 7 }},
	{"top and bottom exchanged", func(x, y, top int) (int, int) { return x, top - y }, func(d env.Direction) env.Direction { return (4 - d) & 7 }},
	{"reflection over the rising diagonal", func(x, y, top int) (int, int) { return y, x }, func(d env.Direction) env.Direction { return (2 - d) & 7 }},
	{"reflection over the falling diagonal", func(x, y, top int) (int, int) { return top - y, top - x }, func(d env.Direction) env.Direction { return (6 - d) & 7 }},
}

// Symmetries implements env.Symmetric: the reflection that leaves the layout as
// it is, if there is one.
func (g *Game) Symmetries() []env.Symmetry {
	for _, r := range reflections {
		var squares []int16
		for square := range g.terrain.squares() {
			x, y := r.square(square%g.terrain.size, square/g.terrain.size, g.longest)
			squares = append(squares, int16(y*g.terrain.size+x))
		}
		if !g.terrain.invariant(squares) {
			continue
		}
		symmetry := env.Symmetry{Name: r.name, Squares: squares}
		for plane := range g.spec.Planes {
			symmetry.Planes = append(symmetry.Planes, int16(plane))
		}
		symmetry.Action = func(_ env.State, a env.Action) env.Action {
			from, d, distance := g.decode(a)
			return g.encode(int(squares[from]), r.direction(d), distance)
		}
		return []env.Symmetry{symmetry}
	}
	return nil
}

// invariant tells whether a map of the squares leaves the layout as it is.
func (t *terrain) invariant(to []int16) bool {
	for _, set := range [...]*squareSet{&t.base[0], &t.base[1], &t.mines, &t.contaminated} {
		for square := range t.squares() {
			if set.has(square) != set.has(int(to[square])) {
				return false
			}
		}
	}
	return int(to[t.commander[0]]) == t.commander[0] && int(to[t.commander[1]]) == t.commander[1]
}
