package tankchess

import (
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// reachable sets out to the end states that a living piece can reach.
func (s *State) reachable(owner env.Player, slot int, out *endSet) {
	k, t := s.game.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	at := s.game.coords[t.square]
	k.moveTable.reachable(&s.closed[k.closed], int(at.x), int(at.y), t.facing, out)
}

// destination returns the square and the facing of a piece after a movement.
func (s *State) destination(p env.Player, slot, template int) (int, env.Direction) {
	t := s.tanks[p&1][slot]
	end := s.game.templates.endStates[t.facing&7][template]
	return int(t.square) + int(end.dy)*s.game.size + int(end.dx), t.facing.Turned(int(end.turn))
}

// Legal implements env.State. dst grows unless it has the room that Spec.NewActions
// makes.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.Over() {
		return dst
	}
	dst, p := engine.Room(dst, s.game.spec.MaxLegal)
	return dst[:len(dst)+engine.Listed(p, s.list(p, nil), s.game.spec.MaxLegal)]
}

// list writes the legal actions at p, and sets their bits in mask unless it is nil. It
// returns the address behind them. Up to engine.Slack actions more are overwritten.
func (s *State) list(p unsafe.Pointer, mask []uint64) unsafe.Pointer {
	g := s.game
	me := s.Next & 1
	t := s.enemies()
	var reached endSet
	for slot := range g.slots {
		if s.tanks[me][slot&(maxSlots-1)].fate != living {
			continue
		}
		bytes := g.kindOf[slot&(maxSlots-1)].moveTable.setBytes
		s.reachable(me, slot, &reached)
		fires := s.findShots(t, me, slot, &reached)
		first := slot * g.templates.count * g.shotCount
		switch {
		case !fires:
			p = g.expansion.writeMoves(p, inBothHalves(first), inBothHalves(8*g.shotCount), &reached, bytes)
		case g.shotCount == usualShots:
			p = g.expansion.writeFourShots(p, inBothHalves(first), &reached, s.scratch.shotSet, bytes)
		default:
			p = g.writeAnyShots(p, first, &reached, s.scratch.shotSet)
		}
		if mask != nil {
			s.maskActions(mask, first, &reached, bytes, fires)
		}
	}
	if s.canLeave(me) {
		p = writeAction(p, g.escape)
		if mask != nil {
			mask[g.escape>>6] |= 1 << (g.escape & 63)
		}
	}
	return p
}

// InCheck reports whether p's opponent could destroy p's Command Tank, if it were
// the opponent's turn.
func (s *State) InCheck(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	t := &s.scratch.targets
	t.n = 1
	s.setTarget(&t.list[0], p, g.command)
	enemy := p.Opponent() & 1
	var reached endSet
	for slot := range g.slots {
		if s.tanks[enemy][slot].fate != living {
			continue
		}
		if s.reachable(enemy, slot, &reached); s.findShots(t, enemy, slot, &reached) {
			return true
		}
	}
	return false
}
