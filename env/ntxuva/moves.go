package ntxuva

import (
	"math/bits"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// Legal implements env.State.
func (s *State) Legal(dst []env.Action) []env.Action {
	s.resolve()
	return appendActions(dst, s.starts)
}

// resolve finds the legal starts, unless they are known. A player without one has
// lost.
func (s *State) resolve() {
	if !s.resolved {
		s.findStarts()
	}
}

func (s *State) findStarts() {
	g := s.game
	s.resolved = true
	var sow, step, endless uint64
	if own := &s.houses[s.Next&1]; g.packed != nil {
		many, single := packedSets(own[0])
		sow, step = g.candidates(many, single)
		endless = g.packed.sow(own[0], sow, &s.ends)
	} else {
		many, single := wideSets(own)
		sow, step = g.candidates(many, single)
		endless = g.wide.endless(own, sow)
	}
	s.endless = endless&g.endlessLegal != 0
	s.starts = g.maskOf(sow&^(endless&^g.endlessLegal) | step)
	if s.starts == 0 {
		s.end(env.WinFor(s.Next.Opponent()), env.Blocked)
	}
}

// candidates divides the houses that may be starts, given the set of houses with two
// seeds or more and that of houses with a single one. A house in sow is legal unless
// its relay is endless, so that it must be sown. A house in step is legal, because
// its single seed goes into an empty house.
func (g *Game) candidates(many, single uint64) (sow, step uint64) {
	if many != 0 && g.onlyForced {
		return many, 0
	}
	if g.onlyEmpty {
		return many, single & g.beforeEmpty(many|single)
	}
	return many | single, 0
}

// beforeEmpty returns the houses before an empty one, given the occupied ones.
func (g *Game) beforeEmpty(occupied uint64) uint64 {
	return g.all &^ (occupied>>g.stride | occupied<<(g.stride*(g.houses-1)))
}

// sow plays the relay of the player to move from a house. It returns the player's
// houses afterwards and the house of the last seed. An endless relay changes nothing;
// its last house is −1.
func (s *State) sow(start int) (after circuit, end int) {
	g := s.game
	before := s.houses[s.Next&1]
	after = before
	if g.packed == nil {
		if end, ok := g.wide.sow(&after, start); ok {
			return after, end
		}
		return before, -1
	}
	var ends [16]uint64
	if g.packed.sow(before[0], g.bit(start), &ends) != 0 {
		return before, -1
	}
	after[0] = ends[start] & boardMask
	return after, int(ends[start] >> placeShift)
}

// captured is what a move captures: the seeds of an attack house and of the defence
// house behind it.
type captured struct {
	attack, defence         int // houses, in the enemy's numbering
	fromAttack, fromDefence int // seeds
}

// capturedAt returns what a move of the player to move captures if it ends in an own
// house, or in −1 for an endless relay.
func (s *State) capturedAt(end int) (c captured) {
	g, enemy := s.game, s.Next.Opponent()
	if end < g.rules.Columns {
		return c
	}
	c.attack, c.defence = g.facing(end)
	c.fromAttack = s.count(enemy, c.attack)
	if c.fromAttack != 0 && g.rules.Capture == pair {
		c.fromDefence = s.count(enemy, c.defence)
	}
	return c
}

// appendActions appends the houses of a mask. It writes four at a time, because their
// number cannot be predicted, and so up to three beyond the end.
func appendActions(dst []env.Action, mask uint32) []env.Action {
	n, begin := bits.OnesCount32(mask), len(dst)
	dst = slices.Grow(dst, n+3)
	for room := dst[begin : begin+(n+3)&^3]; len(room) >= 4; room = room[4:] {
		block := (*[4]env.Action)(room)
		block[0], mask = env.Action(bits.TrailingZeros32(mask)), mask&(mask-1)
		block[1], mask = env.Action(bits.TrailingZeros32(mask)), mask&(mask-1)
		block[2], mask = env.Action(bits.TrailingZeros32(mask)), mask&(mask-1)
		block[3], mask = env.Action(bits.TrailingZeros32(mask)), mask&(mask-1)
	}
	return dst[:begin+n]
}

// maskOf returns a mask with bit i for each house i of a set.
func (g *Game) maskOf(set uint64) uint32 {
	if g.packed == nil {
		return uint32(set)
	}
	return uint32(fold(set) | fold(set>>(4*houseBits))<<4 | fold(set>>(8*houseBits))<<8)
}

// fold moves bits 0, 5, 10 and 15 to bits 0 to 3. The product has them at bits 12 to
// 15, and no other term at these bits.
func fold(set uint64) uint64 { return set & 0x8421 * 0x1111 >> 12 & 15 }
