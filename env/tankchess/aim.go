package tankchess

import (
	"math/bits"

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
	needed  [2][]uint64
	power   uint64 // in every byte, with its high bit
	through uint64 // in every byte
}

// target is an enemy as those who aim at it see it.
type target struct {
	sight  uint64
	armour uint64 // byte d: 1 + the armour that a shell flying in direction d hits
	place  [4]uint16
	tank   *tank
}

// targets are the living pieces of a side.
type targets struct {
	n    int
	list [maxSlots]target
}

// turnedPlaces gives a square a number on the board as it is, and on the boards
// turned by one, two and three quarters so that E, S and W are ahead. The
// difference between two numbers is an offset.
func (g *Game) turnedPlaces(x, y int) [4]uint16 {
	last := g.size - 1
	place := func(x, y int) uint16 { return uint16(y*2*g.size + x) }
	return [4]uint16{place(x, y), place(last-y, x), place(last-x, last-y), place(y, last-x)}
}

// noOffset is the index of the offset from a square to itself.
func (g *Game) noOffset() int { return (g.size-1)*2*g.size + g.size }

// newAim makes the tables of a kind of piece.
func (g *Game) newAim(k *kind) *aim {
	a := &aim{power: uint64(k.power)*everyByte | highBits}
	if k.gun.Indirect {
		a.through = through * everyByte
	}
	for class := range a.needed {
		a.needed[class] = g.neededSights(k, class)
	}
	return a
}

func (g *Game) neededSights(k *kind, class int) []uint64 {
	needed := make([]uint64, 2*g.noOffset()+1)
	for i := range needed {
		needed[i] = never * everyByte
	}
	on := func(o offset) bool { return max(abs(o.dx), abs(o.dy)) < g.size }
	lower := func(o offset, d env.Direction, distance int) {
		at := &needed[g.noOffset()+o.dy*2*g.size+o.dx]
		if distance < along(*at, d) {
			*at = *at&^(0xff<<(8*d)) | uint64(distance)<<(8*d)
		}
	}
	for _, end := range g.templates.lists[class][:g.templates.prefix[class][k.speed]] {
		for _, arc := range k.gun.Arcs {
			d := env.Direction(class).Turned(int(end.turn) + arc)
			dx, dy := d.Delta()
			for distance := k.least; distance <= min(k.greatest, g.size-1); distance++ {
				if o := (offset{int(end.dx) + distance*dx, int(end.dy) + distance*dy}); on(o) {
					lower(o, d, distance+1)
				}
			}
		}
	}
	if k.gun.Indirect {
		return needed
	}
	// What stops the line may be the piece itself, which will have left.
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		for distance := 1; distance < g.size; distance++ {
			if o := (offset{distance * dx, distance * dy}); along(needed[g.noOffset()+o.dy*2*g.size+o.dx], d) < never {
				lower(o, d, distance)
			}
		}
	}
	return needed
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
	t.tank = &s.tanks[owner&1][slot]
	square := int(t.tank.square)
	t.sight = s.lines.sight(&g.crossings[square])
	t.armour = g.kinds[g.slots[slot].kind].faces[t.tank.facing&7]
	t.place = g.places[square]
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

// worthALook returns the targets that a piece may have a shot at, as a set.
func (a *aim) worthALook(list []target, needed []uint64, quarter int) (set uint32) {
	turn := -16 * quarter
	power := bits.RotateLeft64(a.power, turn)
	for i := len(list) - 1; i >= 0; i-- {
		t := &list[i]
		hits := (bits.RotateLeft64(t.sight, turn) | a.through | highBits) - needed[t.place[quarter&3]]
		hits &= (power - bits.RotateLeft64(t.armour, turn)) & highBits
		set = set<<1 | uint32((hits|-hits)>>63)
	}
	return set
}

// aim marks the shots of a piece from the end states it may fire from in s.fire,
// where shot n from end state e is bit e·S+n, and tells whether there are any;
// when not, s.fire holds nothing of use.
func (s *State) aim(t *targets, owner env.Player, slot int, from *ends) bool {
	g := s.game
	k, p := &g.kinds[g.slots[slot].kind], &s.tanks[owner&1][slot]
	quarter := int(p.facing&7) / 2
	needed := k.aim.needed[p.facing&1][g.noOffset()-int(g.places[p.square][quarter&3]):]
	list := t.list[:t.n&(2*maxSlots-1)]
	set := k.aim.worthALook(list, needed, quarter)
	if set == 0 {
		return false
	}
	clear(s.fire)
	turn := -16 * quarter
	found := uint64(0)
	for ; set != 0; set &= set - 1 {
		t := &list[bits.TrailingZeros32(set)]
		distances := needed[t.place[quarter&3]]
		hits := (bits.RotateLeft64(t.sight, turn) | k.aim.through | highBits) - distances
		hits &= bits.RotateLeft64(k.aim.power-t.armour, turn) & highBits
		for ; hits != 0; hits &= hits - 1 {
			at := bits.TrailingZeros64(hits) &^ 7
			d := env.Direction(at/8 + 2*quarter)
			found |= s.mark(k, p, t, d&7, int(distances>>at&0x7f)-1, from)
		}
	}
	return found != 0
}

// mark marks the shots of a piece at a target in direction d, from a distance on.
func (s *State) mark(k *kind, p *tank, t *target, d env.Direction, nearest int, from *ends) (found uint64) {
	g := s.game
	farthest := k.greatest
	if !k.gun.Indirect {
		farthest = min(farthest, s.farthest(p, t, d))
	}
	perDistance := 0
	if k.gun.Indirect {
		perDistance = 1
	}
	nearest = max(nearest, k.least)
	dx, dy := d.Delta()
	at, own := g.spots[t.tank.square], g.spots[p.square]
	x := int(at.x) - int(own.x) - nearest*dx + margin
	y := int(at.y) - int(own.y) - nearest*dy + margin
	numbers := g.templates.at[p.facing&7]
	for distance := nearest; distance <= farthest; distance++ {
		if uint(x) < templateSpan && uint(y) < templateSpan {
			byTurn := &numbers[y*templateSpan+x]
			for i, arc := range k.gun.Arcs {
				end := int(byTurn[(int(d)-arc-int(p.facing))&7])
				can := from[end>>6&(len(from)-1)] >> (end & 63) & 1
				bit := end*g.shots + k.firstShot[i&7] + perDistance*(distance-k.least)
				s.fire[bit>>6] |= can << (bit & 63)
				found |= can
			}
		}
		x, y = x-dx, y-dy
	}
	return found
}

// farthest returns the distance from which a shell flying in direction d can
// reach a target when a piece has left its square.
func (s *State) farthest(p *tank, t *target, d env.Direction) int {
	g := s.game
	distance := along(t.sight, d)
	step := -g.step[d&7]
	square := int(t.tank.square)
	run := int(g.run[(d+4)&7][square])
	square += distance * step
	if square != int(p.square) || distance > run || distance > 1 && s.hedge(square-step) {
		return distance - 1
	}
	for !s.hedge(square) {
		distance++
		square += step
		if distance > run || s.at[square] != nobody || g.ground.obstacles.has(square) {
			return distance - 1
		}
	}
	return distance
}

// hedge tells whether there is a hedge on a square.
func (s *State) hedge(square int) bool {
	return s.game.hedged && s.game.ground.hedges.has(square)
}
