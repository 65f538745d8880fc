package trench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// moveText is the form of the move texts.
var moveText = engine.MoveText{Signs: "-", Example: "a move is two squares, such as a4-c6", Short: true}

// AppendAction implements env.Notation: start and landing square, then each
// captured square in walking order, as in c6-f6xd6xe6.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	rays := &s.game.rays
	me := s.Next & 1
	dst = rays.AppendMove(dst, me, a, '-')
	from, d, distance := rays.Decode(a)
	for n := 1; n <= distance; n++ {
		square := rays.Landing(from, d, n)
		if s.at[me^1][me]>>square&1 != 0 {
			dst = env.AppendSquare(append(dst, 'x'), rays.Absolute(me, square), width)
		}
	}
	return dst
}

// ParseAction implements env.Notation. The captures may be left out, but where
// they are given they must be right.
func (s *State) ParseAction(text string) (env.Action, error) {
	return s.game.rays.ParseAction(s, &s.game.spec, text, moveText)
}

// AppendPosition implements env.Notation: BOARD SIDE POINTS QUIET MOVES.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = s.board.appendText(dst)
	dst = append(dst, ' ', sides[s.Next&1], ' ')
	dst = strconv.AppendInt(dst, int64(s.points[env.First]), 10)
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(s.points[env.Second]), 10)
	return s.AppendCounts(dst)
}

// sides are the letters of the players in a position text.
const sides = "bw"

// SetPosition implements env.Notation.
func (s *State) SetPosition(text string) error {
	return engine.SetPosition(text, "BOARD SIDE POINTS QUIET MOVES", parsePosition, s.set)
}

func parsePosition(fields []string) (p position, err error) {
	if p.board, err = parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	first, second, both := strings.Cut(fields[2], "-")
	if !both {
		return p, fmt.Errorf("points are %q, must be Black's and White's, such as 12-7", fields[2])
	}
	err = engine.ParseCounts(
		engine.Count{Name: "Black's points", Text: first, To: &p.points[env.First]},
		engine.Count{Name: "White's points", Text: second, To: &p.points[env.Second]},
	)
	if err != nil {
		return p, err
	}
	p.Turn, err = engine.ParseTurn(sides, fields[1], fields[3], fields[4])
	return p, err
}
