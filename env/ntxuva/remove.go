package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove takes one seed out of a house.
func (s *State) Remove(p env.Piece) error { return engine.Remove(s, p, s.describe, s.without) }

func (s *State) describe(p env.Piece) string {
	return fmt.Sprintf("a seed of %s's house %d", s.game.spec.Players[p.Owner], int(p.ID)-int(p.Owner)*s.game.houses)
}

func (s *State) without(p env.Piece) (env.State, error) {
	g := s.game
	house := int(p.ID) - int(p.Owner)*g.houses
	without := g.NewStates(1)[0].(*State)
	without.houses, without.player, without.quiet, without.plies = s.houses, s.player, 0, s.plies
	without.houses[p.Owner].add(g.at[house], -1)
	without.begin()
	return without, nil
}
