package openings

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Without returns the start positions without one piece of a type, given by its index in
// the game's Spec: of the first player and of the second in turn, piece by piece. The
// pieces of a player are in the order of their squares as the player sees the board. A
// player with fewer of them starts again with the first. In a game of seeds a piece is one
// seed of a house.
func Without(v *variant.Variant, kind int) ([]string, error) {
	spec := v.Game.Spec()
	var without [2][]string
	for player := env.First; player <= env.Second; player++ {
		list, err := positionsWithout(v.Game, player, kind)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s has no such piece", spec.Players[player])
		}
		without[player] = list
	}
	var starts []string
	for i := range max(len(without[0]), len(without[1])) {
		for _, list := range without {
			starts = append(starts, list[i%len(list)])
		}
	}
	return starts, nil
}

// positionsWithout returns the start positions without each of a player's pieces of a
// type.
func positionsWithout(game env.Game, player env.Player, kind int) ([]string, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, lists := start.(env.PieceLister)
	remover, removes := start.(env.Remover)
	if !lists || !removes {
		return nil, fmt.Errorf("pieces of %s cannot be removed", spec.Game)
	}
	pieces := slices.DeleteFunc(lister.Pieces(nil), func(p env.Piece) bool { return p.Owner != player || int(p.Type) != kind })
	slices.SortFunc(pieces, func(a, b env.Piece) int { return spec.Frame(player, int(a.Square)) - spec.Frame(player, int(b.Square)) })
	var texts []string
	for _, p := range pieces {
		start.Reset()
		if err := remover.Remove(p); err != nil {
			return nil, err
		}
		texts = append(texts, env.PositionText(start))
	}
	return texts, nil
}
