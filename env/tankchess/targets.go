package tankchess

import "github.com/sandtable-farm/sandtable/env"

// target is a living piece as the enemy sees it.
type target struct {
	rays    uint64
	armour  uint64    // byte d: 1 + the armour of the face that a shell flying in direction d hits
	rotated [4]uint16 // see Game.rotatedIndices
	square  int32
	coord   coord
}

// targets are the living pieces of a side.
type targets struct {
	n    int
	list [maxSlots]target
}

// A scratch is memory that a state needs while it lists actions. Its size is a
// multiple of a cache line, like that of a state.
type scratch struct {
	targets targets
	shotSet []uint64 // the shots of one piece, see markShots
	_       [32]byte
}

// listTargets sets t to the living pieces of a side.
func (s *State) listTargets(t *targets, owner env.Player) {
	n := 0
	for slot := range s.game.slots {
		if s.tanks[owner&1][slot&(maxSlots-1)].fate == living {
			s.setTarget(&t.list[n&(maxSlots-1)], owner, slot)
			n++
		}
	}
	t.n = n
}

// enemies lists the targets of the player to move.
func (s *State) enemies() *targets {
	t := &s.scratch.targets
	s.listTargets(t, s.Next^1)
	return t
}

// setTarget sets t to a living piece.
func (s *State) setTarget(t *target, owner env.Player, slot int) {
	g := s.game
	tank := &s.tanks[owner&1][slot&(maxSlots-1)]
	square := int(tank.square)
	t.rays = s.lines.rays(&g.linePositions[square])
	t.armour = g.kindOf[slot&(maxSlots-1)].faces[tank.facing&7]
	t.rotated, t.square, t.coord = g.rotated[square], int32(square), g.coords[square]
	if g.hasHedges {
		t.rays = s.raysFromHedges(t.rays, square)
	}
}

// raysFromHedges lengthens the rays of a square by the hedges that end them: a
// piece on a hedge can fire.
func (s *State) raysFromHedges(rays uint64, square int) uint64 {
	g := s.game
	for d := env.N; d <= env.NW; d++ {
		back := d.Turned(4)
		distance := rayLength(rays, d)
		if at := square + distance*g.indexStep[back]; distance <= int(g.toEdge[back][square]) && g.board.hedges.has(at) && s.occupant[at] == vacant {
			rays += 1 << (8 * d)
		}
	}
	return rays
}

// rayWithout returns the ray of a target in direction d once the piece p, which
// may be what ends it, has left its square.
func (s *State) rayWithout(p *tank, t *target, d env.Direction) int {
	g := s.game
	distance := rayLength(t.rays, d)
	step := -g.indexStep[d&7]
	toEdge := int(g.toEdge[(d+4)&7][t.square])
	square := int(t.square) + distance*step
	if distance > toEdge || distance > 1 && s.hasHedge(square-step) {
		return distance // the ray ends off the board or behind a hedge
	}
	for !s.hasHedge(square) {
		distance++
		square += step
		if distance > toEdge || s.occupant[square] != vacant || g.board.obstacles.has(square) {
			return distance
		}
	}
	return distance + 1
}

// hasHedge reports whether there is a hedge on a square.
func (s *State) hasHedge(square int) bool {
	return s.game.hasHedges && s.game.board.hedges.has(square)
}
