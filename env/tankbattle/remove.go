package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// without returns the position without a living piece.
func (s *State) without(p env.Piece) (without position, err error) {
	g := s.game
	without = position{board: vacantBoard(), Turn: engine.Turn{Next: s.Next, Plies: s.Plies}}
	for square := range g.terrain.squares() {
		without.board[square] = s.at(square)
	}
	without.board[p.Square] = vacant
	return without, g.terrain.number(&without.board)
}

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error {
	trial := env.NewState(s.game).(*State)
	return engine.Remove(s, trial, p, engine.NameOn(&s.game.spec), s.without, trial.set)
}
