package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Remove takes one seed out of a house.
func (s *State) Remove(p env.Piece) error {
	if err := env.CheckRemoval(s, p); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	g := s.game
	house := int(p.ID) - int(p.Owner)*g.houses
	without := g.NewStates(1)[0].(*State)
	without.houses, without.player, without.quiet, without.plies = s.houses, s.player, 0, s.plies
	without.houses[p.Owner].add(g.at[house], -1)
	without.begin()
	name := fmt.Sprintf("a seed of %s's house %d", g.spec.Players[p.Owner], house)
	if err := env.FinishRemoval(s, without, name); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	return nil
}
