package trench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction implements env.Notation: start and landing square, then each
// captured square in walking order, as in c6-f6xd6xe6.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	rays := &s.game.rays
	me := s.next & 1
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
	var list [listSize]env.Action
	return s.game.rays.ParseAction(s, s.legal(&list), text, s.moveText())
}

// moveText returns the form of the move texts.
func (s *State) moveText() *engine.MoveText {
	return &engine.MoveText{Signs: "-", Example: "a move is two squares, such as a4-c6", Short: true, Occupant: s.occupant}
}

// occupant returns what stands on an absolute square.
func (s *State) occupant(square int) engine.Occupant {
	c := s.board[square]
	if c == vacant {
		return engine.Occupant{Owner: env.NoPlayer}
	}
	return engine.Occupant{Name: s.game.spec.Pieces[rankOf(c)].Name, Owner: env.Player(ownerOf(c))}
}

// AppendPosition implements env.Notation: BOARD SIDE POINTS QUIET MOVES.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = s.board.appendText(dst)
	dst = append(dst, ' ', sides[s.next&1], ' ')
	dst = strconv.AppendInt(dst, int64(s.points[env.First]), 10)
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(s.points[env.Second]), 10)
	return s.counters.AppendText(dst)
}

// sides are the letters of the players in a position text.
const sides = "bw"

// SetPosition implements env.Notation.
func (s *State) SetPosition(text string) error {
	p, err := parsePosition(text)
	if err != nil {
		return fmt.Errorf("position %q: %w", text, err)
	}
	s.set(&p)
	return nil
}

func parsePosition(text string) (p position, err error) {
	fields, err := engine.Fields(text, "BOARD SIDE POINTS QUIET MOVES")
	if err != nil {
		return p, err
	}
	if p.board, err = parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	if p.mover, err = engine.ParseSide(fields[1], sides); err != nil {
		return p, err
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
	p.counters, err = engine.ParseCounters(fields[3], fields[4])
	return p, err
}
