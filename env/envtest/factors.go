package envtest

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// checkActionFactors demands that the first factor of a legal action leads to a piece of
// the mover: to its square, or to the slot plane in which the mover sees it. The events of
// the action must begin there.
func checkActionFactors(s *Subject) error {
	traced := env.NewState(s.game)
	seen := make([]uint8, s.spec.ObservationSize())
	var tuple []int
	return s.walk(7, func(at spot) error {
		mover := at.state.Player()
		if mover == env.NoPlayer {
			return nil
		}
		at.state.Observe(seen, mover)
		for _, a := range at.legal {
			if tuple = s.spec.Factors(tuple[:0], a); len(tuple) == 0 {
				continue
			}
			square, err := s.actingSquare(tuple[0], seen)
			if err != nil {
				return fmt.Errorf("action %d: %w", a, err)
			}
			if !s.pieceAt(at.state, mover, square) {
				return fmt.Errorf("action %d has factors %v, but no piece of the mover stands on square %d of the mover's frame", a, tuple, square)
			}
		}
		return s.actionsBegin(at, traced, seen)
	})
}

// actingSquare returns the square in the mover's frame to which the first number of a
// tuple leads, given what the mover sees.
func (s *Subject) actingSquare(first int, seen []uint8) (int, error) {
	if squares := s.spec.ActionFactors[0].Squares; squares != nil {
		return int(squares[first]), nil
	}
	area := s.spec.Width * s.spec.Height
	plane := seen[int(s.spec.SlotPlanes[first])*area:][:area]
	square := slices.Index(plane, 1)
	if square < 0 || slices.Contains(plane[square+1:], 1) {
		return 0, fmt.Errorf("the plane of slot %d must have a single 1", first)
	}
	return square, nil
}

// pieceAt reports whether a player has a piece on a square of the player's frame, which
// is assumed of games that do not list their pieces.
func (s *Subject) pieceAt(state env.State, p env.Player, square int) bool {
	if _, lists := state.(env.PieceLister); !lists {
		return true
	}
	absolute := int16(s.spec.Frame(p, square))
	return slices.ContainsFunc(pieces(state), func(piece env.Piece) bool { return piece.Owner == p && piece.Square == absolute })
}

// actionsBegin demands of some legal actions that their first event is where the first
// factor leads.
func (s *Subject) actionsBegin(at spot, traced env.State, seen []uint8) error {
	tracer, ok := traced.(env.Tracer)
	if !ok {
		return nil
	}
	mover := at.state.Player()
	for _, a := range spread(at.legal, 24) {
		tuple := s.spec.Factors(nil, a)
		if len(tuple) == 0 {
			continue
		}
		square, err := s.actingSquare(tuple[0], seen)
		if err != nil {
			return fmt.Errorf("action %d: %w", a, err)
		}
		traced.CopyFrom(at.state)
		events := tracer.Trace(a, nil)
		if len(events) == 0 || int(events[0].From) != s.spec.Frame(mover, square) {
			return fmt.Errorf("action %d has factors %v, which lead to square %d of the mover's frame, but its events are %+v", a, tuple, square, events)
		}
	}
	return nil
}
