package handicap

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Types returns the names of the piece types of which both sides have pieces that
// can be missing at the start, one at a time.
func Types(v *variant.Variant) []string {
	var names []string
	for kind, piece := range v.Game.Spec().Pieces {
		if _, err := startsWithout(v, kind); err == nil {
			names = append(names, piece.Name)
		}
	}
	return names
}

// startsWithout returns the start positions without a piece of a type: of the first
// player and of the second in turn.
func startsWithout(v *variant.Variant, kind int) ([]string, error) {
	spec := v.Game.Spec()
	var without [2][]string
	for player := env.First; player <= env.Second; player++ {
		list, err := positionsWithout(v.Game, player, kind)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s has none", spec.Players[player])
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

// positionsWithout returns the start positions without each of a player's pieces of a type,
// in the order of their squares as the player sees them.
func positionsWithout(game env.Game, player env.Player, kind int) ([]string, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, lists := start.(env.PieceLister)
	remover, removes := start.(env.Remover)
	if !lists || !removes {
		return nil, fmt.Errorf("%s has no pieces that can be removed", spec.Game)
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
