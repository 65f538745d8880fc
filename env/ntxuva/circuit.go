package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// circuit holds the houses of one player. The packed kernel uses only the first
// word. In the wide kernel, house i is byte i%8 of word i/8.
type circuit [maxHouses / 8]uint64

// place is where a house is in a circuit.
type place struct{ word, shift uint8 }

// count returns the seeds of a house.
func (c *circuit) count(at place, mask uint64) int {
	return int(c[at.word&3] >> (at.shift & 63) & mask)
}

// add adds seeds to a house. The number may be negative.
func (c *circuit) add(at place, seeds int) { c[at.word&3] += uint64(seeds) << (at.shift & 63) }

// empty reports whether no house has seeds.
func (c *circuit) empty() bool { return c[0]|c[1]|c[2]|c[3] == 0 }

// meets reports whether there are seeds under a mask.
func (c *circuit) meets(mask *circuit) bool {
	return c[0]&mask[0]|c[1]&mask[1]|c[2]&mask[2]|c[3]&mask[3] != 0
}

// clear removes the seeds under a mask.
func (c *circuit) clear(mask *circuit) {
	c[0] &^= mask[0]
	c[1] &^= mask[1]
	c[2] &^= mask[2]
	c[3] &^= mask[3]
}

// count returns the seeds of a player's house.
func (s *State) count(owner env.Player, house int) int {
	return s.houses[owner&1].count(s.game.at[house], s.game.mask)
}
