package openings

import (
	"errors"
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
	return inTurn(without), nil
}

// inTurn returns the positions of both players in turn, piece by piece. A player with
// fewer of them starts again with the first.
func inTurn(by [2][]string) []string {
	var starts []string
	for i := range max(len(by[0]), len(by[1])) {
		for _, list := range by {
			starts = append(starts, list[i%len(list)])
		}
	}
	return starts
}

// WithoutLast returns the start positions in which one player has a single piece of a type
// and the other has none, in the order of [Without]: all other pieces of the type are
// missing from both sides. The single piece is each piece of the type in turn. It returns
// an error if a player has fewer than two pieces of the type at the start, or if they are
// seeds.
func WithoutLast(v *variant.Variant, kind int) ([]string, error) {
	spec := v.Game.Spec()
	if spec.Pieces[kind].MaxCount > 1 {
		return nil, errors.New("its pieces are seeds, which have no last piece")
	}
	var own [2][]env.Piece
	for player := range own {
		list, err := piecesOf(v.Game, env.Player(player), kind)
		if err != nil {
			return nil, err
		}
		if len(list) < 2 {
			return nil, fmt.Errorf("%s has %d of them at the start, must have two or more", spec.Players[player], len(list))
		}
		own[player] = list
	}
	var without [2][]string
	for i := range max(len(own[0]), len(own[1])) {
		for player := range own {
			text, err := withOnly(v.Game, own, env.Player(player).Opponent(), i)
			if err != nil {
				return nil, err
			}
			without[player] = append(without[player], text)
		}
	}
	return inTurn(without), nil
}

// withOnly returns the start position without all listed pieces except number i of a player.
func withOnly(game env.Game, own [2][]env.Piece, player env.Player, i int) (string, error) {
	state := env.NewState(game)
	kept := own[player][i%len(own[player])].Square
	for owner, list := range own {
		for _, p := range list {
			if env.Player(owner) == player && p.Square == kept {
				continue
			}
			// The ids of pieces change with each removal.
			for _, now := range state.(env.PieceLister).Pieces(nil) {
				if now.Square != p.Square || now.Wreck {
					continue
				}
				if err := state.(env.Remover).Remove(now); err != nil {
					return "", err
				}
				break
			}
		}
	}
	return env.PositionText(state), nil
}

// positionsWithout returns the start positions without each of a player's pieces of a
// type.
func positionsWithout(game env.Game, player env.Player, kind int) ([]string, error) {
	pieces, err := piecesOf(game, player, kind)
	if err != nil {
		return nil, err
	}
	start := env.NewState(game)
	var texts []string
	for _, p := range pieces {
		start.Reset()
		if err := start.(env.Remover).Remove(p); err != nil {
			return nil, err
		}
		texts = append(texts, env.PositionText(start))
	}
	return texts, nil
}

// piecesOf returns a player's pieces of a type at the start, in the order of their squares
// as the player sees the board. The error says that pieces of the game cannot be removed.
func piecesOf(game env.Game, player env.Player, kind int) ([]env.Piece, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, lists := start.(env.PieceLister)
	if _, removes := start.(env.Remover); !lists || !removes {
		return nil, fmt.Errorf("pieces of %s cannot be removed", spec.Game)
	}
	pieces := slices.DeleteFunc(lister.Pieces(nil), func(p env.Piece) bool { return p.Owner != player || int(p.Type) != kind })
	slices.SortFunc(pieces, func(a, b env.Piece) int { return spec.Frame(player, int(a.Square)) - spec.Frame(player, int(b.Square)) })
	return pieces, nil
}
