package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// noSlot is no piece.
const noSlot = -1

// ends sets out to the end states that a living piece can reach.
func (s *State) ends(owner env.Player, slot int, out *ends) {
	k, t := s.game.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	at := s.game.spots[t.square]
	k.gait.reach(&s.closed[k.water], int(at.x), int(at.y), t.facing, out)
}

// shoots is aim for a piece that can reach the given end states: a Command Tank
// that has won by its move does not fire.
func (s *State) shoots(t *targets, owner env.Player, slot int, e *ends) bool {
	if slot != s.game.command || s.game.rules.Escape != escapeLastRank {
		return s.aim(t, owner, slot, e)
	}
	armed := *e
	for w, rest := range e {
		for ; rest != 0; rest &= rest - 1 {
			end := w<<6 | bits.TrailingZeros64(rest)
			if square, _ := s.endSquare(owner, slot, end); s.game.rules.wins(owner, square) {
				armed[w] &^= 1 << (end & 63)
			}
		}
	}
	return s.aim(t, owner, slot, &armed)
}

// endSquare returns where a movement of a piece ends and which way it then faces.
func (s *State) endSquare(p env.Player, slot, template int) (int, env.Direction) {
	t := s.tanks[p&1][slot]
	end := s.game.templates.place[t.facing&7][template]
	return int(t.square) + int(end.dy)*s.game.size + int(end.dx), t.facing.Turned(int(end.turn))
}

// Legal implements env.State. dst grows unless it has room for Spec.MaxLegal more.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.reason != env.NoReason {
		return dst
	}
	dst, start := room(dst, s.game.spec.MaxLegal)
	return filled(dst, start, s.list(start, nil))
}

// LegalMask implements env.Masker.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	clear(mask)
	if s.reason != env.NoReason {
		return dst
	}
	dst, start := room(dst, s.game.spec.MaxLegal)
	return filled(dst, start, s.list(start, mask))
}

// list writes the legal actions at p, and their bits into mask unless it is nil.
func (s *State) list(p unsafe.Pointer, mask []uint64) unsafe.Pointer {
	g := s.game
	me := s.next & 1
	t := &s.scratch.targets
	s.look(t, me^1)
	var e ends
	for slot := range g.slots {
		if s.tanks[me][slot&(maxSlots-1)].fate != living {
			continue
		}
		bytes := g.kindOf[slot&(maxSlots-1)].gait.bytes
		s.ends(me, slot, &e)
		fires := s.shoots(t, me, slot, &e)
		first := slot * g.templates.count * g.shots
		switch {
		case !fires:
			p = g.expansions.quiet(p, both(first), both(8*g.shots), &e, bytes)
		case g.shots == nibble:
			p = g.expansions.fourShots(p, both(first), &e, s.scratch.fire, bytes)
		default:
			p = g.anyShots(p, first, &e, s.scratch.fire)
		}
		if mask != nil {
			s.mask(mask, first, &e, bytes, fires)
		}
	}
	if s.leaves(me) {
		p = add(p, g.escape)
		if mask != nil {
			mask[g.escape>>6] |= 1 << (g.escape & 63)
		}
	}
	return p
}

// Noisy implements env.Noisy: the actions with a shot.
func (s *State) Noisy(dst []env.Action) []env.Action {
	if s.reason != env.NoReason {
		return dst
	}
	g := s.game
	me := s.next & 1
	t := &s.scratch.targets
	s.look(t, me^1)
	var e ends
	for slot := range g.slots {
		if s.tanks[me][slot].fate != living {
			continue
		}
		if s.ends(me, slot, &e); !s.shoots(t, me, slot, &e) {
			continue
		}
		for w, rest := range s.scratch.fire {
			for ; rest != 0; rest &= rest - 1 {
				dst = append(dst, g.encode(slot, 0, w<<6|bits.TrailingZeros64(rest)))
			}
		}
	}
	return dst
}

// InCheck tells whether p's opponent, to move, could destroy p's Command Tank.
func (s *State) InCheck(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	t := &s.scratch.targets
	t.n = 1
	s.see(&t.list[0], p, g.command)
	enemy := p.Opponent() & 1
	var e ends
	for slot := range g.slots {
		if s.tanks[enemy][slot].fate != living {
			continue
		}
		if s.ends(enemy, slot, &e); s.shoots(t, enemy, slot, &e) {
			return true
		}
	}
	return false
}
