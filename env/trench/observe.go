package trench

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Planes that every rule set has. Those of switched-off limits are left out;
// the others follow in the order of planes.
const (
	ownPieces   = 0
	enemyPieces = ownPieces + ranks
	landPlane   = enemyPieces + ranks
	trenchPlane = landPlane + 1
	turnPlane   = trenchPlane + 1
	blackPlane  = turnPlane + 1
	ownPoints   = blackPlane + 1
	enemyPoints = ownPoints + 1
	fixedPlanes = enemyPoints + 1
	maxUniform  = fixedPlanes - turnPlane + engine.LimitPlanes + 1
)

func (g *Game) planes() []env.Plane {
	var planes engine.Planes
	for _, side := range [2]struct{ name, whose string }{{"own", "the viewer"}, {"enemy", "the enemy"}} {
		for rank := range ranks {
			name := g.rules.Pieces[letters[rank:rank+1]].Name
			planes.Add(side.name+" "+name, "1 where a %s of %s stands", name, side.whose)
		}
	}
	planes.Add("own territory", "1 in the viewer's territory")
	planes.Add("trench", "1 on the trench")
	planes.AddTurn("Black")
	planes.AddScores(engine.Scale(g.worth), "points", "everywhere the points that %s has captured")
	g.limits.AddPlanes(&planes, "the last capture")
	if g.rules.EqualTurns {
		planes.AddUniform(1, "last move", "1 everywhere while White has the last move that equal turns give")
	}
	return planes
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	viewer &= 1
	dst = dst[:g.spec.ObservationSize()]
	clear(dst)
	toAbs := turn(viewer)
	for owner, first := range [2]int{ownPieces, enemyPieces} {
		planes := dst[first*squares:][:8*squares]
		for rest := s.at[(int(viewer)^owner)&1][viewer]; rest != 0; rest &= rest - 1 {
			square := bits.TrailingZeros64(rest)
			planes[rankOf(s.board[(square^toAbs)&63])*squares|square&63] = 1
		}
	}
	copy(dst[landPlane*squares:], g.ground[:])
	var uniform [maxUniform]uint8
	engine.Fill(dst[turnPlane*squares:], squares, uniform[:s.uniform(uniform[:], viewer)])
}

// uniform writes the values of the uniform planes, which begin with turnPlane,
// and returns how many there are.
func (s *State) uniform(out []uint8, viewer env.Player) int {
	g := s.game
	const fixed = fixedPlanes - turnPlane
	worth := engine.Scale(g.worth)
	*(*[fixed]uint8)(out) = [fixed]uint8{
		engine.Flag(s.Player() == viewer), engine.Flag(viewer == env.First),
		worth.Of(int(s.points[viewer])), worth.Of(int(s.points[viewer^1])),
	}
	n := fixed
	n += g.limits.Observe(out[n:], &s.Base)
	if g.rules.EqualTurns {
		out[n] = engine.Flag(s.Reason == env.NoReason && s.pending())
		n++
	}
	return n
}

// makeGround returns the two planes of the zones.
func makeGround() (ground [2 * squares]uint8) {
	for square := range squares {
		switch zoneOf(square) {
		case ownLand:
			ground[square] = 1
		case trench:
			ground[squares+square] = 1
		}
	}
	return ground
}
