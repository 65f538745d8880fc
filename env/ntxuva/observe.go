package ntxuva

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// The planes by index. The uniform ones follow in the order of planes; those of
// switched-off limits are left out.
const (
	seedsPlane = iota
	singlePlane
	manyPlane
	boardPlanes
	maxUniform = 2 + engine.LimitPlanes
)

// planes describes what Observe writes. A plane has four rows of houses, as the
// viewer sees them: own defence, own attack, enemy's attack, enemy's defence.
func (g *Game) planes() []env.Plane {
	planes := engine.Planes{{Name: "seeds", Max: uint8(g.maxSeeds()), Description: "seeds in the house; the viewer's own in the two lower rows"}}
	planes.Add("single", "1 if the house holds exactly one seed")
	planes.Add("many", "1 if the house holds two seeds or more")
	planes.AddUniform(1, "viewer is South", "1 everywhere if the viewer is South, who moved first")
	planes.AddUniform(1, "viewer to move", "1 everywhere if the viewer is to move, or would be if the game were not over")
	if quiet := g.limits.Quiet; quiet != engine.NoLimit {
		planes.AddUniform(255, "quiet", "everywhere the plies since the last capture, at most %d, times 255/%d and rounded up", quiet, quiet)
	}
	if times := g.limits.Times; times != engine.NoLimit {
		planes.AddUniform(int(times), "occurrences", "everywhere how often the position has occurred, this time included")
	}
	return planes
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	size := 4 * g.rules.Columns
	dst = dst[:g.spec.ObservationSize()]
	seeds, single, many := dst[:size], dst[singlePlane*size:][:size], dst[manyPlane*size:][:size]
	own, enemy := &s.houses[viewer&1], &s.houses[viewer&1^1]
	for house := range g.houses {
		square := ownSquare(house, g.rules.Columns)
		show(seeds, single, many, square, own.count(g.at[house], g.mask))
		show(seeds, single, many, size-1-square, enemy.count(g.at[house], g.mask))
	}
	dst = dst[boardPlanes*size:]
	clear(dst)
	var uniform [maxUniform]uint8
	engine.Fill(dst, size, uniform[:s.uniform(uniform[:], viewer)])
}

// show writes the seeds of a house to the planes of the board.
func show(seeds, single, many []uint8, square, count int) {
	seeds[square] = uint8(count)
	single[square] = engine.Flag(count == 1)
	many[square] = engine.Flag(count >= 2)
}

// uniform writes the values of the uniform planes and returns how many there are.
func (s *State) uniform(out []uint8, viewer env.Player) (n int) {
	limits := &s.game.limits
	*(*[2]uint8)(out) = [2]uint8{engine.Flag(viewer == env.First), engine.Flag(viewer == s.Next)}
	n = 2
	if limit := uint32(limits.Quiet); limit != engine.NoLimit {
		out[n] = uint8((min(uint32(s.Quiet), limit)*255 + limit - 1) / limit)
		n++
	}
	if limits.Times != engine.NoLimit {
		out[n] = uint8(s.History.Times())
		n++
	}
	return n
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
