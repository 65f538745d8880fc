package ntxuva

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// candidates returns the houses from which a start is worth sowing, given those
// with two or more pieces, those with one, and the empty ones. What is no
// candidate is not legal; a candidate is, unless it is endless and that is
// illegal.
func (r *Rules) candidates(many, single, empty uint32, houses int) uint32 {
	if many != 0 && r.Singles == whenForced {
		return many
	}
	if r.SingleStep == emptyOnly {
		nextEmpty := empty>>1 | empty&1<<(houses-1)
		single &= nextEmpty
	}
	return many | single
}

func (s *State) resolvePacked() {
	g, board := s.game, s.houses[s.player&1][0]
	high := packedOnes * (houseMask >> 1)
	manyBits := (board>>1&uint64(high) + uint64(high)) >> (houseBits - 1) & packedOnes
	var starts, endless uint32
	mask := packedMask(manyBits)
	if mask == 0 || g.rules.Singles == always {
		full := packedMask((board&(packedOnes*(houseMask>>1)) + packedOnes*(houseMask>>1) | board) >> (houseBits - 1) & packedOnes)
		mask = g.rules.candidates(mask, full&^mask, ^full&(1<<g.houses-1), g.houses)
	}
	for ; mask != 0; mask &= mask - 1 {
		house := bits.TrailingZeros32(mask)
		end, ok := g.packed.sow(board, house)
		if ok {
			starts |= 1 << house
		} else {
			endless |= 1 << house
		}
		s.ends[house&15] = end
	}
	s.admit(starts, endless)
}

func (s *State) resolveWide() {
	g, own := s.game, &s.houses[s.player&1]
	var many, single, empty uint32
	for i := range g.houses {
		switch own.wide(i) {
		case 0:
			empty |= 1 << i
		case 1:
			single |= 1 << i
		default:
			many |= 1 << i
		}
	}
	var starts, endless uint32
	for mask := g.rules.candidates(many, single, empty, g.houses); mask != 0; mask &= mask - 1 {
		house := bits.TrailingZeros32(mask)
		c := *own
		if _, ok := g.wide.sow(&c, house); ok {
			starts |= 1 << house
		} else {
			endless |= 1 << house
		}
	}
	s.admit(starts, endless)
}

// admit makes endless starts legal where the rules do.
func (s *State) admit(starts, endless uint32) {
	if s.game.rules.Endless == illegal {
		endless = 0
	}
	s.starts, s.endless = starts|endless, endless
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
	moment, ok := g.packed.sow(after[0], start)
	if !ok {
		return after, -1
	}
	after[0] = moment & boardMask
	return after, int(moment >> placeShift)
}

// loot is what a move captures: pieces in the facing attack house and in the
// defence house behind it.
type loot struct {
	attack, defence         int // houses, in the enemy's numbering
	fromAttack, fromDefence int // pieces
}

// lootAt returns what a move of the player to move captures when it ends in an
// own house, −1 for an endless relay.
func (s *State) lootAt(end int) loot {
	g, columns := s.game, s.game.rules.Columns
	if end < columns {
		return loot{}
	}
	column, enemy := 2*columns-1-end, &s.houses[s.player.Opponent()&1]
	l := loot{attack: columns + column, defence: columns - 1 - column}
	l.fromAttack = enemy.count(g.at[l.attack], g.mask)
	if l.fromAttack != 0 && g.rules.Capture == pair {
		l.fromDefence = enemy.count(g.at[l.defence], g.mask)
	}
	return l
}

// Apply plays a.
func (s *State) Apply(a env.Action) {
	var end int
	if s.known && s.game.packed != nil && s.endless == 0 {
		moment := s.ends[a&15]
		s.houses[s.player&1][0] = moment & boardMask
		end = int(moment >> placeShift)
	} else {
		s.houses[s.player&1], end = s.outcome(int(a))
	}
	l := s.lootAt(end)
	mover := s.player
	s.player = mover.Opponent()
	s.known = false
	s.plies++
	if l.fromAttack != 0 {
		s.capture(l)
		return
	}
	s.quiet++
	s.note()
	rules := &s.game.rules
	switch {
	case end < 0 && rules.Endless == draw:
		s.finish(env.Endless, 0)
	case rules.NoProgress != 0 && s.quiet >= rules.NoProgress:
		s.finish(env.NoProgress, 0)
	case rules.Repetition != 0 && s.occurrences >= rules.Repetition:
		s.finish(env.Repetition, 0)
	}
}

// capture takes the loot from the player to move.
func (s *State) capture(l loot) {
	g, victim := s.game, &s.houses[s.player&1]
	victim.clear(g.at[l.attack], g.mask)
	if l.fromDefence != 0 {
		victim.clear(g.at[l.defence], g.mask)
	}
	s.quiet = 0
	s.forget()
	s.note()
	if *victim == (circuit{}) {
		s.finish(env.WipedOut, env.WinFor(s.player.Opponent()))
	}
}
