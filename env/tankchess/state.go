package tankchess

import "github.com/sandtable-farm/sandtable/env"

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

// terrain is what blocks movement and fire apart from pieces.
type terrain struct {
	barred [2]board // squares closed to a kind, by kind.amphibious
	screen board    // obstacles and hedges, which direct fire does not pass
}

// State is one position of a Game with its history.
type State struct {
	game *Game

	terrain  terrain
	occupied board             // squares with a piece, wrecks included
	living   [2]board          // squares of the living
	tanks    [2][maxSlots]tank // by player and slot

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

	// The history holds the keys of the positions since a piece was destroyed,
	// which nothing before it can repeat; the last one is the position itself.
	history []uint64
	seen    filter
	times   int32 // occurrences of the position so far

	// States of several goroutines may lie side by side: each fills whole cache
	// lines of 64 bytes, or writing to one would slow the others down.
	_ [12]byte
}

// position is what a position text says.
type position struct {
	tanks        [2][maxSlots]tank
	mover        env.Player
	quiet, plies int32
}

// set sets up a position with a history that starts there.
func (s *State) set(p *position) {
	g := s.game
	*s = State{game: g, history: s.history[:0], terrain: g.terrain(), tanks: p.tanks, next: p.mover, quiet: p.quiet, plies: p.plies, commandMoved: true}
	for owner := env.First; owner <= env.Second; owner++ {
		for i := range g.slots {
			t := s.tanks[owner][i]
			if t.fate != living && t.fate != wreck {
				continue
			}
			s.occupied.set(int(t.square))
			word := g.key(owner, g.slots[i].kind, t)
			s.hash ^= g.slotKey(owner, i, word)
			if t.fate == living {
				s.living[owner].set(int(t.square))
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
	s.remember()
	s.judge()
}

// terrain returns what the layout's terrain blocks.
func (g *Game) terrain() (t terrain) {
	t.barred[1] = g.ground.obstacles.or(&g.ground.low)
	t.barred[0] = t.barred[1].or(&g.ground.water)
	t.screen = g.ground.obstacles.or(&g.ground.hedges)
	return t
}

// Reset implements env.State.
func (s *State) Reset() { s.CopyFrom(&s.game.start) }

// CopyFrom implements env.State.
func (s *State) CopyFrom(src env.State) {
	o := src.(*State)
	history := s.history[:len(o.history)]
	copy(history, o.history)
	*s = *o
	s.history = history
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
		victim := noSlot
		if number > 0 {
			victim, _ = s.victim(me, slot, template, number)
		}
		s.move(me, slot, template)
		if victim != noSlot {
			s.destroy(me^1, victim)
		}
		s.commandMoved = slot == g.command
	}
	s.next = me ^ 1
	s.key ^= g.blackMove
	s.hash ^= g.blackMove
	s.remember()
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
	s.occupied.set(int(t.square))
	s.living[p&1].set(int(t.square))
}

// lift takes a living piece off the boards and out of the keys.
func (s *State) lift(p env.Player, slot int) {
	g := s.game
	t := s.tanks[p&1][slot]
	word := g.key(p, g.slots[slot].kind, t)
	s.key ^= word
	s.hash ^= g.slotKey(p, slot, word)
	s.occupied.clear(int(t.square))
	s.living[p&1].clear(int(t.square))
}

// destroy makes a wreck of a living piece.
func (s *State) destroy(p env.Player, slot int) {
	g := s.game
	s.lift(p, slot)
	t := &s.tanks[p&1][slot]
	t.facing, t.fate = env.N, wreck
	s.hash ^= g.slotKey(p, slot, g.key(p, g.slots[slot].kind, *t))
	s.key ^= g.wreckKeys[t.square]
	s.occupied.set(int(t.square))
	s.quiet = 0
	s.forget()
}

// leave takes the Command Tank off the board.
func (s *State) leave(p env.Player) {
	s.lift(p, s.game.command)
	s.tanks[p&1][s.game.command] = tank{fate: gone}
	s.commandMoved = true
}

// judge decides whether the game is over, the player who is not to move having
// just moved. The tests stand in the order of the rules.
func (s *State) judge() {
	g := s.game
	next := s.next & 1
	mover := next ^ 1
	command := s.tanks[mover][g.command]
	switch {
	case s.tanks[next][g.command].fate == wreck:
		s.end(env.WinFor(mover), env.CommandDestroyed)
	case command.fate == gone || s.commandMoved && g.wins(mover, int(command.square)):
		s.end(env.WinFor(mover), env.Escaped)
	case s.quiet >= g.quietLimit:
		s.end(0, env.NoProgress)
	case s.times >= g.occurLimit:
		s.end(0, env.Repetition)
	}
}

func (s *State) end(result env.Result, reason env.Reason) { s.result, s.reason = result, reason }

// wins tells whether p's Command Tank has won where it stands.
func (g *Game) wins(p env.Player, square int) bool {
	if g.rules.Escape != escapeLastRank || !g.homeRank(p.Opponent(), square) {
		return false
	}
	return g.rules.CornerExit != cornerBarred || !g.sideFile(square)
}

// homeRank tells whether a square is on p's home rank.
func (g *Game) homeRank(p env.Player, square int) bool {
	return g.frame(p, square) < g.size
}

// sideFile tells whether a square is on the first or the last file.
func (g *Game) sideFile(square int) bool {
	x := square % g.size
	return x == 0 || x == g.size-1
}
