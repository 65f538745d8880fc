package tankbattle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction implements env.Notation: start and landing square, as in k1-g5,
// or k1xg5 for a capture.
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	g := s.game
	me := s.next & 1
	square, d, distance := g.decode(a)
	from, to := g.absolute(me, square), g.absolute(me, g.landing(square, d, distance))
	sign := byte('-')
	if s.at(to) != vacant {
		sign = 'x'
	}
	dst = append(env.AppendSquare(dst, from, g.terrain.size), sign)
	return env.AppendSquare(dst, to, g.terrain.size)
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
	g := s.game
	size := g.terrain.size
	from, rest, err := env.ParseSquare(text, size, size)
	if err != nil {
		return 0, fmt.Errorf("%w; a move is two squares, such as k1-g5, or k1xg5 for a capture", err)
	}
	if rest == "" || (rest[0] != '-' && rest[0] != 'x') {
		return 0, fmt.Errorf("%q follows the start square, must be - or x and the landing square", rest)
	}
	to, after, err := env.ParseSquare(rest[1:], size, size)
	if err != nil {
		return 0, err
	}
	if after != "" {
		return 0, fmt.Errorf("%q follows the landing square, must be nothing", after)
	}
	if s.reason != env.NoReason {
		return 0, fmt.Errorf("the game is over (%v)", s.reason)
	}
	var list [room]env.Action
	me := s.next & 1
	var landings []string
	for _, a := range list[:s.list(&list)] {
		square, d, distance := g.decode(a)
		if g.absolute(me, square) != from {
			continue
		}
		full := env.ActionText(s, a)
		if g.absolute(me, g.landing(square, d, distance)) != to {
			landings = append(landings, full[len(text)-len(rest)+1:])
			continue
		}
		if full != text {
			return 0, fmt.Errorf("the sign is not right, must be %s", full)
		}
		return a, nil
	}
	return 0, s.whyIllegal(from, landings)
}

func (s *State) whyIllegal(from int, landings []string) error {
	square := s.game.terrain.name(from)
	piece := s.at(from)
	switch {
	case piece == vacant:
		return fmt.Errorf("no tank stands on %s", square)
	case ownerOf(piece) != int(s.next):
		return fmt.Errorf("the %s on %s belongs to %s, and %s is to move", typeNames[typeOf(piece)], square, playerNames[ownerOf(piece)], playerNames[s.next])
	case len(landings) == 0:
		return fmt.Errorf("the %s on %s has no legal move", typeNames[typeOf(piece)], square)
	}
	return fmt.Errorf("not legal; the %s on %s may go to %s", typeNames[typeOf(piece)], square, strings.Join(landings, ", "))
}

// sides are the letters of the players in a position text.
const sides = "wb"

// AppendPosition implements env.Notation: BOARD SIDE QUIET PLIES.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = s.appendBoard(dst)
	dst = append(dst, ' ', sides[s.next&1], ' ')
	dst = strconv.AppendInt(dst, int64(s.quiet), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(s.plies), 10)
}

func (s *State) appendBoard(dst []byte) []byte {
	size := s.game.terrain.size
	for y := size - 1; y >= 0; y-- {
		empty := 0
		for x := range size {
			piece := s.at(y*size + x)
			if piece == vacant {
				empty++
				continue
			}
			if empty > 0 {
				dst = strconv.AppendInt(dst, int64(empty), 10)
			}
			empty = 0
			dst = append(dst, letterOf(piece))
		}
		if empty > 0 {
			dst = strconv.AppendInt(dst, int64(empty), 10)
		}
		if y > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
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
	fields := strings.Split(text, " ")
	if len(fields) != 4 {
		return p, fmt.Errorf("has %d fields, must have 4 separated by one blank: BOARD SIDE QUIET PLIES", len(fields))
	}
	if p.board, err = g.terrain.parseBoard(fields[0]); err != nil {
		return p, fmt.Errorf("board %w", err)
	}
	switch fields[1] {
	case "w":
		p.mover = env.First
	case "b":
		p.mover = env.Second
	default:
		return p, fmt.Errorf("side to move is %q, must be w or b", fields[1])
	}
	for _, number := range []struct {
		name, text string
		to         *int32
	}{
		{"quiet plies", fields[2], &p.quiet},
		{"plies played", fields[3], &p.plies},
	} {
		n, err := engine.ParseCount(number.text, engine.MaxCount)
		if err != nil {
			return p, fmt.Errorf("%s: %w", number.name, err)
		}
		*number.to = int32(n)
	}
	return p, nil
}
