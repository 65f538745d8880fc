package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Symmetries implements env.Symmetric: the reflection that leaves the layout as
// it is, if there is one. There is at most one, because both commanders' squares
// must lie on its axis.
func (g *Game) Symmetries() []env.Symmetry {
	for x := range engine.Reflections {
		if g.terrain.symmetric(x) {
			return []env.Symmetry{g.rays.Symmetry(x, len(g.spec.Planes))}
		}
	}
	return nil
}

// symmetric reports whether a reflection leaves the layout as it is.
func (t *terrain) symmetric(x engine.Reflection) bool {
	for _, set := range [...]*squareSet{&t.base[0], &t.base[1], &t.mines, &t.contaminated} {
		for square := range t.squares() {
			if set.has(square) != set.has(x.Square(square, t.size)) {
				return false
			}
		}
	}
	return x.Square(t.commander[0], t.size) == t.commander[0] && x.Square(t.commander[1], t.size) == t.commander[1]
}
