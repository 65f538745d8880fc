package trench

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error {
	return engine.Remove(s, p, engine.NameOn(&s.game.spec), s.without)
}

// without returns a state at the position without a living piece.
func (s *State) without(p env.Piece) (env.State, error) {
	if p.Type == general && s.game.rules.GeneralWins {
		return nil, errors.New("it cannot be missing, since its capture wins")
	}
	without := position{board: s.board, Turn: engine.Turn{Next: s.Next, Plies: s.Plies}, points: s.points}
	without.board[p.Square] = vacant
	if err := without.board.number(); err != nil {
		return nil, fmt.Errorf("the board %w", err)
	}
	trial := env.NewState(s.game).(*State)
	trial.set(&without)
	return trial, nil
}
