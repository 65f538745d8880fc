package trench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// AppendAction implements env.Notation: start and landing square, then each
// captured square in walking order, as in c6-f6xd6xe6.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	me := s.next & 1
	from, d, distance := s.game.decode(a)
	to := from + distance*int(s.game.delta[d&7])
	dst = env.AppendSquare(dst, from^turn(me), width)
	dst = append(dst, '-')
	dst = env.AppendSquare(dst, to^turn(me), width)
	for n := 1; n <= distance; n++ {
		square := from + n*int(s.game.delta[d&7])
		if s.at[me^1][me]>>square&1 != 0 {
			dst = append(dst, 'x')
			dst = env.AppendSquare(dst, square^turn(me), width)
		}
	}
	return dst
}

// ParseAction implements env.Notation. The captures may be left out, but where
// they are given they must be right.
func (s *State) ParseAction(text string) (env.Action, error) {
	a, err := s.parseAction(text)
	if err != nil {
		return env.NoAction, fmt.Errorf("move %q: %w", text, err)
	}
	return a, nil
}

func (s *State) parseAction(text string) (env.Action, error) {
	from, rest, err := env.ParseSquare(text, width, width)
	if err != nil {
		return 0, fmt.Errorf("%w; a move is two squares, such as a4-c6", err)
	}
	rest, dash := strings.CutPrefix(rest, "-")
	if !dash {
		return 0, fmt.Errorf("%q follows the start square, must be - and the landing square", rest)
	}
	to, captures, err := env.ParseSquare(rest, width, width)
	if err != nil {
		return 0, err
	}
	if s.reason != env.NoReason {
		return 0, fmt.Errorf("the game is over (%v)", s.reason)
	}
	var list [room]env.Action
	me := s.next & 1
	legal := list[:s.list(&list)]
	var landings []string
	for _, a := range legal {
		start, d, distance := s.game.decode(a)
		if start != from^turn(me) {
			continue
		}
		landing := (start + distance*int(s.game.delta[d&7])) ^ turn(me)
		if landing != to {
			landings = append(landings, string(env.AppendSquare(nil, landing, width)))
			continue
		}
		full := env.ActionText(s, a)
		if captures != "" && !strings.HasSuffix(full, rest) {
			return 0, fmt.Errorf("the captures are not right, must be %s", full)
		}
		return a, nil
	}
	return 0, s.whyIllegal(from, landings)
}

func (s *State) whyIllegal(from int, landings []string) error {
	square := string(env.AppendSquare(nil, from, width))
	c := s.board[from]
	switch {
	case c == vacant:
		return fmt.Errorf("no piece stands on %s", square)
	case ownerOf(c) != int(s.next):
		return fmt.Errorf("the piece on %s belongs to %s, and %s is to move", square, playerNames[ownerOf(c)], playerNames[s.next])
	case len(landings) == 0:
		return fmt.Errorf("the %s on %s has no legal move", s.game.spec.Pieces[rankOf(c)].Name, square)
	}
	return fmt.Errorf("not legal; the %s on %s may go to %s", s.game.spec.Pieces[rankOf(c)].Name, square, strings.Join(landings, ", "))
}

// AppendPosition implements env.Notation: BOARD SIDE POINTS QUIET MOVES.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = s.board.appendText(dst)
	dst = append(dst, ' ', sides[s.next&1], ' ')
	dst = strconv.AppendInt(dst, int64(s.points[env.First]), 10)
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(s.points[env.Second]), 10)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(s.quiet), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(s.plies), 10)
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
	fields := strings.Split(text, " ")
	if len(fields) != 5 {
		return p, fmt.Errorf("has %d fields, must have 5 separated by one blank: BOARD SIDE POINTS QUIET MOVES", len(fields))
	}
	if p.board, err = parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	switch fields[1] {
	case "b":
		p.mover = env.First
	case "w":
		p.mover = env.Second
	default:
		return p, fmt.Errorf("side to move is %q, must be b or w", fields[1])
	}
	first, second, both := strings.Cut(fields[2], "-")
	if !both {
		return p, fmt.Errorf("points are %q, must be Black's and White's, such as 12-7", fields[2])
	}
	for _, number := range []struct {
		name, text string
		to         *int32
	}{
		{"Black's points", first, &p.points[env.First]},
		{"White's points", second, &p.points[env.Second]},
		{"quiet plies", fields[3], &p.quiet},
		{"plies played", fields[4], &p.plies},
	} {
		n, err := env.ParseCount(number.text, env.MaxCount)
		if err != nil {
			return p, fmt.Errorf("%s: %w", number.name, err)
		}
		*number.to = int32(n)
	}
	return p, nil
}
