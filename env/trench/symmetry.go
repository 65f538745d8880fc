package trench

import "github.com/sandtable-farm/sandtable/env"

func mirroredDirection(d env.Direction) env.Direction { return (2 - d) & 7 }

func mirroredSquare(square int) int { return square%width*width + square/width }

// Symmetries implements env.Symmetric: the reflection over the diagonal from
// one home corner to the other, when the directions of every rank allow it.
func (g *Game) Symmetries() []env.Symmetry {
	for _, set := range g.dirs {
		if set.mirrored() != set {
			return nil
		}
	}
	mirror := env.Symmetry{Name: "reflection over a1-h8"}
	for square := range squares {
		mirror.Squares = append(mirror.Squares, int16(mirroredSquare(square)))
	}
	for plane := range g.spec.Planes {
		mirror.Planes = append(mirror.Planes, int16(plane))
	}
	mirror.Action = func(_ env.State, a env.Action) env.Action {
		from, d, distance := g.decode(a)
		return g.encode(mirroredSquare(from), mirroredDirection(d), distance)
	}
	return []env.Symmetry{mirror}
}
