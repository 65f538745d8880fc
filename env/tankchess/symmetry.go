package tankchess

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// reflection is the left–right symmetry of a game, by its numbers. It mirrors the
// board and moves each piece to the image of its slot.
type reflection struct {
	slots     []int
	shots     [][]int    // by kind
	templates [2][]int16 // for facings along the files and ranks, and for diagonal ones
}

// mirroredDirection reflects a direction.
func mirroredDirection(d env.Direction) env.Direction { return -d & 7 }

// mirroredSquare reflects a square, absolute or in either frame.
func (g *Game) mirroredSquare(square int) int {
	x := square % g.size
	return square - x + g.size - 1 - x
}

// Symmetries implements env.Symmetric: the left–right reflection, if terrain, armies
// and guns are symmetric. Both armies must have the same images of slots, because an
// observation shows the slots of both.
func (g *Game) Symmetries() []env.Symmetry {
	r, ok := g.reflection()
	if !ok {
		return nil
	}
	mirror := env.Symmetry{Name: "left-right reflection"}
	for square := range g.squares {
		mirror.Squares = append(mirror.Squares, int16(g.mirroredSquare(square)))
	}
	for plane := range g.spec.Planes {
		mirror.Planes = append(mirror.Planes, int16(plane))
	}
	for d := env.N; d <= env.NW; d++ {
		mirror.Planes[g.planeIndex.facing+int(d)] = int16(g.planeIndex.facing + int(mirroredDirection(d)))
	}
	for i, image := range r.slots {
		mirror.Planes[g.planeIndex.ownSlots+i] = int16(g.planeIndex.ownSlots + image)
		mirror.Planes[g.planeIndex.enemySlots+i] = int16(g.planeIndex.enemySlots + image)
	}
	mirror.Action = func(s env.State, a env.Action) env.Action {
		if a == g.escape {
			return a
		}
		slot, template, shot := g.decode(a)
		state := s.(*State)
		facing := state.tanks[state.Next&1][slot].facing
		return g.encode(r.slots[slot], int(r.templates[facing&1][template]), r.shots[g.slots[slot].kind][shot])
	}
	return []env.Symmetry{mirror}
}

func (g *Game) reflection() (r reflection, ok bool) {
	for _, terrain := range g.terrains() {
		for square := range g.squares {
			if terrain.squares.has(square) != terrain.squares.has(g.mirroredSquare(square)) {
				return r, false
			}
		}
	}
	for i := range g.kinds {
		shots := g.kinds[i].mirroredShots(g.shotCount)
		if shots == nil {
			return r, false
		}
		r.shots = append(r.shots, shots)
	}
	r.slots = g.mirroredSlots(env.First)
	if r.slots == nil || !slices.Equal(r.slots, g.mirroredSlots(env.Second)) {
		return r, false
	}
	for diagonal := range r.templates {
		for _, e := range g.templates.endStates[diagonal] {
			e.dx, e.turn = -e.dx, -e.turn&7
			if diagonal == 1 { // the mirror of facing NE is NW, whose list is rotated by −90°
				e = e.rotated()
			}
			r.templates[diagonal] = append(r.templates[diagonal], int16(slices.Index(g.templates.endStates[diagonal], e)))
		}
	}
	return r, true
}

// mirroredShots returns the image of every shot number, or nil if the arcs of the gun
// are not symmetric.
func (k *kind) mirroredShots(shotCount int) []int {
	image := make([]int, shotCount)
	for _, s := range k.shots {
		arc := mirroredDirection(env.N.Turned(s.arc))
		i := slices.IndexFunc(k.shots, func(o shot) bool { return env.N.Turned(o.arc) == arc && o.distance == s.distance })
		if i < 0 {
			return nil
		}
		image[s.number] = k.shots[i].number
	}
	return image
}

// mirroredSlots returns for each slot the slot whose piece starts on the mirrored
// square, or nil if some slot has none. Empty slots are their own images.
func (g *Game) mirroredSlots(p env.Player) []int {
	image := make([]int, len(g.slots))
	for i := range g.slots {
		t := g.start.tanks[p][i]
		if t.fate != living {
			image[i] = i
			continue
		}
		t.square, t.facing = int16(g.mirroredSquare(int(t.square))), mirroredDirection(t.facing)
		j := slices.Index(g.start.tanks[p][:len(g.slots)], t)
		if j < 0 || g.slots[j].kind != g.slots[i].kind {
			return nil
		}
		image[i] = j
	}
	return image
}
