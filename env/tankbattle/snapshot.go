package tankbattle

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env/engine"
)

// store appends what a snapshot holds between its head and its past, little-endian:
//
//	n² bytes  board of size n, an id for each square
//	1 byte    player whose turn it is
func (s *State) store(dst []byte) []byte {
	for square := range s.game.terrain.squares() {
		dst = append(dst, s.at(square))
	}
	return append(dst, byte(s.Next))
}

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	return s.game.head.Append(dst, s.store, &s.Base), nil
}

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error { return s.game.head.Restore(data, s.restore) }

func (s *State) restore(body []byte) (err error) {
	squares := s.game.terrain.squares()
	if len(body) < squares+1 {
		return errors.New("the board is cut off")
	}
	p := position{board: vacantBoard()}
	copy(p.board[:], body[:squares])
	if err := s.game.terrain.check(&p.board); err != nil {
		return err
	}
	if p.Next, err = engine.RestorePlayer(body[squares]); err != nil {
		return err
	}
	if err := engine.RestorePast(body[squares+1:], &p.Turn, &s.History); err != nil {
		return err
	}
	s.lay(&p)
	s.judge()
	return nil
}

// check reports whether every id belongs to a piece of the armies, once, and may
// stand there.
func (t *terrain) check(b *board) error {
	var seen [ids]bool
	for square, piece := range b[:t.squares()] {
		if piece == vacant {
			continue
		}
		if piece >= ids || numberOf(piece) >= t.base[ownerOf(piece)].len() || seen[piece] {
			return fmt.Errorf("square %s holds %#x, which is not a piece or stands on another square too", t.name(square), piece)
		}
		if err := t.standing(piece, square); err != nil {
			return err
		}
		seen[piece] = true
	}
	return nil
}
