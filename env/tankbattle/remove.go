package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove implements env.Remover.
func (s *State) Remove(p env.Piece) error { return engine.Remove(s, p, s.describe, s.without) }

// describe returns what people call a piece.
func (s *State) describe(p env.Piece) string {
	return fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], typeNames[p.Type], s.game.terrain.name(int(p.Square)))
}

// without returns a state at the position without a living piece.
func (s *State) without(p env.Piece) (env.State, error) {
	g := s.game
	without := position{board: emptyBoard(), mover: s.next, counters: engine.Counters{Plies: s.counters.Plies}}
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
