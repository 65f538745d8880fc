package ntxuva

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// store appends what a snapshot holds between its head and its past, little-endian:
//
//	1 byte   player whose turn it is
//	1 byte   1 if an endless relay ended the game, otherwise 0
//	houses   seeds of each house, 1 byte each, South's and then North's
func (s *State) store(dst []byte) []byte {
	dst = append(dst, byte(s.Next), engine.Flag(s.Reason == env.Endless))
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range s.game.houses {
			dst = append(dst, byte(s.count(owner, house)))
		}
	}
	return dst
}

// AppendBinary implements env.Snapshotter. Its error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	return s.game.head.Append(dst, s.store, &s.Base), nil
}

// UnmarshalBinary implements env.Snapshotter.
func (s *State) UnmarshalBinary(data []byte) error { return s.game.head.Restore(data, s.restore) }

func (s *State) restore(body []byte) (err error) {
	g := s.game
	past := 2 + 2*g.houses
	if len(body) < past {
		return errors.New("it ends too early")
	}
	var p position
	if p.Next, err = engine.RestorePlayer(body[0]); err != nil {
		return err
	}
	endless := body[1]
	if endless > 1 || endless == 1 && g.rules.Endless != draw {
		return fmt.Errorf("the flag of an endless relay is %d, which the rules do not allow", endless)
	}
	for owner := range p.houses {
		counts := body[2+owner*g.houses:][:g.houses]
		p.houses[owner], err = g.circuit(func(house int) (int, error) { return int(counts[house]), nil })
		if err != nil {
			return fmt.Errorf("%s: %w", playerNames[owner], err)
		}
	}
	if err := engine.RestorePast(body[past:], &p.Turn, &s.History); err != nil {
		return err
	}
	s.lay(&p)
	if endless == 1 {
		s.end(0, env.Endless)
	} else {
		s.judge()
	}
	return nil
}
