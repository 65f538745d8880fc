package trench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/sandtable-farm/sandtable/env"
)

// A snapshot is, little-endian:
//
//	4 bytes   "TRCH"
//	1 byte    snapshotVersion
//	16 bytes  fingerprint of the rules
//	64 bytes  board, a code for each square
//	1 byte    player whose turn it is
//	16 bytes  Black's points, White's points, quiet plies, plies
//	4 bytes   occurrences of the position
//	4 bytes   number n of keys in the history
//	8n bytes  the history
//	4 bytes   CRC-32 (Castagnoli) of what stands before
const (
	snapshotMark    = "TRCH"
	snapshotVersion = 1
	snapshotFixed   = len(snapshotMark) + 1 + 16 + squares + 1 + 16 + 4 + 4
)

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, snapshotMark...)
	dst = append(dst, snapshotVersion)
	dst = append(dst, s.game.fingerprint[:]...)
	dst = append(dst, s.board[:]...)
	dst = append(dst, byte(s.next))
	for _, n := range [...]int32{s.points[0], s.points[1], s.quiet, s.plies, s.times, int32(len(s.history))} {
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
		return fmt.Errorf("trench snapshot: %w", err)
	}
	return nil
}

func (s *State) restore(data []byte) error {
	if len(data) < snapshotFixed+4 || string(data[:len(snapshotMark)]) != snapshotMark {
		return errors.New("these bytes are no whole snapshot of Trench")
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
	p := position{board: board(body), mover: env.Player(body[squares])}
	if err := p.board.check(); err != nil {
		return err
	}
	var numbers [6]int32
	for i := range numbers {
		n := binary.LittleEndian.Uint32(body[squares+1+4*i:])
		if n > 1<<31-1 {
			return fmt.Errorf("number %d is %d, which is too great", i+1, n)
		}
		numbers[i] = int32(n)
	}
	p.points, p.quiet, p.plies = [2]int32(numbers[:2]), numbers[2], numbers[3]
	keys := body[squares+1+4*len(numbers):]
	if p.mover != env.First && p.mover != env.Second {
		return fmt.Errorf("player to move is %d, must be 0 or 1", p.mover)
	}
	if len(keys) != 8*int(numbers[5]) || int(numbers[5]) > s.game.historySize {
		return fmt.Errorf("%d keys are announced, %d bytes follow, at most %d keys fit", numbers[5], len(keys), s.game.historySize)
	}
	s.resume(&p, numbers[4], keys)
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

// check tells whether every code belongs to a piece that there is, once.
func (b *board) check() error {
	var seen [2 * armySize]bool
	for square, c := range b {
		if c == vacant {
			continue
		}
		id, rank := idOf(c), rankOf(c)
		inArmy := id % armySize
		if rank >= ranks || inArmy < firstID[rank] || inArmy >= firstID[rank+1] || seen[id] {
			return fmt.Errorf("square %s holds %#x, which is no piece or a second one", env.AppendSquare(nil, square, width), c)
		}
		seen[id] = true
	}
	return nil
}
