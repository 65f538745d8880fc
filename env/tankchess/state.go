package tankchess

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// fate is the condition of a slot's piece.
type fate uint8

const (
	absent fate = iota // the slot is empty
	living
	wreck
	gone // the Command Tank has left the board
)

// tank is the piece in a slot. Square and facing are absolute. A wreck faces N.
type tank struct {
	square int16
	facing env.Direction
	fate   fate
}

// vacant is the occupant of a square on which no piece stands.
const vacant = 0

// noSlot stands for no piece.
const noSlot = -1

// State is one position of a Game with its history.
//
// Wherever they index an array, slots are below maxSlots, templates below maxTemplates,
// directions below 8 and players 0 or 1. Masks such as slot&(maxSlots-1) do not change
// them: they spare the bounds checks.
type State struct {
	game *Game

	closed   [2]closedRows     // by kind.closed
	lines    lines             // what stops direct fire
	occupant [maxSquares]uint8 // by square, wrecks included: see occupantOf
	scratch  *scratch
	tanks    [2][maxSlots]tank // by player and slot

	key  uint64 // of the position as repetition compares it
	hash uint64
	// commandMoved reports whether the last ply moved the Command Tank, or may have
	// done so before a position that was set up.
	commandMoved bool

	engine.Base // quiet plies and history are those since a piece was destroyed

	// States of different goroutines may lie side by side. Each fills whole cache
	// lines of 64 bytes, so that writing to one does not slow the others down.
	_ [16]byte
}

// position is what a position text says.
type position struct {
	engine.Turn
	tanks [2][maxSlots]tank
}

// lay sets up a position without touching the history and without judging it.
func (s *State) lay(p *position) {
	g := s.game
	*s = State{
		game: g, closed: g.closed, lines: g.lines, scratch: s.scratch, Base: s.At(p.Turn),
		tanks: p.tanks, commandMoved: true,
	}
	for owner := env.First; owner <= env.Second; owner++ {
		for i := range g.slots {
			t := s.tanks[owner][i]
			if t.fate != living && t.fate != wreck {
				continue
			}
			s.put(int(t.square), owner, i)
			word := g.pieceKey(owner, g.slots[i].kind, t)
			s.hash ^= g.slotHash(owner, i, word)
			if t.fate == living {
				s.key ^= word
			} else {
				s.key ^= g.wreckKeys[t.square]
			}
		}
	}
	if s.Next == env.Second {
		s.key ^= g.blackMove
		s.hash ^= g.blackMove
	}
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	s.lay(p)
	s.Begin(s.key)
	s.judge()
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	scratch := s.scratch
	engine.Copy(s, o, &s.History, &o.History)
	s.scratch = scratch
}

// Hash implements env.State. It covers every piece with its slot, the wrecks
// and the player to move.
func (s *State) Hash() uint64 { return s.hash }

// Points implements env.Scorer: the value of a player's living pieces.
func (s *State) Points(p env.Player) int {
	points := 0
	for i, slot := range s.game.slots {
		if s.tanks[p&1][i].fate == living {
			points += s.game.kinds[slot.kind].value
		}
	}
	return points
}

// Apply implements env.State.
func (s *State) Apply(a env.Action) {
	engine.CheckLegal(s, a)
	g := s.game
	me := s.Next & 1
	s.Ply()
	if a == g.escape {
		s.takeOffBoard(me)
	} else {
		slot, template, number := g.decode(a)
		s.move(me, slot, template)
		if number > 0 {
			t := s.tanks[me][slot]
			victim, _ := s.victim(me, slot, int(t.square), t.facing, number)
			s.destroy(me^1, victim)
		}
		s.commandMoved = slot == g.command
	}
	s.Next = me ^ 1
	s.key ^= g.blackMove
	s.hash ^= g.blackMove
	s.History.Add(s.key)
	s.judge()
}

// Pass implements env.Passer.
func (s *State) Pass() {
	s.Ply()
	s.commandMoved = false
	s.Next ^= 1
	s.key ^= s.game.blackMove
	s.hash ^= s.game.blackMove
	s.History.Add(s.key)
	s.judge()
}

// move brings a living piece to an end state.
func (s *State) move(p env.Player, slot, template int) {
	g := s.game
	t := &s.tanks[p&1][slot]
	s.lift(p, slot)
	end := g.templates.endStates[t.facing&7][template]
	t.square += int16(int(end.dy)*g.size + int(end.dx))
	t.facing = t.facing.Turned(int(end.turn))
	word := g.pieceKey(p, g.slots[slot].kind, *t)
	s.key ^= word
	s.hash ^= g.slotHash(p, slot, word)
	s.put(int(t.square), p, slot)
}

// lift removes a living piece from the board and from the keys.
func (s *State) lift(p env.Player, slot int) {
	g := s.game
	t := s.tanks[p&1][slot]
	word := g.pieceKey(p, g.slots[slot].kind, t)
	s.key ^= word
	s.hash ^= g.slotHash(p, slot, word)
	s.occupant[t.square] = vacant
	s.toggleSquare(int(t.square))
}

// put puts a piece, living or a wreck, on a square.
func (s *State) put(square int, p env.Player, slot int) {
	s.occupant[square] = occupantOf(p, slot)
	s.toggleSquare(square)
}

// toggleSquare closes a square to movement and to fire, or opens it again, unless
// its terrain closes it anyway.
func (s *State) toggleSquare(square int) {
	g := s.game
	at := g.coords[square]
	x, y := int(at.x), int(at.y)
	if !g.hasWater || !g.board.water.has(square) {
		s.closed[0].toggle(x, y)
	}
	if g.hasWater {
		s.closed[1].toggle(x, y)
	}
	if !g.hasHedges || !g.board.hedges.has(square) {
		s.lines.toggle(&g.linePositions[square])
	}
}

// destroy turns a living piece into a wreck.
func (s *State) destroy(p env.Player, slot int) {
	g := s.game
	s.lift(p, slot)
	t := &s.tanks[p&1][slot]
	t.facing, t.fate = env.N, wreck
	s.hash ^= g.slotHash(p, slot, g.pieceKey(p, g.slots[slot].kind, *t))
	s.key ^= g.wreckKeys[t.square]
	s.put(int(t.square), p, slot)
	s.Progress()
}

// takeOffBoard removes the Command Tank that escapes.
func (s *State) takeOffBoard(p env.Player) {
	s.lift(p, s.game.command)
	s.tanks[p&1][s.game.command] = tank{fate: gone}
	s.commandMoved = true
}

// occupantOf returns the occupant of the square on which a piece stands.
func occupantOf(p env.Player, slot int) uint8 { return uint8(1 + slot + maxSlots*int(p&1)) }

// slotAt returns the slot of p's piece on a square, or noSlot.
func (s *State) slotAt(p env.Player, square int) int {
	if id := int(s.occupant[square]) - 1; s.occupant[square] != vacant && id/maxSlots == int(p&1) {
		return id % maxSlots
	}
	return noSlot
}
