package ntxuva

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// candidates divides the houses into those that must be sown to know whether
// they are legal starts, and single pieces that may step on without more. The
// sets have the bits of game.bit; nextEmpty are the houses before an empty one.
func (g *game) candidates(many, single, nextEmpty uint64) (sow, step uint64) {
	if many != 0 && g.forced {
		return many, 0
	}
	if g.stepping {
		return many, single & nextEmpty
	}
	return many | single, 0
}

// nextEmpty returns the houses before an empty one, given the others.
func (g *game) nextEmpty(occupied uint64) uint64 {
	return g.all &^ (occupied>>g.stride | occupied<<(g.stride*(g.houses-1)))
}

// resolve finds the legal starts of the position, and whether there are any.
func (s *State) resolve() {
	if !s.known {
		s.findStarts()
	}
}

func (s *State) findStarts() {
	g := s.game
	s.known = true
	var sow, step, endless uint64
	if own := &s.houses[s.player&1]; g.packed != nil {
		many, single := packedSets(own[0])
		sow, step = g.candidates(many, single, g.nextEmpty(many|single))
		endless = g.packed.sow(own[0], sow, &s.ends)
	} else {
		many, single := g.wide.sets(own)
		sow, step = g.candidates(many, single, g.nextEmpty(many|single))
		endless = g.wide.endless(own, sow)
	}
	s.endless = endless & g.admitted
	s.starts = sow&^endless | s.endless | step
	if s.starts == 0 {
		s.finish(env.Blocked, env.WinFor(s.player.Opponent()))
	}
}

// outcome plays the start of the player to move in the own houses: the houses
// after it and the house of the last piece, which is −1 for an endless relay.
func (s *State) outcome(start int) (after circuit, end int) {
	g := s.game
	after = s.houses[s.player&1]
	if g.packed == nil {
		if end, ok := g.wide.sow(&after, start); ok {
			return after, end
		}
		return s.houses[s.player&1], -1
	}
	var ends [16]uint64
	if g.packed.sow(after[0], g.bit(start), &ends) != 0 {
		return after, -1
	}
	after[0] = ends[start] & boardMask
	return after, int(ends[start] >> placeShift)
}

// Apply plays a.
func (s *State) Apply(a env.Action) {
	g, own, enemy := s.game, &s.houses[s.player&1], &s.houses[s.player&1^1]
	var end int
	if s.known && s.endless == 0 && g.packed != nil {
		moment := s.ends[a&15]
		if single := own[0]>>(a*houseBits&63)&houseMask == 1; single && g.stepping {
			moment, _, _ = g.packed.lap(own[0] | uint64(a)<<placeShift)
		}
		own[0] = moment & boardMask
		end = int(moment >> placeShift)
	} else {
		*own, end = s.outcome(int(a))
	}
	s.player ^= 1
	s.known = false
	s.plies = min(s.plies+1, greatestCounter)
	if prey := &g.prey[end&63]; enemy.meets(&prey.attack) {
		enemy.clear(&prey.taken)
		s.quiet = 0
		s.forget()
		s.note()
		if *enemy == (circuit{}) {
			s.finish(env.WipedOut, env.WinFor(s.player.Opponent()))
		}
		return
	}
	s.quiet = min(s.quiet+1, greatestCounter)
	s.note()
	rules := &g.rules
	switch {
	case end < 0 && rules.Endless == draw:
		s.finish(env.Endless, 0)
	case rules.NoProgress != 0 && s.quiet >= rules.NoProgress:
		s.finish(env.NoProgress, 0)
	case rules.Repetition != 0 && s.occurrences >= rules.Repetition:
		s.finish(env.Repetition, 0)
	}
}

// loot is what a move captures: pieces in the facing attack house and in the
// defence house behind it.
type loot struct {
	attack, defence         int // houses, in the enemy's numbering
	fromAttack, fromDefence int // pieces
}

// lootAt returns what a move of the player to move captures when it ends in an
// own house, −1 for an endless relay.
func (s *State) lootAt(end int) (l loot) {
	g, enemy := s.game, s.player.Opponent()
	if end < g.rules.Columns {
		return l
	}
	l.attack, l.defence = g.facing(end)
	l.fromAttack = s.count(enemy, l.attack)
	if l.fromAttack != 0 && g.rules.Capture == pair {
		l.fromDefence = s.count(enemy, l.defence)
	}
	return l
}

// appendActions appends the houses of a set. Where there is room it writes four
// at a time, since how many there are cannot be foretold.
func (g *game) appendActions(dst []env.Action, set uint64) []env.Action {
	n, begin := bits.OnesCount64(set), len(dst)
	if blocks := (n + 3) &^ 3; cap(dst)-begin >= blocks {
		room := dst[begin : begin+blocks]
		for len(room) >= 4 {
			for i := range room[:4] {
				room[i] = env.Action(g.number[bits.TrailingZeros64(set)&63])
				set &= set - 1
			}
			room = room[4:]
		}
		return dst[:begin+n]
	}
	for ; set != 0; set &= set - 1 {
		dst = append(dst, env.Action(g.number[bits.TrailingZeros64(set)&63]))
	}
	return dst
}

// numbers returns a set with bit i for house i.
func (g *game) numbers(set uint64) uint64 {
	if g.packed == nil {
		return set
	}
	return fold(set) | fold(set>>(4*houseBits))<<4 | fold(set>>(8*houseBits))<<8
}

// fold moves bits 0, 5, 10 and 15 to bits 0 to 3: the product has them at bits 12
// to 15, and all other terms at bits of their own.
func fold(set uint64) uint64 { return set & 0x8421 * 0x1111 >> 12 & 15 }
