package tankbattle

import (
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
	var planes engine.Planes
	for _, side := range [2]struct{ name, whose string }{{"own", "the viewer"}, {"enemy", "the enemy"}} {
		planes.Add(side.name+" commander", "1 where the commander of %s stands", side.whose)
		planes.Add(side.name+" tanks", "1 where an ordinary tank of %s stands", side.whose)
	}
	planes.Add("mines", "1 on the mines")
	planes.Add("contaminated", "1 on the contaminated squares")
	planes.Add("own base", "1 in the viewer's base")
	planes.Add("enemy base", "1 in the enemy's base")
	planes.Add("own mark", "1 on the start square of the viewer's commander")
	planes.Add("enemy mark", "1 on the start square of the enemy's commander, the viewer's commander's home")
	planes.AddTurn("White")
	planes.AddScores(engine.Scale(g.mostPoints), "score", "everywhere what %s would score now")
	g.limits.AddPlanes(&planes, "the last progress")
	return planes
}

// most is the greatest score of a side.
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
	clear(dst)
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
	var uniform [maxUniform]uint8
	engine.Fill(dst[turnPlane*squares:], squares, uniform[:s.uniform(&uniform, viewer)])
}

// maxUniform is the greatest number of uniform planes, which begin with turnPlane.
const maxUniform = fixedPlanes - turnPlane + engine.LimitPlanes

// uniform writes the values of the uniform planes and returns how many there are.
func (s *State) uniform(dst *[maxUniform]uint8, viewer env.Player) int {
	most := engine.Scale(s.game.mostPoints)
	const fixed = fixedPlanes - turnPlane
	*(*[fixed]uint8)(dst[:]) = [fixed]uint8{
		engine.Flag(s.Player() == viewer), engine.Flag(viewer == env.First), most.Of(s.Points(viewer)), most.Of(s.Points(viewer ^ 1)),
	}
	return fixed + s.game.limits.Observe(dst[fixed:], &s.Base)
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
