package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction implements env.Notation: start and landing square, as in k1-g5,
// or k1xg5 for a capture.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	rays := &s.game.rays
	me := s.next & 1
	sign := byte('-')
	if s.at(rays.Absolute(me, rays.Landing(rays.Decode(a)))) != vacant {
		sign = 'x'
	}
	return rays.AppendMove(dst, me, a, sign)
}

// at returns the piece on an absolute square, or vacant.
func (s *State) at(square int) id { return s.board[s.game.terrain.cell(square)] }

// ParseAction implements env.Notation.
func (s *State) ParseAction(text string) (env.Action, error) {
	var list [listSize]env.Action
	return s.game.rays.ParseAction(s, s.legal(&list), text, s.moveText())
}

// moveText returns the form of the move texts.
func (s *State) moveText() *engine.MoveText {
	return &engine.MoveText{Signs: "-x", Example: "a move is two squares, such as k1-g5, or k1xg5 for a capture", Occupant: s.occupant}
}

// occupant returns what stands on an absolute square.
func (s *State) occupant(square int) engine.Occupant {
	piece := s.at(square)
	if piece == vacant {
		return engine.Occupant{Owner: env.NoPlayer}
	}
	return engine.Occupant{Name: typeNames[typeOf(piece)], Owner: env.Player(ownerOf(piece))}
}

// sides are the letters of the players in a position text.
const sides = "wb"

// AppendPosition implements env.Notation: BOARD SIDE QUIET PLIES.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = engine.AppendBoard(dst, s.game.terrain.size, func(square int) byte {
		piece := s.at(square)
		if piece == vacant {
			return 0
		}
		return letterOf(piece)
	})
	return s.counters.AppendText(append(dst, ' ', sides[s.next&1]))
}

// SetPosition implements env.Notation.
func (s *State) SetPosition(text string) error {
	p, err := s.game.parsePosition(text)
	if err != nil {
		return fmt.Errorf("position %q: %w", text, err)
	}
	s.set(&p)
	return nil
}

func (g *Game) parsePosition(text string) (p position, err error) {
	fields, err := engine.Fields(text, "BOARD SIDE QUIET PLIES")
	if err != nil {
		return p, err
	}
	if p.board, err = g.terrain.parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	if p.mover, err = engine.ParseSide(fields[1], sides); err != nil {
		return p, err
	}
	p.counters, err = engine.ParseCounters(fields[2], fields[3])
	return p, err
}
