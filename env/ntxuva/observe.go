package ntxuva

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
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
	dst = fill(dst[3*size:], size, flag(viewer == env.First))
	dst = fill(dst, size, flag(viewer == s.player))
	if limit := g.rules.NoProgress; limit != 0 {
		dst = fill(dst, size, uint8((min(s.quiet, limit)*255+limit-1)/limit))
	}
	if g.rules.Repetition != 0 {
		fill(dst, size, uint8(s.occurrences))
	}
}

func show(seeds, single, many []uint8, square, count int) {
	seeds[square] = uint8(count)
	single[square] = flag(count == 1)
	many[square] = flag(count >= 2)
}

// fill sets the first size elements and returns the rest.
func fill(dst []uint8, size int, value uint8) []uint8 {
	for i := range dst[:size] {
		dst[i] = value
	}
	return dst[size:]
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
