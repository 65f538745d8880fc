package tankchess

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// Shots are rare, so they are looked for from the enemies. How far an enemy is
// seen in each direction is compared, all eight directions at once, with how far
// it would have to be seen for some end state of a piece to hit it there; that
// depends only on the kind of piece, its facing and the offset between the two.
// The few pairs that are left are gone through square by square.

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
	never     = 0x7f // a distance that no sight has
	through   = 0x60 // added to the sight of a gun that fires over things
)

// An aim is what the shots of a kind of piece depend on.
type aim struct {
	// needed[class][offset] has in byte d the distance from which an enemy at
	// that offset must be seen in direction d, for the facings N and NE; other
	// facings look at a board turned to meet them.
	needed [2][]uint64
	// useful[class][offset] has in byte d the greatest distance from which some
	// end state hits an enemy at that offset in direction d.
	useful  [2][]uint64
	arcs    []arc
	power   uint64 // in every byte, with its high bit
	through uint64 // in every byte
}

// An arc is a direction in which a gun fires.
type arc struct {
	turn  env.Direction // clockwise from the facing
	first int16         // number of its first shot
}

// target is an enemy as those who aim at it see it.
type target struct {
	sight  uint64
	armour uint64    // byte d: 1 + the armour that a shell flying in direction d hits
	place  [4]uint16 // see turnedPlaces
	square int32
	spot   spot
}

// targets are the living pieces of a side.
type targets struct {
	n    int
	list [maxSlots]target
}

// A scratch is what a state needs room for while it lists actions. It fills
// whole cache lines, as states do.
type scratch struct {
	targets targets
	fire    []uint64 // of one piece: its shots, see aim
	_       [32]byte
}

// turnedPlaces gives a square a number on the board as it is, and on the boards
// turned by one, two and three quarters so that E, S and W are ahead. The
// difference between two numbers is an offset.
func (g *Game) turnedPlaces(x, y int) [4]uint16 {
	last := g.size - 1
	place := func(x, y int) uint16 { return uint16(y*2*g.size + x) }
	return [4]uint16{place(x, y), place(last-y, x), place(last-x, last-y), place(y, last-x)}
}

// newAim makes the tables of a kind of piece.
func (g *Game) newAim(k *kind) aim {
	a := aim{power: uint64(k.power)*everyByte | highBits}
	if k.gun.Indirect {
		a.through = through * everyByte
	}
	for i, turn := range k.gun.Arcs {
		a.arcs = append(a.arcs, arc{turn: env.Direction(turn & 7), first: int16(k.firstShot[i])})
	}
	for class := range a.needed {
		a.needed[class], a.useful[class] = g.distances(k, class)
	}
	return a
}

// distances makes a class of aim.needed and aim.useful.
func (g *Game) distances(k *kind, class int) (needed, useful []uint64) {
	needed, useful = make([]uint64, 2*g.centre+1), make([]uint64, 2*g.centre+1)
	for i := range needed {
		needed[i] = never * everyByte
	}
	on := func(o offset) bool { return max(abs(o.dx), abs(o.dy)) < g.size }
	lower := func(o offset, d env.Direction, distance int) {
		at := &needed[g.centre+o.dy*2*g.size+o.dx]
		if distance < along(*at, d) {
			*at = *at&^(0xff<<(8*d)) | uint64(distance)<<(8*d)
		}
	}
	for _, end := range g.templates.lists[class][:g.templates.prefix[class][k.speed]] {
		for _, arc := range k.gun.Arcs {
			d := env.Direction(class).Turned(int(end.turn) + arc)
			dx, dy := d.Delta()
			for distance := k.least; distance <= min(k.greatest, g.size-1); distance++ {
				o := offset{int(end.dx) + distance*dx, int(end.dy) + distance*dy}
				if !on(o) {
					continue
				}
				lower(o, d, distance+1)
				if most := &useful[g.centre+o.dy*2*g.size+o.dx]; distance > along(*most, d) {
					*most = *most&^(0xff<<(8*d)) | uint64(distance)<<(8*d)
				}
			}
		}
	}
	if k.gun.Indirect {
		return needed, useful
	}
	// What stops the line may be the piece itself, which will have left.
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		for distance := 1; distance < g.size; distance++ {
			if o := (offset{distance * dx, distance * dy}); along(needed[g.centre+o.dy*2*g.size+o.dx], d) < never {
				lower(o, d, distance)
			}
		}
	}
	return needed, useful
}

// look lists the living pieces of a side for those who aim at them.
func (s *State) look(t *targets, owner env.Player) {
	n := 0
	for slot := range s.game.slots {
		if s.tanks[owner&1][slot&(maxSlots-1)].fate == living {
			s.see(&t.list[n&(maxSlots-1)], owner, slot)
			n++
		}
	}
	t.n = n
}

// see describes a living piece to those who aim at it.
func (s *State) see(t *target, owner env.Player, slot int) {
	g := s.game
	tank := &s.tanks[owner&1][slot&(maxSlots-1)]
	square := int(tank.square)
	t.sight = s.lines.sight(&g.crossings[square])
	t.armour = g.kindOf[slot&(maxSlots-1)].faces[tank.facing&7]
	t.place, t.square, t.spot = g.places[square], int32(square), g.spots[square]
	if g.hedged {
		t.sight = s.overHedges(t.sight, square)
	}
}

// overHedges adds to a sight the hedges that end it: from the square of a hedge
// one can fire.
func (s *State) overHedges(sight uint64, square int) uint64 {
	g := s.game
	for d := env.N; d <= env.NW; d++ {
		back := d.Turned(4)
		distance := along(sight, d)
		if at := square + distance*g.step[back]; distance <= int(g.run[back][square]) && g.ground.hedges.has(at) && s.at[at] == nobody {
			sight += 1 << (8 * d)
		}
	}
	return sight
}

// worthALook returns the targets that a piece may have a shot at, as a set. Its
// place on the turned board is own, and every offset from there is in needed.
func (a *aim) worthALook(list []target, needed []uint64, own, quarter int) (set uint32) {
	turn := -16 * quarter
	power, through := bits.RotateLeft64(a.power, turn), a.through|highBits
	table := unsafe.Pointer(&needed[own])
	place := unsafe.Offsetof(list[0].place) + uintptr(quarter&3)*unsafe.Sizeof(list[0].place[0])
	for i := len(list) - 1; i >= 0; i-- {
		t := &list[i]
		offset := *(*uint16)(unsafe.Add(unsafe.Pointer(t), place))
		hits := (bits.RotateLeft64(t.sight, turn) | through) - *(*uint64)(unsafe.Add(table, uintptr(offset)*8))
		hits &= (power - bits.RotateLeft64(t.armour, turn)) & highBits
		set = set<<1 | uint32((hits|-hits)>>63)
	}
	return set
}

// sights returns the targets that a living piece may have a shot at, as a set,
// whatever stands in its way to where it would fire from.
func (s *State) sights(t *targets, owner env.Player, slot int) (set uint32) {
	g := s.game
	k, p := g.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	quarter := int(p.facing & 7 >> 1)
	own := g.centre - int(g.places[p.square][quarter&3])
	return k.aim.worthALook(t.list[:t.n&(2*maxSlots-1)], k.aim.needed[p.facing&1], own, quarter)
}

// aim marks the shots of a piece from the end states it may fire from in s.scratch.fire,
// where shot n from end state e is bit e·S+n, and tells whether there are any;
// when not, s.scratch.fire holds nothing of use.
func (s *State) aim(t *targets, owner env.Player, slot int, from *ends) bool {
	g := s.game
	k, p := g.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	quarter := int(p.facing & 7 >> 1)
	own := g.centre - int(g.places[p.square][quarter&3])
	needed := k.aim.needed[p.facing&1]
	list := t.list[:t.n&(2*maxSlots-1)]
	set := k.aim.worthALook(list, needed, own, quarter)
	if set == 0 {
		return false
	}
	clear(s.scratch.fire)
	turn := -16 * quarter
	found := uint64(0)
	for ; set != 0; set &= set - 1 {
		t := &list[bits.TrailingZeros32(set)]
		distances := needed[own+int(t.place[quarter&3])]
		hits := (bits.RotateLeft64(t.sight, turn) | k.aim.through | highBits) - distances
		hits &= bits.RotateLeft64(k.aim.power-t.armour, turn) & highBits
		for ; hits != 0; hits &= hits - 1 {
			at := bits.TrailingZeros64(hits) &^ 7
			d := env.Direction(at/8+2*quarter) & 7
			farthest := int(k.aim.useful[p.facing&1][own+int(t.place[quarter&3])] >> at & 0x7f)
			found |= s.mark(k, p, t, d, int(distances>>at&0x7f)-1, farthest, from)
		}
	}
	return found != 0
}

// mark marks the shots of a piece at a target in direction d, between two distances.
func (s *State) mark(k *kind, p *tank, t *target, d env.Direction, nearest, farthest int, from *ends) (found uint64) {
	g := s.game
	perDistance := 1
	if k.aim.through == 0 {
		perDistance = 0
		distance := along(t.sight, d)
		if int(p.square) == int(t.square)-distance*g.step[d&7] {
			distance = s.withoutIt(p, t, d)
		}
		farthest = min(farthest, distance-1)
	}
	nearest = max(nearest, k.least)
	step, own := g.deltas[d&7], g.spots[p.square]
	x := int(t.spot.x) - int(own.x) - nearest*step.dx + margin
	y := int(t.spot.y) - int(own.y) - nearest*step.dy + margin
	numbers := g.templates.at[p.facing&7]
	fire := s.scratch.fire
	turn := d - p.facing
	for distance := nearest; distance <= farthest; distance++ {
		if uint(x) < templateSpan && uint(y) < templateSpan {
			byTurn := &numbers[y*templateSpan+x]
			for _, arc := range k.aim.arcs {
				end := int(byTurn[(turn-arc.turn)&7])
				can := from[end>>6&(len(from)-1)] >> (end & 63) & 1
				bit := end*g.shots + int(arc.first) + perDistance*(distance-k.least)
				fire[bit>>6] |= can << (bit & 63)
				found |= can
			}
		}
		x, y = x-step.dx, y-step.dy
	}
	return found
}

// withoutIt returns the sight of a target in direction d when a piece that may
// be what ends it has left its square.
func (s *State) withoutIt(p *tank, t *target, d env.Direction) int {
	g := s.game
	distance := along(t.sight, d)
	step := -g.step[d&7]
	run := int(g.run[(d+4)&7][t.square])
	square := int(t.square) + distance*step
	if distance > run || distance > 1 && s.hedge(square-step) {
		return distance // it is a square off the board, or behind a hedge
	}
	for !s.hedge(square) {
		distance++
		square += step
		if distance > run || s.at[square] != nobody || g.ground.obstacles.has(square) {
			return distance
		}
	}
	return distance + 1
}

// hedge tells whether there is a hedge on a square.
func (s *State) hedge(square int) bool {
	return s.game.hedged && s.game.ground.hedges.has(square)
}
