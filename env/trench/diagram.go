package trench

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = width, width, true
	d.Players, d.FirstLight = playerNames, false
	d.Cells = d.Cells[:0]
	for square, c := range s.board {
		cell := env.Cell{Ground: grounds[zoneOf(square)], Owner: env.NoPlayer, Count: env.None}
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
		d.Cells = append(d.Cells, cell)
	}
	d.Caption = append(d.Caption[:0], s.status(), fmt.Sprintf("points: Black %d, White %d", s.points[env.First], s.points[env.Second]))
	d.Caption = g.limits.AppendCaption(d.Caption, s.counters, &s.history, "a capture")
}

// grounds are the zones of Black's frame, which is the board as it is.
var grounds = [zones]env.Ground{ownLand: env.FirstLand, trench: env.Trench, enemyLand: env.SecondLand}

// status is the first line of the caption.
func (s *State) status() string {
	status := engine.Status(s, playerNames)
	if s.reason == env.NoReason && s.pending() {
		status += ", the last move"
	}
	return status
}
