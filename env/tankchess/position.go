package tankchess

import (
	"errors"
	"fmt"
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
	return s.AppendCounts(append(dst, sides[s.Next&1]))
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

// SetPosition implements env.Notation. It accepts what AppendPosition writes, also
// with fewer pieces. The order of the pieces of a type decides their slots.
func (s *State) SetPosition(text string) error {
	return engine.SetPosition(text, "WHITE BLACK SIDE QUIET PLIES", s.game.parsePosition, s.set)
}

func (g *Game) parsePosition(fields []string) (p position, err error) {
	for owner, field := range fields[:2] {
		if err := g.parseArmy(&p.tanks[owner], field); err != nil {
			return p, fmt.Errorf("%s: %w", playerNames[owner], err)
		}
	}
	if p.Turn, err = engine.ParseTurn(sides, fields[2], fields[3], fields[4]); err != nil {
		return p, err
	}
	return p, g.check(&p)
}

// parseArmy gives each entry the first free slot of its type.
func (g *Game) parseArmy(tanks *[maxSlots]tank, field string) error {
	slot := 0
	for entry := range strings.SplitSeq(field, ",") {
		code, at, is := strings.Cut(entry, "@")
		if !is {
			return fmt.Errorf("entry %q is not a piece, must be like CLT@h1N, LT@c3# or CLT@off", entry)
		}
		for slot < len(g.slots) && g.kinds[g.slots[slot].kind].code != code {
			slot++
		}
		if slot == len(g.slots) {
			return fmt.Errorf("no slot is left for %q; the slots are, in this order: %s", entry, g.army())
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

// army returns the number of slots of each type, as in 1 CLT, 4 LT.
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
		return tank{}, fmt.Errorf("%w; # stands for a wreck", err)
	}
	return tank{square: int16(square), facing: facing, fate: living}, nil
}

// check returns why a position cannot stand on the board, or nil.
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
				return fmt.Errorf("two pieces stand on %s", g.squareName(square))
			case g.closed[kind.closed].has(int(g.coords[square].x), int(g.coords[square].y)):
				return fmt.Errorf("%s's %s cannot stand on %s, whose terrain is closed to it", playerNames[owner], g.name(slot), g.squareName(square))
			}
			used.add(square)
		}
	}
	return g.checkCommand(p)
}

// checkCommand returns an error unless each side has a Command Tank and the fates of
// the two agree with the player to move: either that player has lost it, or the other
// one has brought it off the board, or neither.
func (g *Game) checkCommand(p *position) error {
	for owner := range p.tanks {
		if p.tanks[owner][g.command].fate == absent {
			return fmt.Errorf("%s has no %s, must have exactly 1", playerNames[owner], commandCode)
		}
	}
	next := p.Next & 1
	own, other := p.tanks[next][g.command].fate, p.tanks[next^1][g.command].fate
	switch {
	case own == gone:
		return errors.New("the player to move has brought the Command Tank off the board; the other player must be to move")
	case other == wreck:
		return errors.New("the player who is not to move has lost the Command Tank; that player must be to move")
	case own == wreck && other == gone:
		return errors.New("one Command Tank is off the board and the other destroyed, but either ends the game")
	}
	return nil
}
