package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// planes describes what Observe writes. A plane has four rows of houses as the
// viewer sees them: the own defence, the own attack, the enemy's attack, the
// enemy's defence.
func planes(r *Rules) []env.Plane {
	list := []env.Plane{
		{Name: "seeds", Max: uint8(2 * r.Columns * r.Seeds), Description: "seeds in the house; the own ones in the two lower rows"},
		{Name: "single", Max: 1, Description: "1 where the house holds exactly one seed"},
		{Name: "many", Max: 1, Description: "1 where the house holds two seeds or more"},
		{Name: "viewer is South", Max: 1, Uniform: true, Description: "1 everywhere when the viewer is South, who moved first"},
		{Name: "viewer to move", Max: 1, Uniform: true, Description: "1 everywhere when the viewer is to move, or would be if the game were not over"},
	}
	if r.NoProgress != 0 {
		list = append(list, env.Plane{Name: "quiet", Max: 255, Uniform: true,
			Description: fmt.Sprintf("everywhere the plies since the last capture, %d at most, times 255/%d, rounded up", r.NoProgress, r.NoProgress)})
	}
	if r.Repetition != 0 {
		list = append(list, env.Plane{Name: "occurrences", Max: uint8(r.Repetition), Uniform: true,
			Description: "everywhere the number of times the position has occurred, this one included"})
	}
	return list
}

// Observe writes the planes as viewer sees them.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	columns := g.rules.Columns
	size := 4 * columns
	dst = dst[:g.spec.ObservationSize()]
	seeds, single, many := dst[:size], dst[size:2*size], dst[2*size:3*size]
	own, enemy := &s.houses[viewer&1], &s.houses[viewer&1^1]
	for house := range g.houses {
		square := ownSquare(house, columns)
		show(seeds, single, many, square, own.count(g.at[house], g.mask))
		show(seeds, single, many, size-1-square, enemy.count(g.at[house], g.mask))
	}
	dst = dst[3*size:]
	var uniform [uniformPlanes]uint8
	for i := range s.uniform(uniform[:], viewer) {
		dst = fill(dst, size, uniform[i])
	}
}

// uniformPlanes is the greatest number of uniform planes.
const uniformPlanes = 4

// uniform writes the values of the planes that are uniform and returns how many
// there are.
func (s *State) uniform(out []uint8, viewer env.Player) (n int) {
	rules := &s.game.rules
	*(*[2]uint8)(out) = [2]uint8{engine.Flag(viewer == env.First), engine.Flag(viewer == s.player)}
	n = 2
	if limit := uint32(rules.NoProgress); limit != 0 {
		out[n] = uint8((min(uint32(s.quiet), limit)*255 + limit - 1) / limit)
		n++
	}
	if rules.Repetition != 0 {
		out[n] = uint8(s.occurrences)
		n++
	}
	return n
}

// ObserveBits writes the packed observation as viewer sees it.
func (s *State) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	own, enemy := &s.houses[viewer&1], &s.houses[viewer&1^1]
	seeds := packed[:g.seedBits]
	if g.packed != nil {
		half := 2 * g.rules.Columns
		lower, upper := g.lanes.of(0, own[0]), g.lanes.of(1, enemy[0])
		for bit := range seeds {
			shift := bit * laneBits
			seeds[bit] = lower>>shift&laneMask | upper>>shift&laneMask<<half
		}
	} else {
		clear(seeds)
		for house := range g.houses {
			square := ownSquare(house, g.rules.Columns)
			pile(seeds, square, own.count(g.at[house], g.mask))
			pile(seeds, 4*g.rules.Columns-1-square, enemy.count(g.at[house], g.mask))
		}
	}
	many := uint64(0)
	for _, plane := range seeds[1:] {
		many |= plane
	}
	packed[g.seedBits], packed[g.seedBits+1] = seeds[0]&^many, many
	s.uniform(scalars, viewer)
}

// pile sets the bits of a number of seeds on a square.
func pile(seeds []uint64, square, count int) {
	for bit := range seeds {
		seeds[bit] |= uint64(count>>bit&1) << square
	}
}

// Lanes are the houses of one player the other way round: the bits of one weight
// of all houses side by side, as a bit plane wants them.
const (
	laneBits = packedHouses
	laneMask = 1<<laneBits - 1
)

// lanes is what two houses with each number of seeds give: bit b of the number at
// the square of the house in lane b, for the lower half of the viewer's board and
// for the upper.
type lanes [2][packedHouses / 2][1 << (2 * houseBits)]uint64

func newLanes(columns int) *lanes {
	l := new(lanes)
	for house := range 2 * columns {
		square, shift := ownSquare(house, columns), house%2*houseBits
		for counts := range 1 << (2 * houseBits) {
			for bit := range houseBits {
				one := uint64(counts >> shift >> bit & 1)
				l[0][house/2][counts] |= one << (bit*laneBits + square)
				l[1][house/2][counts] |= one << (bit*laneBits + 2*columns - 1 - square)
			}
		}
	}
	return l
}

// of returns the lanes of a packed circuit.
func (l *lanes) of(half int, houses uint64) (sum uint64) {
	table := &l[half]
	for i := range table {
		sum |= table[i][houses>>(2*houseBits*i)&(1<<(2*houseBits)-1)]
	}
	return sum
}

func show(seeds, single, many []uint8, square, count int) {
	seeds[square] = uint8(count)
	single[square] = engine.Flag(count == 1)
	many[square] = engine.Flag(count >= 2)
}

// fill sets the first size elements and returns the rest.
func fill(dst []uint8, size int, value uint8) []uint8 {
	for i := range dst[:size] {
		dst[i] = value
	}
	return dst[size:]
}
