package tankbattle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sandtable-farm/sandtable/env"
)

// A snapshot is, little-endian:
//
//	4 bytes   "TKBT"
//	1 byte    snapshotVersion
//	16 bytes  fingerprint of the rules
//	n² bytes  board of size n, an id for each square
//	1 byte    player whose turn it is
//	8 bytes   quiet plies, plies
//	4 bytes   occurrences of the position
//	4 bytes   number k of keys in the history
//	8k bytes  the history
//	4 bytes   CRC-32 (Castagnoli) of what stands before
const (
	snapshotMark    = "TKBT"
	snapshotVersion = 1
	snapshotHead    = len(snapshotMark) + 1 + 16
	snapshotTail    = 1 + 8 + 4 + 4
)

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, snapshotMark...)
	dst = append(dst, snapshotVersion)
	dst = append(dst, s.game.fingerprint[:]...)
	for square := range s.game.terrain.squares() {
		dst = append(dst, s.at(square))
	}
	dst = append(dst, byte(s.next))
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
		return fmt.Errorf("tankbattle snapshot: %w", err)
	}
	return nil
}

func (s *State) restore(data []byte) error {
	if len(data) < snapshotHead+snapshotTail+4 || string(data[:len(snapshotMark)]) != snapshotMark {
		return errors.New("these bytes are no whole snapshot of Tank Battle")
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if version := body[len(snapshotMark)]; version != snapshotVersion {
		return fmt.Errorf("version is %d, must be %d", version, snapshotVersion)
	}
	if checksum(body) != sum {
		return errors.New("the checksum is wrong: the bytes are damaged")
	}
	body = body[len(snapshotMark)+1:]
	if [16]byte(body) != s.game.fingerprint {
		return fmt.Errorf("it belongs to other rules than %s", s.game.spec.Name)
	}
	body = body[16:]
	squares := s.game.terrain.squares()
	if len(body) < squares+snapshotTail {
		return errors.New("it ends too early")
	}
	p := position{board: emptyBoard()}
	copy(p.board[:], body[:squares])
	if err := s.game.terrain.check(&p.board); err != nil {
		return err
	}
	body = body[squares:]
	p.mover = env.Player(body[0])
	if p.mover != env.First && p.mover != env.Second {
		return fmt.Errorf("player to move is %d, must be 0 or 1", p.mover)
	}
	var numbers [4]int32
	for i := range numbers {
		n := binary.LittleEndian.Uint32(body[1+4*i:])
		if n > 1<<31-1 {
			return fmt.Errorf("number %d is %d, which is too great", i+1, n)
		}
		numbers[i] = int32(n)
	}
	p.quiet, p.plies = numbers[0], numbers[1]
	keys := body[snapshotTail:]
	if len(keys) != 8*int(numbers[3]) || int(numbers[3]) > s.game.historySize {
		return fmt.Errorf("%d keys are announced, %d bytes follow, at most %d keys fit", numbers[3], len(keys), s.game.historySize)
	}
	s.resume(&p, numbers[2], keys)
	return nil
}

// resume sets up a position that has been reached through the history in keys.
func (s *State) resume(p *position, times int32, keys []byte) {
	s.set(p)
	s.forget()
	for ; len(keys) > 0; keys = keys[8:] {
		key := binary.LittleEndian.Uint64(keys)
		s.seen.visit(key)
		s.history = append(s.history, key)
	}
	s.times = times
	s.result, s.reason = 0, env.NoReason
	s.judge()
}

// check tells whether every id belongs to a piece that there is, once, and that
// may stand there.
func (t *terrain) check(b *board) error {
	var seen [ids]bool
	for square, piece := range b[:t.squares()] {
		if piece == vacant {
			continue
		}
		if piece >= ids || numberOf(piece) >= t.base[ownerOf(piece)].len() || seen[piece] {
			return fmt.Errorf("square %s holds %#x, which is no piece or a second one", t.name(square), piece)
		}
		if err := t.standing(piece, square); err != nil {
			return err
		}
		seen[piece] = true
	}
	return nil
}
