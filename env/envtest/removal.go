package envtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// checkRemoval removes each piece in turn from the start position, and one piece
// from each of several other positions of the corpus. If Remove refuses, the state
// must be unchanged. Otherwise the board must have one piece less, the game must be
// running, and the state must equal its position text. Remove must refuse a piece
// that is not on the board.
func checkRemoval(s *Subject) error {
	r := env.NewRand(14)
	return s.walk(11, func(at spot) error {
		if _, removes := at.state.(env.Remover); !removes {
			return nil
		}
		listed := pieces(at.state)
		victims := listed
		if len(listed) > 0 && at.line+at.ply > 0 {
			i := r.IntN(len(listed))
			victims = listed[i : i+1]
		}
		for _, p := range victims {
			if err := s.removalFault(r, at.state, p); err != nil {
				return fmt.Errorf("without %+v: %w", p, err)
			}
		}
		if at.ply > 0 {
			return nil
		}
		return s.strangerFault(at.state, listed)
	})
}

func (s *Subject) removalFault(r *env.Rand, state env.State, p env.Piece) error {
	victim, read := env.NewState(s.game), env.NewState(s.game)
	victim.CopyFrom(state)
	before := s.portray(victim)
	refused := victim.(env.Remover).Remove(p)
	after := s.portray(victim)
	switch {
	case refused != nil:
		return before.differs(after)
	case p.Wreck || before.player == env.NoPlayer:
		return errors.New("a wreck, or a piece of a game that is over, is removed")
	case after.player != before.player:
		return fmt.Errorf("player %d was to move and player %d is", before.player, after.player)
	}
	want := slices.Clone(before.pieces)
	i := slices.Index(want, p)
	if want[i].Count--; want[i].Count == 0 {
		want = slices.Delete(want, i, i+1)
	}
	if !slices.Equal(anonymous(want), anonymous(after.pieces)) {
		return fmt.Errorf("pieces are %v", after.pieces)
	}
	if err := read.SetPosition(after.text); err != nil {
		return err
	}
	if err := after.differs(s.portray(read)); err != nil {
		return fmt.Errorf("a state and what its text says: %w", err)
	}
	if err := s.playOn(r, 20, victim, read); err != nil {
		return fmt.Errorf("a state and what its text says, played on: %w", err)
	}
	return nil
}

// strangerFault demands that pieces which are not listed are refused.
func (s *Subject) strangerFault(state env.State, listed []env.Piece) error {
	victim := env.NewState(s.game)
	victim.CopyFrom(state)
	strangers := []env.Piece{{}, {Type: -1, Square: -1}, {Type: 99, ID: 99, Square: 999, Owner: 9, Count: 1}}
	for _, p := range listed {
		p.Owner ^= 1
		strangers = append(strangers, p)
	}
	before := s.portray(victim)
	for _, p := range strangers {
		if slices.Contains(listed, p) {
			continue
		}
		if victim.(env.Remover).Remove(p) == nil {
			return fmt.Errorf("a piece that is not on the board is removed: %+v", p)
		}
		if err := before.differs(s.portray(victim)); err != nil {
			return fmt.Errorf("refusing %+v: %w", p, err)
		}
	}
	return nil
}
