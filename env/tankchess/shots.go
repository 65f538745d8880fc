package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// findShots finds the shots of a piece that can reach the given end states, as
// markShots does. A Command Tank that wins by reaching an end state does not fire
// from it.
func (s *State) findShots(t *targets, owner env.Player, slot int, reached *endSet) bool {
	if slot != s.game.command || s.game.rules.Escape != escapeLastRank {
		return s.markShots(t, owner, slot, reached)
	}
	from := *reached
	for w, rest := range reached {
		for ; rest != 0; rest &= rest - 1 {
			template := w<<6 | bits.TrailingZeros64(rest)
			if square, _ := s.destination(owner, slot, template); s.game.rules.winsOn(owner, square) {
				from[w] &^= 1 << (template & 63)
			}
		}
	}
	return s.markShots(t, owner, slot, &from)
}

// mayHit returns the set of targets that a living piece may have a shot at, if
// nothing stands in its way.
func (s *State) mayHit(t *targets, owner env.Player, slot int) (set uint32) {
	g := s.game
	k, p := g.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	quarterTurns := int(p.facing & 7 >> 1)
	own := g.offsetOrigin - int(g.rotated[p.square][quarterTurns&3])
	return k.shotTable.mayHit(t.list[:t.n&(2*maxSlots-1)], k.shotTable.minRay[p.facing&1], own, quarterTurns)
}

// markShots sets s.scratch.shotSet to the shots of a piece from the given end
// states, and reports whether there are any: bit template·S + shot. Without any,
// the set is undefined.
func (s *State) markShots(t *targets, owner env.Player, slot int, from *endSet) bool {
	g := s.game
	k, p := g.kindOf[slot&(maxSlots-1)], &s.tanks[owner&1][slot&(maxSlots-1)]
	quarterTurns := int(p.facing & 7 >> 1)
	own := g.offsetOrigin - int(g.rotated[p.square][quarterTurns&3])
	minRay := k.shotTable.minRay[p.facing&1]
	list := t.list[:t.n&(2*maxSlots-1)]
	set := k.shotTable.mayHit(list, minRay, own, quarterTurns)
	if set == 0 {
		return false
	}
	clear(s.scratch.shotSet)
	rotation := -16 * quarterTurns
	found := uint64(0)
	for ; set != 0; set &= set - 1 {
		t := &list[bits.TrailingZeros32(set)]
		least := minRay[own+int(t.rotated[quarterTurns&3])]
		hits := (bits.RotateLeft64(t.rays, rotation) | k.shotTable.overfly | highBits) - least
		hits &= bits.RotateLeft64(k.shotTable.power-t.armour, rotation) & highBits
		for ; hits != 0; hits &= hits - 1 {
			at := bits.TrailingZeros64(hits) &^ 7
			d := env.Direction(at/8+2*quarterTurns) & 7
			farthest := int(k.shotTable.farthest[p.facing&1][own+int(t.rotated[quarterTurns&3])] >> at & 0x7f)
			found |= s.markShotsAt(k, p, t, d, int(least>>at&0x7f)-1, farthest, from)
		}
	}
	return found != 0
}

// markShotsAt marks the shots of a piece at a target in direction d, between two
// distances. The result is 0 if there are none.
func (s *State) markShotsAt(k *kind, p *tank, t *target, d env.Direction, nearest, farthest int, from *endSet) (found uint64) {
	g := s.game
	perDistance := 1
	if k.shotTable.overfly == 0 {
		perDistance = 0
		distance := rayLength(t.rays, d)
		if int(p.square) == int(t.square)-distance*g.indexStep[d&7] {
			distance = s.rayWithout(p, t, d)
		}
		farthest = min(farthest, distance-1)
	}
	nearest = max(nearest, k.minRange)
	step, own := g.unitSteps[d&7], g.coords[p.square]
	x := int(t.coord.x) - int(own.x) - nearest*step.dx + margin
	y := int(t.coord.y) - int(own.y) - nearest*step.dy + margin
	templateAt := g.templates.templateAt[p.facing&7]
	shotSet := s.scratch.shotSet
	turn := d - p.facing
	for distance := nearest; distance <= farthest; distance++ {
		if uint(x) < templateSpan && uint(y) < templateSpan {
			byTurn := &templateAt[y*templateSpan+x]
			for _, arc := range k.shotTable.arcs {
				template := int(byTurn[(turn-arc.turn)&7])
				can := from[template>>6&(len(from)-1)] >> (template & 63) & 1
				bit := template*g.shotCount + int(arc.firstShot) + perDistance*(distance-k.minRange)
				shotSet[bit>>6] |= can << (bit & 63)
				found |= can
			}
		}
		x, y = x-step.dx, y-step.dy
	}
	return found
}

// victim returns the slot that a legal shot destroys, fired by a piece that is
// to move, or has moved, to an end state, and the face that is hit.
func (s *State) victim(p env.Player, slot, square int, facing env.Direction, number int) (int, env.Face) {
	g := s.game
	shot := g.kinds[g.slots[slot].kind].shotNumbered(number)
	own := occupantOf(p, slot)
	d := facing.Turned(shot.arc)
	at := square + shot.distance*g.indexStep[d]
	if shot.distance == 0 {
		at += g.indexStep[d]
		for left := g.toEdge[d][square]; left > 1 && (s.occupant[at] == vacant || s.occupant[at] == own); left-- {
			at += g.indexStep[d]
		}
	}
	victim := int(s.occupant[at]-1) & (maxSlots - 1)
	return victim, faceHit(d, s.tanks[p&1^1][victim].facing)
}

// faceHit returns the face of a piece that a shell flying in direction d hits.
func faceHit(d, facing env.Direction) env.Face {
	switch facing {
	case d.Turned(4):
		return env.Front
	case d:
		return env.Rear
	}
	return env.Side
}
