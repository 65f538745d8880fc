package trench

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// store appends what a snapshot holds between its head and its past, little-endian:
//
//	64 bytes  board, a code for each square
//	1 byte    player whose turn it is
//	8 bytes   Black's points, White's points
func (s *State) store(dst []byte) []byte {
	dst = append(dst, s.board[:]...)
	dst = append(dst, byte(s.Next))
	return engine.AppendCounts(dst, s.points[0], s.points[1])
}

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	return s.game.head.Append(dst, s.store, &s.Base), nil
}

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error { return s.game.head.Restore(data, s.restore) }

func (s *State) restore(body []byte) (err error) {
	if len(body) < squares+1 {
		return errors.New("the board is cut off")
	}
	p := position{board: board(body)}
	if err := p.board.check(); err != nil {
		return err
	}
	if p.Next, err = engine.RestorePlayer(body[squares]); err != nil {
		return err
	}
	rest, err := engine.RestoreCounts(body[squares+1:], &p.points[0], &p.points[1])
	if err != nil {
		return err
	}
	if err := engine.RestorePast(rest, &p.Turn, &s.History); err != nil {
		return err
	}
	s.lay(&p)
	s.judge()
	return nil
}

// check reports whether every code belongs to a piece of the armies, once.
func (b *board) check() error {
	var seen [2 * armySize]bool
	for square, c := range b {
		if c == vacant {
			continue
		}
		id, rank := idOf(c), rankOf(c)
		inArmy := id % armySize
		if rank >= ranks || inArmy < firstID[rank] || inArmy >= firstID[rank+1] || seen[id] {
			return fmt.Errorf("square %s holds %#x, which is not a piece or stands on another square too", env.AppendSquare(nil, square, width), c)
		}
		seen[id] = true
	}
	return nil
}
