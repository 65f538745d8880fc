package tankchess

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// AppendAction implements env.Notation: start square, end square, new facing
// and, with a shot, the square of the target, as in f5>b9/NW(b11).
func (s *State) AppendAction(dst []byte, a env.Action) []byte {
	g := s.game
	me := s.Next & 1
	slot, template, number := g.decode(a)
	if a == g.escape {
		slot = g.command
	}
	dst = env.AppendSquare(dst, int(s.tanks[me][slot].square), g.size)
	dst = append(dst, '>')
	if a == g.escape {
		return append(dst, "off"...)
	}
	square, facing := s.destination(me, slot, template)
	dst = env.AppendSquare(dst, square, g.size)
	dst = append(dst, '/')
	dst = append(dst, facing.String()...)
	if number == 0 {
		return dst
	}
	victim, _ := s.victim(me, slot, square, facing, number)
	dst = append(dst, '(')
	dst = env.AppendSquare(dst, int(s.tanks[me^1][victim].square), g.size)
	return append(dst, ')')
}

// ParseAction implements env.Notation.
func (s *State) ParseAction(text string) (env.Action, error) {
	return engine.ParseAction(text, s.parseAction)
}

func (s *State) parseAction(text string) (env.Action, error) {
	g := s.game
	from, rest, err := env.ParseSquare(text, g.size, g.size)
	if err != nil {
		return 0, fmt.Errorf("%w; a move is h3>f5/NW, with a shot h3>f5/NW(b9), or h15>off", err)
	}
	rest, is := strings.CutPrefix(rest, ">")
	if !is {
		return 0, fmt.Errorf("%q follows the start square, must be > and the end square, or >off", rest)
	}
	if s.Over() {
		return 0, fmt.Errorf("the game is over (%v)", s.Reason)
	}
	slot, err := s.moverOn(from)
	if err != nil {
		return 0, err
	}
	if rest == "off" {
		if slot != g.command || !s.canLeave(s.Next) {
			return 0, fmt.Errorf("the %s on %s cannot leave the board", g.name(slot), g.squareName(from))
		}
		return g.escape, nil
	}
	return s.parseEnd(slot, from, rest)
}

// moverOn returns the slot of the living piece of the player to move on a square.
func (s *State) moverOn(from int) (slot int, err error) {
	g := s.game
	me := s.Next & 1
	slot = s.slotAt(me, from)
	switch {
	case slot == noSlot && s.occupant[from] != vacant:
		return slot, fmt.Errorf("the piece on %s is %s's, but %s is to move", g.squareName(from), playerNames[me^1], playerNames[me])
	case slot == noSlot:
		return slot, fmt.Errorf("no piece stands on %s", g.squareName(from))
	case s.tanks[me][slot].fate == wreck:
		return slot, fmt.Errorf("the %s on %s is a wreck", g.name(slot), g.squareName(from))
	}
	return slot, nil
}

// parseEnd parses the end square, the facing and the shot of a piece on a square.
func (s *State) parseEnd(slot, from int, text string) (env.Action, error) {
	g := s.game
	to, rest, err := env.ParseSquare(text, g.size, g.size)
	if err != nil {
		return 0, err
	}
	rest, is := strings.CutPrefix(rest, "/")
	if !is {
		return 0, fmt.Errorf("%q follows the end square, must be / and the new facing", rest)
	}
	name, shot, shoots := strings.Cut(rest, "(")
	facing, err := env.ParseDirection(name)
	if err != nil {
		return 0, err
	}
	t := s.tanks[s.Next&1][slot]
	end := endState{dx: int8(to%g.size - from%g.size), dy: int8(to/g.size - from/g.size), turn: int8(facing.Turned(-int(t.facing)))}
	template := g.templates.find(t.facing, end)
	var reached endSet
	s.reachable(s.Next, slot, &reached)
	if template == noTemplate || reached[template>>6]>>(template&63)&1 == 0 {
		return 0, fmt.Errorf("the %s on %s cannot reach %s facing %v", g.name(slot), g.squareName(from), g.squareName(to), facing)
	}
	if !shoots {
		return g.encode(slot, template, 0), nil
	}
	target, rest, err := env.ParseSquare(shot, g.size, g.size)
	if err != nil {
		return 0, err
	}
	if rest != ")" {
		return 0, fmt.Errorf("%q follows the target, must be )", rest)
	}
	if number := s.shotAt(slot, &reached, template, target); number > 0 {
		return g.encode(slot, template, number), nil
	}
	return 0, fmt.Errorf("the %s cannot destroy anything on %s from %s facing %v", g.name(slot), g.squareName(target), g.squareName(to), facing)
}

// shotAt returns the number of the shot by which a piece of the player to move
// destroys the piece on a square from an end state, or 0.
func (s *State) shotAt(slot int, reached *endSet, template, square int) int {
	g := s.game
	t := s.enemies()
	if !s.findShots(t, s.Next, slot, reached) {
		return 0
	}
	from, facing := s.destination(s.Next, slot, template)
	for number := 1; number < g.shotCount; number++ {
		if bit := template*g.shotCount + number; s.scratch.shotSet[bit>>6]>>(bit&63)&1 == 0 {
			continue
		}
		if victim, _ := s.victim(s.Next, slot, from, facing, number); int(s.tanks[s.Next&1^1][victim].square) == square {
			return number
		}
	}
	return 0
}

// squareName returns the name of a square.
func (g *Game) squareName(square int) string { return string(env.AppendSquare(nil, square, g.size)) }

// name returns the name of the type of a slot.
func (g *Game) name(slot int) string { return g.rules.Pieces[g.kinds[g.slots[slot].kind].code].Name }
