package tankbattle

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Planes that every rule set has. Those of switched-off limits are left out;
// the others follow in the order of planes.
const (
	ownPieces     = 0 // commander, tanks
	enemyPieces   = ownPieces + 2
	sceneryPlane  = enemyPieces + 2
	sceneryPlanes = 6                            // mines, contaminated, own base, enemy base, own mark, enemy mark
	turnPlane     = sceneryPlane + sceneryPlanes // to move, White, own score, enemy score
	fixedPlanes   = turnPlane + 4
)

func (g *Game) planes() []env.Plane {
	var planes []env.Plane
	add := func(top int, name, format string, args ...any) {
		planes = append(planes, env.Plane{
			Name: name, Description: fmt.Sprintf(format, args...), Max: uint8(top), Uniform: len(planes) >= turnPlane,
		})
	}
	for _, side := range [2][2]string{{"own", "the viewer"}, {"enemy", "the enemy"}} {
		add(1, side[0]+" commander", "1 where the commander of %s stands", side[1])
		add(1, side[0]+" tanks", "1 where an ordinary tank of %s stands", side[1])
	}
	add(1, "mines", "1 on the mines")
	add(1, "contaminated", "1 on the contaminated squares")
	add(1, "own base", "1 in the viewer's base")
	add(1, "enemy base", "1 in the enemy's base")
	add(1, "own mark", "1 on the start square of the viewer's commander")
	add(1, "enemy mark", "1 on the start square of the enemy's commander, the viewer's commander's home")
	add(1, "to move", "1 everywhere when the viewer is to move, 0 also when the game is over")
	add(1, "White", "1 everywhere when the viewer is White")
	add(engine.Scale(g.mostPoints).Max(), "own score", "everywhere what the viewer would score now, %s", engine.Scale(g.mostPoints))
	add(engine.Scale(g.mostPoints).Max(), "enemy score", "everywhere what the enemy would score now, %s", engine.Scale(g.mostPoints))
	if top := g.rules.NoProgress; top > 0 {
		add(engine.Scale(top).Max(), "quiet plies", "everywhere the plies since the last progress, %s", engine.Scale(top))
	}
	if g.rules.Repetition > 0 {
		add(g.rules.Repetition, "occurrences", "everywhere how often the position has occurred, this time included")
	}
	return planes
}

// most is what a side can score at the most.
func (g *Game) most() int {
	p := &g.rules.Points
	tanks := max(g.terrain.base[0].len(), g.terrain.base[1].len()) - 1
	return max(p.CommanderHome, p.CommanderInBase, p.Elsewhere) + tanks*max(p.TankInBase, p.Elsewhere)
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	viewer &= 1
	squares := g.terrain.squares()
	dst = dst[:g.spec.ObservationSize()]
	clear(dst[:sceneryPlane*squares])
	for owner := env.First; owner <= env.Second; owner++ {
		first := ownPieces
		if owner != viewer {
			first = enemyPieces
		}
		for word, rest := range s.pieces[owner] {
			for ; rest != 0; rest &= rest - 1 {
				square := word<<6 | bits.TrailingZeros64(rest)
				plane := first + typeOf(s.board[g.cells[owner][square&127]])
				if owner != viewer {
					square = g.last - square
				}
				dst[plane*squares+square] = 1
			}
		}
	}
	copy(dst[sceneryPlane*squares:], g.scenery[viewer][:sceneryPlanes*squares])
	var numbers [maxNumbers]uint8
	rest := dst[turnPlane*squares:]
	for _, value := range numbers[:s.numbers(&numbers, viewer)] {
		flood(rest[:squares], value)
		rest = rest[squares:]
	}
}

// maxNumbers is the greatest number of planes from turnPlane on.
const maxNumbers = fixedPlanes - turnPlane + 2

// numbers writes what stands everywhere in the planes from turnPlane on, and
// returns how many there are.
func (s *State) numbers(dst *[maxNumbers]uint8, viewer env.Player) int {
	g := s.game
	most := engine.Scale(g.mostPoints)
	*dst = [maxNumbers]uint8{
		engine.Flag(s.Player() == viewer), engine.Flag(viewer == env.First), most.Of(s.Points(viewer)), most.Of(s.Points(viewer ^ 1)),
	}
	n := fixedPlanes - turnPlane
	if top := g.rules.NoProgress; top > 0 {
		dst[n] = engine.Scale(top).Of(int(s.quiet))
		n++
	}
	if top := g.rules.Repetition; top > 0 {
		dst[n] = uint8(min(s.history.Times(), top))
		n++
	}
	return n
}

// flood sets every element of a plane, which has at least 25.
func flood(plane []uint8, value uint8) {
	eight := uint64(value) * 0x0101010101010101
	for i := 0; i+8 <= len(plane); i += 8 {
		binary.LittleEndian.PutUint64(plane[i:], eight)
	}
	binary.LittleEndian.PutUint64(plane[len(plane)-8:], eight)
}

// sceneryOf returns the planes that do not change in a game as sets of squares
// in the viewer's frame.
func (t *terrain) sceneryOf(viewer env.Player) (planes [sceneryPlanes]squareSet) {
	var marks [2]squareSet
	for owner := range marks {
		marks[owner].add(t.commander[owner])
	}
	planes = [sceneryPlanes]squareSet{
		t.mines, t.contaminated, t.base[viewer], t.base[viewer^1], marks[viewer], marks[viewer^1],
	}
	if viewer == env.Second {
		for plane := range planes {
			planes[plane] = planes[plane].turned(t.squares())
		}
	}
	return planes
}

func (g *Game) setScenery() {
	squares := g.terrain.squares()
	for viewer := range env.Player(2) {
		for plane, set := range g.terrain.sceneryOf(viewer) {
			words := (squares + 63) / 64
			copy(g.packedScenery[viewer][plane*words:], set[:words])
			for square := range squares {
				if set.has(square) {
					g.scenery[viewer][plane*squares+square] = 1
				}
			}
		}
	}
}
