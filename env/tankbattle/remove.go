package tankbattle

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
	without := position{board: emptyBoard(), mover: s.next, plies: s.plies}
	for square := range g.terrain.squares() {
		without.board[square] = s.at(square)
	}
	without.board[p.Square] = vacant
	if err := g.terrain.number(&without.board); err != nil {
		return fmt.Errorf("remove: the board %w", err)
	}
	trial := g.NewStates(1)[0].(*State)
	trial.set(&without)
	name := fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], typeNames[p.Type], g.terrain.name(int(p.Square)))
	if err := env.FinishRemoval(s, trial, name); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	return nil
}
