package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove implements env.Remover. It takes one seed out of a house.
func (s *State) Remove(p env.Piece) error {
	trial := env.NewState(s.game).(*State)
	return engine.Remove(s, trial, p, s.describe, s.without, trial.set)
}

// describe returns what people call the seed that is removed.
func (s *State) describe(p env.Piece) string {
	return fmt.Sprintf("a seed of %s's house %d", playerNames[p.Owner], s.game.houseOfPiece(p))
}

// without returns the position without a seed of a house.
func (s *State) without(p env.Piece) (without position, err error) {
	without = position{houses: s.houses, Turn: engine.Turn{Next: s.Next, Plies: s.Plies}}
	without.houses[p.Owner].add(s.game.at[s.game.houseOfPiece(p)], -1)
	return without, nil
}
