package tankbattle

import (
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
	g := s.game
	without := position{board: emptyBoard(), Turn: engine.Turn{Next: s.Next, Plies: s.Plies}}
	for square := range g.terrain.squares() {
		without.board[square] = s.at(square)
	}
	without.board[p.Square] = vacant
	if err := g.terrain.number(&without.board); err != nil {
		return nil, fmt.Errorf("the board %w", err)
	}
	trial := env.NewState(g).(*State)
	trial.set(&without)
	return trial, nil
}
