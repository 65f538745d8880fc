package trench

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
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
	maxPlanes   = fixedPlanes + 4
)

func (g *Game) planes() []env.Plane {
	var planes []env.Plane
	add := func(top int, name, format string, args ...any) {
		planes = append(planes, env.Plane{Name: name, Description: fmt.Sprintf(format, args...), Max: uint8(top),
			Uniform: len(planes) >= turnPlane})
	}
	for _, side := range []string{"own", "enemy"} {
		for rank := range ranks {
			name := g.rules.Pieces[letters[rank:rank+1]].Name
			add(1, side+" "+name, "1 where a %s of %s stands", name, map[string]string{"own": "the viewer", "enemy": "the enemy"}[side])
		}
	}
	add(1, "own territory", "1 in the viewer's territory")
	add(1, "trench", "1 on the trench")
	add(1, "to move", "1 everywhere when the viewer is to move, 0 also when the game is over")
	add(1, "Black", "1 everywhere when the viewer is Black")
	for _, side := range []string{"own", "enemy"} {
		top := g.worth
		add(env.Scale(top).Max(), side+" points", "everywhere the points that the %s has captured, %s", map[string]string{"own": "viewer", "enemy": "enemy"}[side], env.Scale(top))
	}
	if top := g.rules.NoProgress; top > 0 {
		add(env.Scale(top).Max(), "quiet plies", "everywhere the plies since the last capture, %s", env.Scale(top))
	}
	if g.rules.Repetition > 0 {
		add(g.rules.Repetition, "occurrences", "everywhere how often the position has occurred, this time included")
	}
	if top := 2 * g.rules.MovesEach; top > 0 {
		add(env.Scale(top).Max(), "plies", "everywhere the plies played, %s", env.Scale(top))
	}
	if g.rules.EqualTurns {
		add(1, "last move", "1 everywhere while White has the last move that equal turns give")
	}
	return planes
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	viewer &= 1
	dst = dst[:g.spec.ObservationSize()]
	clear(dst)
	for owner, first := range [2]int{ownPieces, enemyPieces} {
		toAbs := turn(viewer)
		for rest := s.at[int(viewer)^owner][viewer]; rest != 0; rest &= rest - 1 {
			square := bits.TrailingZeros64(rest)
			dst[(first+rankOf(s.board[square^toAbs]))*squares+square] = 1
		}
	}
	copy(dst[landPlane*squares:], g.ground[:])
	var uniform [maxPlanes]uint8
	for i := range s.uniform(uniform[:], viewer) {
		flood(dst, turnPlane+i, uniform[i])
	}
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	viewer &= 1
	out := (*[turnPlane]uint64)(packed)
	own, enemy := &s.kinds[viewer], &s.kinds[viewer^1]
	if viewer == env.First {
		for rank := range ranks {
			out[ownPieces+rank], out[enemyPieces+rank] = own[rank], enemy[rank]
		}
	} else {
		for rank := range ranks {
			out[ownPieces+rank], out[enemyPieces+rank] = bits.Reverse64(own[rank]), bits.Reverse64(enemy[rank])
		}
	}
	out[landPlane], out[trenchPlane] = ^(trenchSquares | enemySquares), trenchSquares
	s.uniform(scalars, viewer)
}

// uniform writes the values of the uniform planes, which begin with turnPlane,
// and returns how many there are.
func (s *State) uniform(out []uint8, viewer env.Player) int {
	g := s.game
	const fixed = fixedPlanes - turnPlane
	worth := env.Scale(g.worth)
	*(*[fixed]uint8)(out) = [fixed]uint8{
		env.Flag(s.Player() == viewer), env.Flag(viewer == env.First),
		worth.Of(int(s.points[viewer])), worth.Of(int(s.points[viewer^1])),
	}
	n := fixed
	if top := g.rules.NoProgress; top > 0 {
		out[n] = env.Scale(top).Of(int(s.quiet))
		n++
	}
	if g.rules.Repetition > 0 {
		out[n] = uint8(min(s.history.Times(), g.rules.Repetition))
		n++
	}
	if top := 2 * g.rules.MovesEach; top > 0 {
		out[n] = env.Scale(top).Of(int(s.plies))
		n++
	}
	if g.rules.EqualTurns {
		out[n] = env.Flag(s.reason == env.NoReason && s.pending())
		n++
	}
	return n
}

// flood sets every element of a plane.
func flood(dst []uint8, plane int, value uint8) {
	if value == 0 {
		return
	}
	p := (*[squares]uint8)(dst[plane*squares:])
	eight := uint64(value) * 0x0101010101010101
	for i := 0; i < squares; i += 8 {
		binary.LittleEndian.PutUint64(p[i:], eight)
	}
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
