package tankchess

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sandtable-farm/sandtable/env"
)

// A snapshot is, little-endian:
//
//	4 bytes   "TNKC"
//	1 byte    snapshotVersion
//	16 bytes  fingerprint of the rules
//	8s bytes  White's pieces and Black's, for each of s slots: square (2 bytes), facing, fate
//	1 byte    player whose turn it is
//	1 byte    1 when the last ply may have been the Command Tank's, else 0
//	8 bytes   quiet plies, plies
//	4 bytes   occurrences of the position
//	4 bytes   number n of keys in the history
//	8n bytes  the history
//	4 bytes   CRC-32 (Castagnoli) of what stands before
const (
	snapshotMark    = "TNKC"
	snapshotVersion = 1
	snapshotHead    = len(snapshotMark) + 1 + 16
	tankBytes       = 4
	numbersBytes    = 1 + 1 + 8 + 4 + 4
)

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, snapshotMark...)
	dst = append(dst, snapshotVersion)
	dst = append(dst, s.game.fingerprint[:]...)
	for owner := range s.tanks {
		for _, t := range s.tanks[owner][:len(s.game.slots)] {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(t.square))
			dst = append(dst, byte(t.facing), byte(t.fate))
		}
	}
	dst = append(dst, byte(s.next), byte(flag(s.commandMoved)))
	for _, n := range [...]int32{s.quiet, s.plies, s.times, int32(len(s.history))} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	for _, key := range s.history {
		dst = binary.LittleEndian.AppendUint64(dst, key)
	}
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[begin:])), nil
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error {
	if err := s.restore(data); err != nil {
		return fmt.Errorf("tankchess snapshot: %w", err)
	}
	return nil
}

func (s *State) restore(data []byte) error {
	g := s.game
	if len(data) < snapshotHead+4 || string(data[:len(snapshotMark)]) != snapshotMark {
		return errors.New("these bytes are no whole snapshot of Tank Chess")
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if version := body[len(snapshotMark)]; version != snapshotVersion {
		return fmt.Errorf("version is %d, must be %d", version, snapshotVersion)
	}
	if checksum(body) != sum {
		return errors.New("the checksum is wrong: the bytes are damaged")
	}
	if [16]byte(body[len(snapshotMark)+1:]) != g.fingerprint {
		return fmt.Errorf("it belongs to other rules than %s", g.spec.Name)
	}
	body = body[snapshotHead:]
	army := len(g.slots) * tankBytes
	if len(body) < 2*army+numbersBytes {
		return fmt.Errorf("%d bytes of position, must be at least %d", len(body), 2*army+numbersBytes)
	}
	var p position
	for owner := range p.tanks {
		if err := g.restoreArmy(&p.tanks[owner], body[owner*army:][:army]); err != nil {
			return err
		}
	}
	body = body[2*army:]
	if body[0] > 1 || body[1] > 1 {
		return fmt.Errorf("player to move and kind of the last ply are %d and %d, must be 0 or 1", body[0], body[1])
	}
	p.mover = env.Player(body[0])
	if err := g.check(&p); err != nil {
		return err
	}
	return s.restoreNumbers(&p, body[1] == 1, body[2:])
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
			return fmt.Errorf("slot %d holds square %d, facing %d and fate %d, which is no piece", slot, t.square, t.facing, t.fate)
		case t.fate != living && t.facing != env.N, (t.fate == absent || t.fate == gone) && t.square != 0:
			return fmt.Errorf("slot %d has a place or a facing for a piece that has none", slot)
		}
		tanks[slot] = t
	}
	return nil
}

// restoreNumbers sets up a position that has been reached through a history.
func (s *State) restoreNumbers(p *position, commandMoved bool, data []byte) error {
	var numbers [4]int32
	for i := range numbers {
		n := binary.LittleEndian.Uint32(data[4*i:])
		if n > 1<<31-1 {
			return fmt.Errorf("number %d is %d, which is too great", i+1, n)
		}
		numbers[i] = int32(n)
	}
	p.quiet, p.plies = numbers[0], numbers[1]
	keys := data[4*len(numbers):]
	if len(keys) != 8*int(numbers[3]) || int(numbers[3]) > s.game.historySize {
		return fmt.Errorf("%d keys are announced, %d bytes follow, at most %d keys fit", numbers[3], len(keys), s.game.historySize)
	}
	s.set(p)
	s.forget()
	for ; len(keys) > 0; keys = keys[8:] {
		key := binary.LittleEndian.Uint64(keys)
		s.seen.visit(key)
		s.history = append(s.history, key)
	}
	s.times, s.commandMoved = numbers[2], commandMoved
	s.result, s.reason = 0, env.NoReason
	s.judge()
	return nil
}
