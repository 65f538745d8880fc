package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// planeIndex is the layout of observations: the first plane of each group, and the
// planes of the terrain as each player sees them.
type planeIndex struct {
	own, enemy           int // by kind
	facing               int // by direction
	ownSlots, enemySlots int
	wrecks               int
	terrain              int                                   // by terrains
	uniform              int                                   // planes of numbers, each the same everywhere
	slots                [2][maxSlots]struct{ kind, slot int } // planes of a slot's piece, of the viewer's side and of the enemy
	terrainPlanes        [2][]uint8                            // by viewer
	terrainBits          [2][]uint64                           // the same packed
}

// terrain is one kind of terrain.
type terrain struct {
	name    string
	squares *squareSet
	ground  env.Ground
}

// terrains lists the terrains that the layout has. Obstacles are always among them.
func (g *Game) terrains() []terrain {
	list := []terrain{{"obstacles", &g.board.obstacles, env.Obstacle}}
	for _, extra := range []terrain{
		{"water", &g.board.water, env.Water}, {"low obstacles", &g.board.low, env.LowObstacle}, {"hedges", &g.board.hedges, env.Hedge},
	} {
		if *extra.squares != (squareSet{}) {
			list = append(list, extra)
		}
	}
	return list
}

func (g *Game) makePlaneIndex() (index planeIndex) {
	terrains := g.terrains()
	index.enemy = len(g.kinds)
	index.facing = index.enemy + len(g.kinds)
	index.ownSlots = index.facing + 8
	index.enemySlots = index.ownSlots + len(g.slots)
	index.wrecks = index.enemySlots + len(g.slots)
	index.terrain = index.wrecks + 1
	index.uniform = index.terrain + len(terrains)
	for i, slot := range g.slots {
		index.slots[0][i].kind, index.slots[0][i].slot = index.own+slot.kind, index.ownSlots+i
		index.slots[1][i].kind, index.slots[1][i].slot = index.enemy+slot.kind, index.enemySlots+i
	}
	words := (g.squares + 63) / 64
	for viewer := range index.terrainPlanes {
		index.terrainPlanes[viewer] = make([]uint8, len(terrains)*g.squares)
		index.terrainBits[viewer] = make([]uint64, len(terrains)*words)
		for i, terrain := range terrains {
			for square := range g.squares {
				if terrain.squares.has(square) {
					seen := g.frame(env.Player(viewer), square)
					index.terrainPlanes[viewer][i*g.squares+seen] = 1
					index.terrainBits[viewer][i*words+seen/64] |= 1 << (seen % 64)
				}
			}
		}
	}
	return index
}

func (g *Game) planes() []env.Plane {
	var planes engine.Planes
	sides := [2]struct{ name, whose string }{{"own", "the viewer"}, {"enemy", "the enemy"}}
	for _, side := range sides {
		for i := range g.kinds {
			name := g.rules.Pieces[g.kinds[i].code].Name
			planes.Add(side.name+" "+name, "1 where a living %s of %s stands", name, side.whose)
		}
	}
	for d := env.N; d <= env.NW; d++ {
		planes.Add(fmt.Sprintf("facing %v", d), "1 where a living piece of either side faces %v in the viewer's frame, where N is ahead", d)
	}
	for _, side := range sides {
		for i := range g.slots {
			planes.Add(fmt.Sprintf("%s slot %d", side.name, i), "1 where the piece in slot %d of %s, a %s, stands, living or a wreck", i, side.whose, g.name(i))
		}
	}
	planes.Add("wrecks", "1 where a wreck of either side stands")
	for _, terrain := range g.terrains() {
		planes.Add(terrain.name, "1 on %s", terrain.name)
	}
	planes.AddTurn("White")
	g.limits.AddPlanes(&planes, "a piece was destroyed")
	return planes
}

// planesOf returns the planes in which a piece on the board shows. Side is 0 for the
// viewer's pieces and 1 for the enemy's.
func (index *planeIndex) planesOf(side, slot int, facing env.Direction, living bool) (a, b, c int) {
	p := &index.slots[side&1][slot&(maxSlots-1)]
	if !living {
		return p.slot, index.wrecks, index.wrecks
	}
	return p.slot, p.kind, index.facing + int(facing&7)
}

// fixedUniform is the number of uniform planes that every rule set has.
const fixedUniform = 2

// uniform writes the values of the uniform planes and returns how many there are.
func (s *State) uniform(out []uint8, viewer env.Player) int {
	*(*[fixedUniform]uint8)(out) = [fixedUniform]uint8{engine.Flag(s.Player() == viewer), engine.Flag(viewer == env.First)}
	return fixedUniform + s.game.limits.Observe(out[fixedUniform:], &s.Base)
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	index := &g.planeIndex
	viewer &= 1
	dst = dst[:g.spec.ObservationSize()]
	clear(dst)
	for owner := range s.tanks {
		for slot := range g.slots {
			t := &s.tanks[owner][slot]
			if t.fate != living && t.fate != wreck {
				continue
			}
			at := g.frame(viewer, int(t.square))
			a, b, c := index.planesOf(owner^int(viewer), slot, t.facing.Turned(4*int(viewer)), t.fate == living)
			dst[a*g.squares+at], dst[b*g.squares+at], dst[c*g.squares+at] = 1, 1, 1
		}
	}
	copy(dst[index.terrain*g.squares:], index.terrainPlanes[viewer])
	var uniform [fixedUniform + engine.LimitPlanes]uint8
	engine.Fill(dst[index.uniform*g.squares:], g.squares, uniform[:s.uniform(uniform[:], viewer)])
}
