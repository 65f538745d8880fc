package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// Noisy implements env.Noisy: the actions with a shot.
func (s *State) Noisy(dst []env.Action) []env.Action {
	if s.Over() {
		return dst
	}
	g := s.game
	me := s.Next & 1
	t := s.enemies()
	var reached endSet
	for slot := range g.slots {
		if s.tanks[me][slot].fate != living {
			continue
		}
		if s.reachable(me, slot, &reached); !s.findShots(t, me, slot, &reached) {
			continue
		}
		for w, rest := range s.scratch.shotSet {
			for ; rest != 0; rest &= rest - 1 {
				dst = append(dst, g.encode(slot, 0, w<<6|bits.TrailingZeros64(rest)))
			}
		}
	}
	return dst
}

// Prize implements env.Prizer: the value of the piece destroyed.
func (s *State) Prize(a env.Action) int {
	g, me := s.game, s.Next&1
	slot, template, number := g.decode(a)
	square, facing := s.destination(me, slot, template)
	victim, _ := s.victim(me, slot, square, facing, number)
	if victim == g.command {
		return env.Decisive
	}
	return g.kindOf[victim].value
}

// Trace implements env.Tracer: Moved, then Fired and Destroyed if there is a shot; or
// LeftBoard alone. A movement that only turns goes from a square to itself.
func (s *State) Trace(a env.Action, dst []env.Event) []env.Event {
	g := s.game
	me := s.Next & 1
	slot, template, number := g.decode(a)
	if a == g.escape {
		slot = g.command
	}
	kind := g.slots[slot].kind
	event := env.Event{
		Kind: env.LeftBoard, Player: me, Piece: int16(kind), PieceID: g.id(me, slot),
		From: s.tanks[me][slot].square, To: env.None, Victim: env.None, VictimID: env.None, Count: 1,
	}
	if a == g.escape {
		s.Apply(a)
		return append(dst, event)
	}
	to, facing := s.destination(me, slot, template)
	event.Kind, event.To = env.Moved, int16(to)
	dst = append(dst, event)
	if number > 0 {
		victim, face := s.victim(me, slot, to, facing, number)
		event.Kind, event.From, event.To = env.Fired, int16(to), s.tanks[me^1][victim].square
		event.Victim, event.VictimID, event.Face = int16(g.slots[victim].kind), g.id(me^1, victim), face
		dst = append(dst, event)
		event.Kind = env.Destroyed
		dst = append(dst, event)
	}
	s.Apply(a)
	return dst
}

// id returns the number of a piece among those of both players.
func (g *Game) id(p env.Player, slot int) int16 { return int16(int(p&1)*len(g.slots) + slot) }

// Pieces implements env.PieceLister.
func (s *State) Pieces(dst []env.Piece) []env.Piece {
	g := s.game
	for owner := env.First; owner <= env.Second; owner++ {
		for slot := range g.slots {
			t := s.tanks[owner][slot]
			if t.fate == living || t.fate == wreck {
				dst = append(dst, env.Piece{
					Type: int16(g.slots[slot].kind), ID: g.id(owner, slot), Owner: owner,
					Square: t.square, Facing: t.facing, Wreck: t.fate == wreck, Count: 1,
				})
			}
		}
	}
	return dst
}

// AddPieces implements env.PieceAdder.
func (s *State) AddPieces(table []int32) (sum int) {
	g := s.game
	each := 8 * g.squares
	for owner := range s.tanks {
		numbers := table[owner*len(g.kinds)*each:][:len(g.kinds)*each]
		for i := range g.slots {
			if t := &s.tanks[owner][i&(maxSlots-1)]; t.fate == living {
				sum += int(numbers[g.slots[i].kind*each+int(t.square)<<3+int(t.facing&7)])
			}
		}
	}
	return sum
}
