package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Remove implements env.Remover. Without returns the position without p, or the reason
// why p cannot be missing. Set sets it up in trial, another state of the same game.
// Name is what people call p; see NameOn. All are called only when p is a living piece
// of s.
func Remove[P any](s, trial env.State, p env.Piece, name func(env.Piece) string, without func(env.Piece) (P, error), set func(*P)) error {
	if err := checkRemoval(s, p); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	position, err := without(p)
	if err != nil {
		return fmt.Errorf("remove %s: %w", name(p), err)
	}
	if set(&position); trial.Player() == env.NoPlayer {
		result, reason := trial.Result()
		return fmt.Errorf("remove %s: the game would be over: %v, %v", name(p), result, reason)
	}
	s.CopyFrom(trial)
	return nil
}

// checkRemoval returns why p cannot be removed from a state of any game, or nil.
func checkRemoval(s env.State, p env.Piece) error {
	lister, lists := s.(env.PieceLister)
	switch {
	case !lists:
		return errors.New("the game does not list its pieces")
	case s.Player() == env.NoPlayer:
		return errors.New("the game is over")
	case !slices.Contains(lister.Pieces(nil), p):
		return fmt.Errorf("the board does not have the piece %+v", p)
	case p.Wreck:
		return fmt.Errorf("the piece is a wreck: %+v", p)
	}
	return nil
}

// NameOn returns the function that names a piece by its owner, type and square.
func NameOn(spec *env.Spec) func(env.Piece) string {
	return func(p env.Piece) string {
		square := env.AppendSquare(nil, int(p.Square), spec.Width)
		return fmt.Sprintf("%s's %s on %s", spec.Players[p.Owner], spec.Pieces[p.Type].Name, square)
	}
}
