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
