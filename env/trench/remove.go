package trench

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error { return engine.Remove(s, p, s.describe, s.without) }

// describe returns what people call a piece.
func (s *State) describe(p env.Piece) string {
	return fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], s.game.spec.Pieces[p.Type].Name, s.game.rays.SquareName(int(p.Square)))
}

// without returns a state at the position without a living piece.
func (s *State) without(p env.Piece) (env.State, error) {
	if p.Type == general && s.game.rules.GeneralWins {
		return nil, errors.New("it cannot be missing, since its capture wins")
	}
	without := position{board: s.board, mover: s.next, points: s.points, counters: engine.Counters{Plies: s.counters.Plies}}
	without.board[p.Square] = vacant
	if err := without.board.number(); err != nil {
		return nil, fmt.Errorf("the board %w", err)
	}
	trial := env.NewState(s.game).(*State)
	trial.set(&without)
	return trial, nil
}
