package env

import (
	"errors"
	"fmt"
	"slices"
)

// CheckRemoval tells why p cannot be removed from a state of any game, or nil: the
// game is over, or p is not one of its living pieces.
func CheckRemoval(s State, p Piece) error {
	lister, lists := s.(PieceLister)
	switch {
	case !lists:
		return errors.New("the game lists no pieces")
	case s.Player() == NoPlayer:
		return errors.New("the game is over")
	case !slices.Contains(lister.Pieces(nil), p):
		return fmt.Errorf("there is no such piece on the board: %+v", p)
	case p.Wreck:
		return fmt.Errorf("it is a wreck: %+v", p)
	}
	return nil
}

// FinishRemoval makes s equal to without, a state of the same game at the position
// without the piece, which name tells to people. It fails if the game is over there.
func FinishRemoval(s, without State, name string) error {
	if without.Player() == NoPlayer {
		result, reason := without.Result()
		return fmt.Errorf("without %s the game would be over: %v, %v", name, result, reason)
	}
	s.CopyFrom(without)
	return nil
}
