package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	engine.BeginDiagram(d, s, &g.spec, true)
	for square := range g.terrain.squares() {
		cell := &d.Cells[square]
		cell.Ground = g.terrain.ground(square)
		cell.Marked = square == g.terrain.commander[env.First] || square == g.terrain.commander[env.Second]
		if piece := s.at(square); piece != vacant {
			kind := typeOf(piece)
			cell.Owner = env.Player(ownerOf(piece))
			cell.Symbol = symbols[kind : kind+1]
			cell.Spokes = 0xff
			cell.Reach = int8(g.rays.Longest)
		}
	}
	g.limits.EndDiagram(d, s, &s.Base, "score", "progress")
}

func (t *terrain) ground(square int) env.Ground {
	switch {
	case t.mines.has(square):
		return env.Mine
	case t.contaminated.has(square):
		return env.Contaminated
	case t.base[env.First].has(square):
		return env.FirstBase
	case t.base[env.Second].has(square):
		return env.SecondBase
	}
	return env.Plain
}
