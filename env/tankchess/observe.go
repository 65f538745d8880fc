package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// view is how observations are laid out: where each group of planes begins, and
// the terrain as each player sees it.
type view struct {
	own, enemy           int // by kind
	facing               int // by direction
	ownSlots, enemySlots int
	wrecks               int
	scenery              int                                   // terrain that the layout has
	uniform              int                                   // numbers, each the same everywhere
	slots                [2][maxSlots]struct{ kind, slot int } // planes of a slot's piece, of the viewer's side and of the enemy
	planes               [2][]uint8                            // the planes of the scenery, by viewer
	bits                 [2][]uint64                           // the same packed
}

// sight is a terrain as an observation shows it.
type sight struct {
	name    string
	squares *board
}

// sights lists the terrain that the layout has; obstacles always have a plane.
func (g *Game) sights() []sight {
	list := []sight{{"obstacles", &g.ground.obstacles}}
	for _, extra := range []sight{{"water", &g.ground.water}, {"low obstacles", &g.ground.low}, {"hedges", &g.ground.hedges}} {
		if *extra.squares != (board{}) {
			list = append(list, extra)
		}
	}
	return list
}

func (g *Game) makeView() (v view) {
	sights := g.sights()
	v.enemy = len(g.kinds)
	v.facing = v.enemy + len(g.kinds)
	v.ownSlots = v.facing + 8
	v.enemySlots = v.ownSlots + len(g.slots)
	v.wrecks = v.enemySlots + len(g.slots)
	v.scenery = v.wrecks + 1
	v.uniform = v.scenery + len(sights)
	for i, slot := range g.slots {
		v.slots[0][i].kind, v.slots[0][i].slot = v.own+slot.kind, v.ownSlots+i
		v.slots[1][i].kind, v.slots[1][i].slot = v.enemy+slot.kind, v.enemySlots+i
	}
	words := (g.squares + 63) / 64
	for viewer := range v.planes {
		v.planes[viewer] = make([]uint8, len(sights)*g.squares)
		v.bits[viewer] = make([]uint64, len(sights)*words)
		for i, terrain := range sights {
			for square := range g.squares {
				if terrain.squares.has(square) {
					seen := g.frame(env.Player(viewer), square)
					v.planes[viewer][i*g.squares+seen] = 1
					v.bits[viewer][i*words+seen/64] |= 1 << (seen % 64)
				}
			}
		}
	}
	return v
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
	for _, terrain := range g.sights() {
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

// marks returns the planes in which a piece on the board shows. The viewer's own
// side is 0.
func (v *view) marks(side, slot int, facing env.Direction, living bool) (a, b, c int) {
	p := &v.slots[side&1][slot&(maxSlots-1)]
	if !living {
		return p.slot, v.wrecks, v.wrecks
	}
	return p.slot, p.kind, v.facing + int(facing&7)
}

// numbers returns the values of the uniform planes, the first n of them.
func (s *State) numbers(viewer env.Player) (values [4]uint8, n int) {
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
	v := &g.view
	viewer &= 1
	dst = dst[:g.spec.ObservationSize()]
	clear(dst[:v.scenery*g.squares])
	for owner := range s.tanks {
		for slot := range g.slots {
			t := &s.tanks[owner][slot]
			if t.fate != living && t.fate != wreck {
				continue
			}
			at := g.frame(viewer, int(t.square))
			a, b, c := v.marks(owner^int(viewer), slot, t.facing.Turned(4*int(viewer)), t.fate == living)
			dst[a*g.squares+at], dst[b*g.squares+at], dst[c*g.squares+at] = 1, 1, 1
		}
	}
	copy(dst[v.scenery*g.squares:], v.planes[viewer])
	values, n := s.numbers(viewer)
	for i, value := range values[:n] {
		plane := dst[(v.uniform+i)*g.squares:][:g.squares]
		for square := range plane {
			plane[square] = value
		}
	}
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(bits []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	v := &g.view
	viewer &= 1
	words := g.spec.PlaneWords()
	bits = bits[:v.uniform*words]
	clear(bits[:v.scenery*words])
	for owner := range s.tanks {
		for slot := range g.slots {
			t := &s.tanks[owner][slot&(maxSlots-1)]
			if t.fate != living && t.fate != wreck {
				continue
			}
			at := g.frame(viewer, int(t.square))
			word, bit := at>>6, uint64(1)<<(at&63)
			a, b, c := v.marks(owner^int(viewer), slot, t.facing.Turned(4*int(viewer)), t.fate == living)
			bits[a*words+word] |= bit
			bits[b*words+word] |= bit
			bits[c*words+word] |= bit
		}
	}
	copy(bits[v.scenery*words:], v.bits[viewer])
	values, n := s.numbers(viewer)
	copy(scalars, values[:n])
}
