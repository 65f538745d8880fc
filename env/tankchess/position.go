package tankchess

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// sides are the letters of the players in a position text.
const sides = "wb"

// AppendPosition implements env.Notation: WHITE BLACK SIDE QUIET PLIES.
func (s *State) AppendPosition(dst []byte) []byte {
	for owner := range s.tanks {
		separate := false
		for slot := range s.game.slots {
			if s.tanks[owner][slot].fate == absent {
				continue
			}
			if separate {
				dst = append(dst, ',')
			}
			separate = true
			dst = s.game.appendTank(dst, slot, s.tanks[owner][slot])
		}
		dst = append(dst, ' ')
	}
	dst = append(dst, sides[s.next&1], ' ')
	dst = strconv.AppendInt(dst, int64(s.quiet), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(s.plies), 10)
}

// appendTank appends an entry such as CLT@h1N, LT@c3# or CLT@off.
func (g *Game) appendTank(dst []byte, slot int, t tank) []byte {
	dst = append(dst, g.kinds[g.slots[slot].kind].code...)
	dst = append(dst, '@')
	if t.fate == gone {
		return append(dst, "off"...)
	}
	dst = env.AppendSquare(dst, int(t.square), g.size)
	if t.fate == wreck {
		return append(dst, '#')
	}
	return append(dst, t.facing.String()...)
}

// SetPosition implements env.Notation. It accepts what AppendPosition writes,
// also with fewer pieces and in any order within a type, which gives the slots.
func (s *State) SetPosition(text string) error {
	p, err := s.game.parsePosition(text)
	if err == nil {
		err = s.game.check(&p)
	}
	if err != nil {
		return fmt.Errorf("position %q: %w", text, err)
	}
	s.set(&p)
	return nil
}

func (g *Game) parsePosition(text string) (p position, err error) {
	fields := strings.Split(text, " ")
	if len(fields) != 5 {
		return p, fmt.Errorf("has %d fields, must have 5 separated by one blank: WHITE BLACK SIDE QUIET PLIES", len(fields))
	}
	for owner, field := range fields[:2] {
		if err := g.parseArmy(&p.tanks[owner], field); err != nil {
			return p, fmt.Errorf("%s: %w", playerNames[owner], err)
		}
	}
	side := strings.Index(sides, fields[2])
	if len(fields[2]) != 1 || side < 0 {
		return p, fmt.Errorf("side to move is %q, must be w or b", fields[2])
	}
	p.mover = env.Player(side)
	for _, number := range []struct {
		name, text string
		to         *int32
	}{
		{"quiet plies", fields[3], &p.quiet},
		{"plies played", fields[4], &p.plies},
	} {
		n, err := engine.ParseCount(number.text, engine.MaxCount)
		if err != nil {
			return p, fmt.Errorf("%s: %w", number.name, err)
		}
		*number.to = int32(n)
	}
	return p, nil
}

// parseArmy gives each entry the first free slot of its type.
func (g *Game) parseArmy(tanks *[maxSlots]tank, field string) error {
	slot := 0
	for entry := range strings.SplitSeq(field, ",") {
		code, at, is := strings.Cut(entry, "@")
		if !is {
			return fmt.Errorf("entry %q is no piece, must be such as CLT@h1N, LT@c3# or CLT@off", entry)
		}
		for slot < len(g.slots) && g.kinds[g.slots[slot].kind].code != code {
			slot++
		}
		if slot == len(g.slots) {
			return fmt.Errorf("there is no room for %q: each type has so many slots, and the types stand in the order %s", entry, g.army())
		}
		t, err := g.parseTank(at)
		if err != nil {
			return fmt.Errorf("entry %q: %w", entry, err)
		}
		tanks[slot] = t
		slot++
	}
	return nil
}

// army lists the slots by type, as in 1 CLT, 4 LT.
func (g *Game) army() string {
	var parts []string
	for _, k := range g.kinds {
		n := 0
		for _, s := range g.slots {
			n += int(engine.Flag(g.kinds[s.kind].code == k.code))
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k.code))
		}
	}
	return strings.Join(parts, ", ")
}

// parseTank reads what follows the @ of an entry.
func (g *Game) parseTank(text string) (tank, error) {
	if text == "off" {
		return tank{fate: gone}, nil
	}
	square, rest, err := env.ParseSquare(text, g.size, g.size)
	if err != nil {
		return tank{}, err
	}
	if rest == "#" {
		return tank{square: int16(square), fate: wreck}, nil
	}
	facing, err := env.ParseDirection(rest)
	if err != nil {
		return tank{}, fmt.Errorf("%w, nor # for a wreck", err)
	}
	return tank{square: int16(square), facing: facing, fate: living}, nil
}

// check tells whether a position could stand on the board.
func (g *Game) check(p *position) error {
	var used squareSet
	for owner := range p.tanks {
		for slot, t := range p.tanks[owner] {
			if slot >= len(g.slots) || t.fate == absent {
				continue
			}
			if t.fate == gone {
				if slot != g.command || g.rules.Escape != escapeOffBoard {
					return fmt.Errorf("%s's %s cannot be off the board", playerNames[owner], g.name(slot))
				}
				continue
			}
			square := int(t.square)
			switch kind := &g.kinds[g.slots[slot].kind]; {
			case used.has(square):
				return fmt.Errorf("two pieces stand on %s", g.square(square))
			case g.closed[kind.closed].has(int(g.coords[square].x), int(g.coords[square].y)):
				return fmt.Errorf("%s's %s cannot stand on %s, which its terrain closes", playerNames[owner], g.name(slot), g.square(square))
			}
			used.add(square)
		}
	}
	return g.checkCommand(p)
}

// checkCommand tells whether each side has a Command Tank, and whether the game
// can have ended as they stand: the player to move has lost it, or the other
// one has brought it off the board.
func (g *Game) checkCommand(p *position) error {
	for owner := range p.tanks {
		if p.tanks[owner][g.command].fate == absent {
			return fmt.Errorf("%s has no %s, must have exactly 1", playerNames[owner], commandCode)
		}
	}
	next := p.mover & 1
	own, other := p.tanks[next][g.command].fate, p.tanks[next^1][g.command].fate
	switch {
	case own == gone:
		return errors.New("the player to move has brought the Command Tank off the board, so the other player must be to move")
	case other == wreck:
		return errors.New("the player who is not to move has lost the Command Tank, so that player must be to move")
	case own == wreck && other == gone:
		return errors.New("both Command Tanks are out of the game, which the first of them has ended")
	}
	return nil
}
