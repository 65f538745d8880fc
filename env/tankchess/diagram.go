package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = g.size, g.size, true
	d.Players, d.FirstLight = playerNames, true
	d.Cells = d.Cells[:0]
	for square := range g.squares {
		d.Cells = append(d.Cells, env.Cell{Ground: g.board.groundAt(square), Owner: env.NoPlayer, Count: env.None})
	}
	for owner := env.First; owner <= env.Second; owner++ {
		for slot := range g.slots {
			t := s.tanks[owner][slot]
			if t.fate != living && t.fate != wreck {
				continue
			}
			cell := &d.Cells[t.square]
			cell.Owner, cell.Symbol = owner, g.kinds[g.slots[slot].kind].code
			cell.Faced, cell.Facing, cell.Wreck = t.fate == living, t.facing, t.fate == wreck
		}
	}
	d.Caption = append(d.Caption[:0], engine.Status(s, playerNames))
	for owner := env.First; owner <= env.Second && s.reason == env.NoReason; owner++ {
		if s.InCheck(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" is in check")
		}
		if s.CanEscape(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" can escape")
		}
	}
	d.Caption = append(d.Caption, fmt.Sprintf("value of the living: White %d, Black %d", s.Points(env.First), s.Points(env.Second)))
	d.Caption = g.limits.AppendCaption(d.Caption, s.counters, &s.history, "a destroyed piece")
}

// groundAt returns the terrain of a square.
func (b *board) groundAt(square int) env.Ground {
	switch {
	case b.obstacles.has(square):
		return env.Obstacle
	case b.water.has(square):
		return env.Water
	case b.low.has(square):
		return env.LowObstacle
	case b.hedges.has(square):
		return env.Hedge
	}
	return env.Plain
}
