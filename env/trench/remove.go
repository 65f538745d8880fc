package trench

import (
	"errors"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// without returns the position without a living piece.
func (s *State) without(p env.Piece) (without position, err error) {
	if p.Type == general && s.game.rules.GeneralWins {
		return without, errors.New("it cannot be missing, since its capture wins")
	}
	without = position{board: s.board, Turn: engine.Turn{Next: s.Next, Plies: s.Plies}, points: s.points}
	without.board[p.Square] = vacant
	return without, without.board.number()
}

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error {
	trial := env.NewState(s.game).(*State)
	return engine.Remove(s, trial, p, engine.NameOn(&s.game.spec), s.without, trial.set)
}
