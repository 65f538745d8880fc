package trench

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
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
	if top := g.rules.NoProgress; top > 0 {
		d.Caption = append(d.Caption, fmt.Sprintf("plies without a capture: %d of %d", s.quiet, top))
	}
	if top := g.rules.Repetition; top > 0 && s.history.Times() > 1 {
		d.Caption = append(d.Caption, fmt.Sprintf("position occurred %d times of %d", s.history.Times(), top))
	}
	if top := g.rules.MovesEach; top > 0 {
		d.Caption = append(d.Caption, fmt.Sprintf("plies played: %d of %d", s.plies, 2*top))
	}
}

// grounds are the zones of Black's frame, which is the board as it is.
var grounds = [zones]env.Ground{ownLand: env.FirstLand, trench: env.Trench, enemyLand: env.SecondLand}

// status says whose turn it is or how the game ended.
func (s *State) status() string {
	switch {
	case s.reason == env.NoReason && s.pending():
		return "White to move, the last move"
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
