package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// LegalMask implements env.Masker. The mask is one word.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	s.resolve()
	mask[0] = uint64(s.starts)
	return appendActions(dst, s.starts)
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	own, enemy := &s.houses[viewer&1], &s.houses[viewer&1^1]
	seeds := packed[:g.seedPlanes]
	if g.packed != nil {
		half := g.houses
		lower, upper := g.bitPlanes.of(0, own[0]), g.bitPlanes.of(1, enemy[0])
		for bit := range seeds {
			shift := bit * laneBits
			seeds[bit] = lower>>shift&laneMask | upper>>shift&laneMask<<half
		}
	} else {
		clear(seeds)
		for house := range g.houses {
			square := ownSquare(house, g.rules.Columns)
			addBits(seeds, square, own.count(g.at[house], g.mask))
			addBits(seeds, 4*g.rules.Columns-1-square, enemy.count(g.at[house], g.mask))
		}
	}
	many := uint64(0)
	for _, plane := range seeds[1:] {
		many |= plane
	}
	packed[g.seedPlanes], packed[g.seedPlanes+1] = seeds[0]&^many, many
	s.uniform(scalars, viewer)
}

// addBits sets the bits of a number of seeds on a square.
func addBits(seeds []uint64, square, count int) {
	for bit := range seeds {
		seeds[bit] |= uint64(count>>bit&1) << square
	}
}

// The bit planes of a packed circuit are computed in one word, which has a lane for
// each bit of a number of seeds, and in each lane a bit for each house.
const (
	laneBits = packedHouses
	laneMask = 1<<laneBits - 1
)

// bitPlanes gives the lanes of two neighbouring houses, by the seeds in both: for the
// lower half of the viewer's board and for the upper.
type bitPlanes [2][packedHouses / 2][1 << (2 * houseBits)]uint64

func newBitPlanes(columns int) *bitPlanes {
	planes := new(bitPlanes)
	for house := range 2 * columns {
		square, shift := ownSquare(house, columns), house%2*houseBits
		for counts := range 1 << (2 * houseBits) {
			for bit := range houseBits {
				one := uint64(counts >> shift >> bit & 1)
				planes[0][house/2][counts] |= one << (bit*laneBits + square)
				planes[1][house/2][counts] |= one << (bit*laneBits + 2*columns - 1 - square)
			}
		}
	}
	return planes
}

// of returns the lanes of a packed circuit in a half of the board.
func (p *bitPlanes) of(half int, houses uint64) (lanes uint64) {
	table := &p[half]
	for i := range table {
		lanes |= table[i][houses>>(2*houseBits*i)&(1<<(2*houseBits)-1)]
	}
	return lanes
}
