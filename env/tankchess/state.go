package tankchess

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// fate is what has become of a piece.
type fate uint8

const (
	absent fate = iota // the slot is empty
	living
	wreck
	gone // the Command Tank has left the board
)

// tank is a piece. Square and facing are absolute; a wreck faces N.
type tank struct {
	square int16
	facing env.Direction
	fate   fate
}

// nobody stands on a square.
const nobody = 0

// State is one position of a Game with its history.
type State struct {
	game *Game

	closed  [2]rows           // to a kind of piece, by kind.water
	lines   lines             // what stops direct fire
	at      [maxSquares]uint8 // 1 + slot + maxSlots·player of the piece on a square, also of a wreck; nobody
	scratch *scratch
	tanks   [2][maxSlots]tank // by player and slot

	key    uint64 // of what repetition compares
	hash   uint64
	quiet  int32 // plies since a piece was destroyed
	plies  int32
	next   env.Player // whose turn it is, or would be were the game not over
	result env.Result
	reason env.Reason
	// commandMoved tells that the last ply was the Command Tank's, or might have
	// been in a position that was set up.
	commandMoved bool

	history engine.History // since a piece was destroyed

	// States of several goroutines may lie side by side: each fills whole cache
	// lines of 64 bytes, or writing to one would slow the others down.
	_ [24]byte
}

// position is what a position text says.
type position struct {
	tanks        [2][maxSlots]tank
	mover        env.Player
	quiet, plies int32
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	s.lay(p)
	s.history.Forget()
	s.history.Add(s.key)
	s.judge()
}

// lay sets up a position and leaves the history as it is, and the game running.
func (s *State) lay(p *position) {
	g := s.game
	*s = State{
		game: g, closed: g.closed, lines: g.lines, scratch: s.scratch, history: s.history,
		tanks: p.tanks, next: p.mover, quiet: p.quiet, plies: p.plies, commandMoved: true,
	}
	for owner := env.First; owner <= env.Second; owner++ {
		for i := range g.slots {
			t := s.tanks[owner][i]
			if t.fate != living && t.fate != wreck {
				continue
			}
			s.enter(int(t.square), owner, i)
			word := g.key(owner, g.slots[i].kind, t)
			s.hash ^= g.slotKey(owner, i, word)
			if t.fate == living {
				s.key ^= word
			} else {
				s.key ^= g.wreckKeys[t.square]
			}
		}
	}
	if s.next == env.Second {
		s.key ^= g.blackMove
		s.hash ^= g.blackMove
	}
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	keys, scratch := s.history.Keep(&o.history), s.scratch
	*s = *o
	s.history.Keys, s.scratch = keys, scratch
}

// Player implements env.State.
func (s *State) Player() env.Player {
	if s.reason != env.NoReason {
		return env.NoPlayer
	}
	return s.next
}

// Result implements env.State.
func (s *State) Result() (env.Result, env.Reason) { return s.result, s.reason }

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
	g := s.game
	me := s.next & 1
	s.quiet++
	s.plies++
	if a == g.escape {
		s.leave(me)
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
	s.next = me ^ 1
	s.key ^= g.blackMove
	s.hash ^= g.blackMove
	s.history.Add(s.key)
	s.judge()
}

// move brings a living piece to an end state.
func (s *State) move(p env.Player, slot, template int) {
	g := s.game
	t := &s.tanks[p&1][slot]
	s.lift(p, slot)
	end := g.templates.place[t.facing&7][template]
	t.square += int16(int(end.dy)*g.size + int(end.dx))
	t.facing = t.facing.Turned(int(end.turn))
	word := g.key(p, g.slots[slot].kind, *t)
	s.key ^= word
	s.hash ^= g.slotKey(p, slot, word)
	s.enter(int(t.square), p, slot)
}

// lift takes a living piece off the board and out of the keys.
func (s *State) lift(p env.Player, slot int) {
	g := s.game
	t := s.tanks[p&1][slot]
	word := g.key(p, g.slots[slot].kind, t)
	s.key ^= word
	s.hash ^= g.slotKey(p, slot, word)
	s.at[t.square] = nobody
	s.block(int(t.square))
}

// enter puts a piece on a square.
func (s *State) enter(square int, p env.Player, slot int) {
	s.at[square] = uint8(1 + slot + maxSlots*int(p&1))
	s.block(square)
}

// block closes a square to movement and fire, or opens it again, as far as its
// terrain lets.
func (s *State) block(square int) {
	g := s.game
	at := g.spots[square]
	x, y := int(at.x), int(at.y)
	if !g.wet || !g.ground.water.has(square) {
		s.closed[0].flip(x, y)
	}
	if g.wet {
		s.closed[1].flip(x, y)
	}
	if !g.hedged || !g.ground.hedges.has(square) {
		s.lines.flip(&g.crossings[square])
	}
}

// destroy makes a wreck of a living piece.
func (s *State) destroy(p env.Player, slot int) {
	g := s.game
	s.lift(p, slot)
	t := &s.tanks[p&1][slot]
	t.facing, t.fate = env.N, wreck
	s.hash ^= g.slotKey(p, slot, g.key(p, g.slots[slot].kind, *t))
	s.key ^= g.wreckKeys[t.square]
	s.enter(int(t.square), p, slot)
	s.quiet = 0
	s.history.Forget()
}

// leave takes the Command Tank off the board.
func (s *State) leave(p env.Player) {
	s.lift(p, s.game.command)
	s.tanks[p&1][s.game.command] = tank{fate: gone}
	s.commandMoved = true
}
