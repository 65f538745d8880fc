package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = g.size, g.size, true
	d.Players, d.FirstLight = playerNames, true
	d.Cells = d.Cells[:0]
	for square := range g.squares {
		d.Cells = append(d.Cells, env.Cell{Ground: g.board.at(square), Owner: env.NoPlayer, Count: env.None})
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
	d.Caption = append(d.Caption[:0], s.status())
	for owner := env.First; owner <= env.Second && s.reason == env.NoReason; owner++ {
		if s.InCheck(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" is in check")
		}
		if s.CanEscape(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" can escape")
		}
	}
	d.Caption = append(d.Caption, fmt.Sprintf("value of the living: White %d, Black %d", s.Points(env.First), s.Points(env.Second)))
	if top := g.rules.NoProgress; top > 0 {
		d.Caption = append(d.Caption, fmt.Sprintf("plies without a destroyed piece: %d of %d", s.quiet, top))
	}
	if top := g.rules.Repetition; top > 0 && s.history.Times() > 1 {
		d.Caption = append(d.Caption, fmt.Sprintf("position occurred %d times of %d", s.history.Times(), top))
	}
}

// at is what a square is made of.
func (g *board) at(square int) env.Ground {
	switch {
	case g.obstacles.has(square):
		return env.Obstacle
	case g.water.has(square):
		return env.Water
	case g.low.has(square):
		return env.LowObstacle
	case g.hedges.has(square):
		return env.Hedge
	}
	return env.Plain
}

// status says whose turn it is or how the game ended.
func (s *State) status() string {
	switch {
	case s.reason == env.NoReason:
		return playerNames[s.next&1] + " to move"
	case s.result == 0:
		return fmt.Sprintf("drawn (%v)", s.reason)
	case s.result == env.WinFor(env.First):
		return fmt.Sprintf("%s won (%v)", playerNames[env.First], s.reason)
	}
	return fmt.Sprintf("%s won (%v)", playerNames[env.Second], s.reason)
}
