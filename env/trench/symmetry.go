package trench

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Symmetries implements env.Symmetric: the reflection over the diagonal from
// one home corner to the other, when the directions of every rank allow it.
func (g *Game) Symmetries() []env.Symmetry {
	for _, set := range g.dirs {
		if set.mirrored() != set {
			return nil
		}
	}
	return []env.Symmetry{g.rays.Symmetry(engine.RisingDiagonal, len(g.spec.Planes))}
}
