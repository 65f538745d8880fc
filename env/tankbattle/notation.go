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
	a, err := s.parseAction(text)
	if err != nil {
		return env.NoAction, fmt.Errorf("move %q: %w", text, err)
	}
	return a, nil
}

func (s *State) parseAction(text string) (env.Action, error) {
	rays := &s.game.rays
	from, to, rest, err := rays.ParseMove(text, "-x")
	if err != nil {
		return 0, fmt.Errorf("%w; a move is two squares, such as k1-g5, or k1xg5 for a capture", err)
	}
	if rest != "" {
		return 0, fmt.Errorf("%q follows the landing square, must be nothing", rest)
	}
	if s.reason != env.NoReason {
		return 0, fmt.Errorf("the game is over (%v)", s.reason)
	}
	var list [listSize]env.Action
	a, err := rays.Find(s.legal(&list), s.next, from, to, s.occupant(from), playerNames)
	if err != nil {
		return 0, err
	}
	if full := env.ActionText(s, a); full != text {
		return 0, fmt.Errorf("the sign is wrong, must be %s", full)
	}
	return a, nil
}

// occupant returns what stands on an absolute square.
func (s *State) occupant(square int) engine.Mover {
	piece := s.at(square)
	if piece == vacant {
		return engine.Mover{Owner: env.NoPlayer}
	}
	return engine.Mover{Name: typeNames[typeOf(piece)], Owner: env.Player(ownerOf(piece))}
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
