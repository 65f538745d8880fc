package ntxuva

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// A snapshot is, little-endian:
//
//	head             engine.SnapshotHead
//	player, endless  1 byte each: to move; 1 when an endless move has ended the game
//	quiet, plies     4 bytes each
//	houses           1 byte each, South's and then North's
//	kept, keys       4 bytes and 8 for each: positions since the last capture
//	seal             engine.Seal
const (
	snapshotMark    = "NTXU"
	snapshotVersion = 2
)

// AppendBinary appends the whole state, history included.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = s.game.head.Append(dst)
	dst = append(dst, byte(s.player), engine.Flag(s.reason == env.Endless))
	dst = engine.AppendCounts(dst, int32(s.quiet), int32(s.plies))
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range s.game.houses {
			dst = append(dst, byte(s.count(owner, house)))
		}
	}
	dst = engine.AppendCounts(dst, int32(s.kept))
	for _, key := range s.keys[:s.kept] {
		dst = binary.LittleEndian.AppendUint64(dst, key)
	}
	return engine.Seal(dst, begin), nil
}

var errSnapshot = errors.New("it holds no position that there is")

// UnmarshalBinary restores what AppendBinary wrote.
func (s *State) UnmarshalBinary(data []byte) error {
	if err := s.open(data); err != nil {
		return fmt.Errorf("ntxuva snapshot: %w", err)
	}
	return nil
}

func (s *State) open(data []byte) error {
	g := s.game
	body, err := g.head.Open(data)
	if err != nil {
		return err
	}
	const board = 1 + 1 + 4 + 4
	keys := board + 2*g.houses + 4
	if len(body) < keys {
		return errSnapshot
	}
	t := State{game: g, keys: s.keys, player: env.Player(body[0])}
	endless := body[1]
	t.quiet = int(binary.LittleEndian.Uint32(body[2:]))
	t.plies = int(binary.LittleEndian.Uint32(body[6:]))
	t.kept = int(binary.LittleEndian.Uint32(body[keys-4:]))
	limit := g.houses * g.rules.Seeds
	for i, n := range body[board : keys-4] {
		if int(n) > limit {
			return errSnapshot
		}
		t.houses[i/g.houses].add(g.at[i%g.houses], int(n))
	}
	switch {
	case t.player&^1 != 0, g.total(&t.houses[0]) > limit, g.total(&t.houses[1]) > limit,
		endless > 1, endless == 1 && g.rules.Endless != draw,
		t.quiet > greatestCounter, t.plies > greatestCounter,
		t.kept > len(s.keys), t.kept > t.quiet+1, t.kept == 0 && len(s.keys) > 0, len(body) != keys+8*t.kept,
		t.kept > 0 && binary.LittleEndian.Uint64(body[len(body)-8:]) != t.key():
		return errSnapshot
	}
	for i := range t.kept {
		t.keys[i] = binary.LittleEndian.Uint64(body[keys+8*i:])
	}
	t.restore(endless == 1)
	*s = t
	return nil
}

// restore rebuilds what follows from the position and its history.
func (s *State) restore(endless bool) {
	s.filter, s.occurrences = 0, 1
	for _, key := range s.keys[:s.kept] {
		s.filter |= filterBit(key)
	}
	if s.kept > 0 {
		s.occurrences += s.earlier(s.keys[s.kept-1], s.kept-1)
	}
	if endless {
		s.finish(env.Endless, 0)
		return
	}
	s.judge()
	if s.reason == env.NoReason && s.game.rules.Repetition != 0 && s.occurrences >= s.game.rules.Repetition {
		s.finish(env.Repetition, 0)
	}
}
