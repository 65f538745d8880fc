package trench

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error {
	if err := env.CheckRemoval(s, p); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	g := s.game
	name := fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], g.spec.Pieces[p.Type].Name, env.AppendSquare(nil, int(p.Square), width))
	if p.Type == general && g.rules.GeneralWins {
		return fmt.Errorf("remove: %s cannot be missing, since its capture wins", name)
	}
	without := position{board: s.board, mover: s.next, points: s.points, plies: s.plies}
	without.board[p.Square] = vacant
	if err := without.board.number(); err != nil {
		return fmt.Errorf("remove: the board %w", err)
	}
	trial := g.NewStates(1)[0].(*State)
	trial.set(&without)
	if err := env.FinishRemoval(s, trial, name); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	return nil
}
