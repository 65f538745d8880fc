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
}

// terrains lists the terrains that the layout has. Obstacles are always among them.
func (g *Game) terrains() []terrain {
	list := []terrain{{"obstacles", &g.board.obstacles}}
	for _, extra := range []terrain{{"water", &g.board.water}, {"low obstacles", &g.board.low}, {"hedges", &g.board.hedges}} {
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
	var planes []env.Plane
	add := func(name, format string, args ...any) {
		planes = append(planes, env.Plane{Name: name, Description: fmt.Sprintf(format, args...), Max: 1})
	}
	sides := []struct{ name, whose string }{{"own", "the viewer"}, {"enemy", "the enemy"}}
	for _, side := range sides {
		for i := range g.kinds {
			name := g.rules.Pieces[g.kinds[i].code].Name
			add(side.name+" "+name, "1 where a living %s of %s stands", name, side.whose)
		}
	}
	for d := env.N; d <= env.NW; d++ {
		add(fmt.Sprintf("facing %v", d), "1 where a living piece of either side faces %v in the viewer's frame, where N is ahead", d)
	}
	for _, side := range sides {
		for i := range g.slots {
			add(fmt.Sprintf("%s slot %d", side.name, i), "1 where the piece of slot %d of %s, a %s, stands, as a wreck too", i, side.whose, g.name(i))
		}
	}
	add("wrecks", "1 where a wreck of either side stands")
	for _, terrain := range g.terrains() {
		add(terrain.name, "1 on %s", terrain.name)
	}
	uniform := func(top int, name, format string, args ...any) {
		add(name, format, args...)
		planes[len(planes)-1].Max = uint8(top)
		planes[len(planes)-1].Uniform = true
	}
	uniform(1, "to move", "1 everywhere when the viewer is to move, 0 also when the game is over")
	uniform(1, "White", "1 everywhere when the viewer is White")
	if top := g.rules.NoProgress; top > 0 {
		uniform(engine.Scale(top).Max(), "quiet plies", "everywhere the plies since a piece was destroyed, %s", engine.Scale(top))
	}
	if top := g.rules.Repetition; top > 0 {
		uniform(top, "occurrences", "everywhere how often the position has occurred, this time included")
	}
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

// uniformValues returns the values of the uniform planes, the first n of them.
func (s *State) uniformValues(viewer env.Player) (values [4]uint8, n int) {
	g := s.game
	values[0] = engine.Flag(s.Player() == viewer)
	values[1] = engine.Flag(viewer == env.First)
	n = 2
	if top := g.rules.NoProgress; top > 0 {
		values[n] = engine.Scale(top).Of(int(s.quiet))
		n++
	}
	if top := g.rules.Repetition; top > 0 {
		values[n] = uint8(min(s.history.Times(), top))
		n++
	}
	return values, n
}

// Observe implements env.State.
func (s *State) Observe(dst []uint8, viewer env.Player) {
	g := s.game
	index := &g.planeIndex
	viewer &= 1
	dst = dst[:g.spec.ObservationSize()]
	clear(dst[:index.terrain*g.squares])
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
	values, n := s.uniformValues(viewer)
	for i, value := range values[:n] {
		plane := dst[(index.uniform+i)*g.squares:][:g.squares]
		for square := range plane {
			plane[square] = value
		}
	}
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(bits []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	index := &g.planeIndex
	viewer &= 1
	words := g.spec.PlaneWords()
	bits = bits[:index.uniform*words]
	clear(bits[:index.terrain*words])
	for owner := range s.tanks {
		for slot := range g.slots {
			t := &s.tanks[owner][slot&(maxSlots-1)]
			if t.fate != living && t.fate != wreck {
				continue
			}
			at := g.frame(viewer, int(t.square))
			word, bit := at>>6, uint64(1)<<(at&63)
			a, b, c := index.planesOf(owner^int(viewer), slot, t.facing.Turned(4*int(viewer)), t.fate == living)
			bits[a*words+word] |= bit
			bits[b*words+word] |= bit
			bits[c*words+word] |= bit
		}
	}
	copy(bits[index.terrain*words:], index.terrainBits[viewer])
	values, n := s.uniformValues(viewer)
	copy(scalars, values[:n])
}
