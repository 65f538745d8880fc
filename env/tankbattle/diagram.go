package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = g.terrain.size, g.terrain.size, true
	d.Players, d.FirstLight = playerNames, true
	d.Cells = d.Cells[:0]
	for square := range g.terrain.squares() {
		cell := env.Cell{Ground: g.terrain.ground(square), Owner: env.NoPlayer, Count: env.None}
		cell.Marked = square == g.terrain.commander[env.First] || square == g.terrain.commander[env.Second]
		if piece := s.at(square); piece != vacant {
			kind := typeOf(piece)
			cell.Owner = env.Player(ownerOf(piece))
			cell.Symbol = symbols[kind : kind+1]
			cell.Spokes = 0xff
			cell.Reach = int8(g.rays.Longest)
		}
		d.Cells = append(d.Cells, cell)
	}
	d.Caption = append(d.Caption[:0], engine.Status(s, playerNames), fmt.Sprintf("score: White %d, Black %d", s.Points(env.First), s.Points(env.Second)))
	d.Caption = g.limits.AppendCaption(d.Caption, s.counters, &s.history, "progress")
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
