package tankbattle

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// moveText is the form of the move texts.
var moveText = engine.MoveText{Signs: "-x", Example: "a move is two squares, such as k1-g5, or k1xg5 for a capture"}

// AppendAction implements env.Notation: start and landing square, as in k1-g5,
// or k1xg5 for a capture.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	rays := &s.game.rays
	me := s.Next & 1
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
	return s.game.rays.ParseAction(s, &s.game.spec, text, moveText)
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
	return s.AppendCounts(append(dst, ' ', sides[s.Next&1]))
}

// SetPosition implements env.Notation.
func (s *State) SetPosition(text string) error {
	return engine.SetPosition(text, "BOARD SIDE QUIET PLIES", s.game.parsePosition, s.set)
}

func (g *Game) parsePosition(fields []string) (p position, err error) {
	if p.board, err = g.terrain.parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	p.Turn, err = engine.ParseTurn(sides, fields[1], fields[2], fields[3])
	return p, err
}
