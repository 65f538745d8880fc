package trench

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// A snapshot is, little-endian:
//
//	head      engine.SnapshotHead
//	64 bytes  board, a code for each square
//	1 byte    player whose turn it is
//	16 bytes  Black's points, White's points, quiet plies, plies
//	history   as engine.History appends it
//	seal      engine.Seal
const (
	snapshotMark    = "TRCH"
	snapshotVersion = 1
)

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = s.game.head.Append(dst)
	dst = append(dst, s.board[:]...)
	dst = append(dst, byte(s.next))
	dst = engine.AppendCounts(dst, s.points[0], s.points[1])
	return engine.Seal(engine.AppendPast(dst, s.counters, &s.history), begin), nil
}

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error {
	if err := s.restore(data); err != nil {
		return fmt.Errorf("trench snapshot: %w", err)
	}
	return nil
}

func (s *State) restore(data []byte) error {
	body, err := s.game.head.Open(data)
	if err != nil {
		return err
	}
	if len(body) < squares+1 {
		return errors.New("it ends too early")
	}
	p := position{board: board(body)}
	if err := p.board.check(); err != nil {
		return err
	}
	if p.mover, err = engine.RestorePlayer(body[squares]); err != nil {
		return err
	}
	rest, err := engine.RestoreCounts(body[squares+1:], &p.points[0], &p.points[1])
	if err != nil {
		return err
	}
	if err := engine.RestorePast(rest, &p.counters, &s.history); err != nil {
		return err
	}
	s.lay(&p)
	s.judge()
	return nil
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
