package tankchess

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

const tankBytes = 4

// store appends what a snapshot holds between its head and its past, little-endian:
//
//	8s bytes  White's pieces and Black's, for each of s slots: square (2 bytes), facing, fate
//	1 byte    player to move
//	1 byte    1 when the last ply may have been the Command Tank's, else 0
func (s *State) store(dst []byte) []byte {
	for owner := range s.tanks {
		for _, t := range s.tanks[owner][:len(s.game.slots)] {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(t.square))
			dst = append(dst, byte(t.facing), byte(t.fate))
		}
	}
	return append(dst, byte(s.Next), engine.Flag(s.commandMoved))
}

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	return s.game.head.Append(dst, s.store, &s.Base), nil
}

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error { return s.game.head.Restore(data, s.restore) }

func (s *State) restore(body []byte) (err error) {
	g := s.game
	army := len(g.slots) * tankBytes
	if len(body) < 2*army+2 {
		return errors.New("the pieces are incomplete")
	}
	var p position
	for owner := range p.tanks {
		if err := g.restoreArmy(&p.tanks[owner], body[owner*army:][:army]); err != nil {
			return err
		}
	}
	body = body[2*army:]
	if p.Next, err = engine.RestorePlayer(body[0]); err != nil {
		return err
	}
	if body[1] > 1 {
		return fmt.Errorf("flag of the last ply is %d, must be 0 or 1", body[1])
	}
	if err := g.check(&p); err != nil {
		return err
	}
	if err := engine.RestorePast(body[2:], &p.Turn, &s.History); err != nil {
		return err
	}
	s.lay(&p)
	s.commandMoved = body[1] == 1
	s.judge()
	return nil
}

func (g *Game) restoreArmy(tanks *[maxSlots]tank, data []byte) error {
	for slot := range g.slots {
		t := tank{
			square: int16(binary.LittleEndian.Uint16(data[tankBytes*slot:])),
			facing: env.Direction(data[tankBytes*slot+2]),
			fate:   fate(data[tankBytes*slot+3]),
		}
		switch {
		case t.fate > gone || t.facing > env.NW || t.square < 0 || int(t.square) >= g.squares:
			return fmt.Errorf("slot %d has square %d, facing %d and fate %d, which do not make a piece", slot, t.square, t.facing, t.fate)
		case t.fate != living && t.facing != env.N, (t.fate == absent || t.fate == gone) && t.square != 0:
			return fmt.Errorf("slot %d has a square or a facing, which its piece must not have", slot)
		}
		tanks[slot] = t
	}
	return nil
}
