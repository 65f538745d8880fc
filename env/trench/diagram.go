package trench

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	engine.BeginDiagram(d, s, &g.spec, false)
	for square, c := range s.board {
		cell := &d.Cells[square]
		cell.Ground = grounds[zoneOf(square)]
		if c != vacant {
			rank := rankOf(c)
			cell.Owner = env.Player(ownerOf(c))
			cell.Symbol = letters[rank : rank+1]
			cell.Spokes = uint8(g.dirs[rank])
			if cell.Owner == env.Second {
				cell.Spokes = cell.Spokes<<4 | cell.Spokes>>4
			}
			cell.Reach = int8(g.rules.longestMove(cell.Owner, rank))
		}
	}
	if !s.Over() && s.pending() {
		d.Caption[0] += ", the last move"
	}
	g.limits.EndDiagram(d, s, &s.Base, "points", "a capture")
}

// grounds are the zones of Black's frame, which is the board as it is.
var grounds = [zones]env.Ground{ownLand: env.FirstLand, trench: env.Trench, enemyLand: env.SecondLand}
