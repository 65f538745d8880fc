package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
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
			cell.Reach = int8(g.longest)
		}
		d.Cells = append(d.Cells, cell)
	}
	d.Caption = append(d.Caption[:0], s.status(), fmt.Sprintf("score: White %d, Black %d", s.Points(env.First), s.Points(env.Second)))
	if top := g.rules.NoProgress; top > 0 {
		d.Caption = append(d.Caption, fmt.Sprintf("plies without progress: %d of %d", s.quiet, top))
	}
	if top := g.rules.Repetition; top > 0 && s.history.Times() > 1 {
		d.Caption = append(d.Caption, fmt.Sprintf("position occurred %d times of %d", s.history.Times(), top))
	}
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

// status says whose turn it is or how the game ended.
func (s *State) status() string {
	switch {
	case s.reason == env.NoReason:
		return playerNames[s.next&1] + " to move"
	case s.result == 0:
		return fmt.Sprintf("drawn (%v)", s.reason)
	}
	winner := env.First
	if s.result < 0 {
		winner = env.Second
	}
	return fmt.Sprintf("%s won (%v)", playerNames[winner], s.reason)
}
