package trench

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// For one piece and direction the legal distances are always 1 to some n: an
// own piece, or an enemy that cannot be captured, ends the walk before its square;
// a capturable enemy ends it on its square; the edge of the board ends it on the
// last square; an enemy that a charge passes does not end it. So a direction needs
// only the set of squares on which a walk ends: C, the enemies captured there, and
// B, the pieces that stop it, moved one step back. n is the distance from the piece
// to the first of them, the piece's own square counting as 0.
//
// Rotated by the piece's square, the 7 squares of distance 0 to 6 stand at fixed
// bits. A mask and a multiplication bring them into the top 7 bits, as magic
// bitboards do: this occupancy is the index of the reach table. For directions of
// negative step the set is rotated one step more, so that distance 0 does not come
// to bit 0 among the bits that wrap around.

// occupancies is the number of occupancies of one direction.
const occupancies = 1 << 7

// A reachTable holds the steps that a piece can go, by direction and occupancy.
type reachTable [8][occupancies]uint8

// Bits 0, stride, … up to the seventh, and the factor that brings bit k·stride
// to bit 57+k.
const (
	mask1 uint64 = 0x7f
	mask7 uint64 = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	mask8 uint64 = 1 | 1<<8 | 1<<16 | 1<<24 | 1<<32 | 1<<40 | 1<<48
	mask9 uint64 = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45 | 1<<54

	magic1 uint64 = 1 << 57
	magic7 uint64 = 1<<57 | 1<<51 | 1<<45 | 1<<39 | 1<<33 | 1<<27 | 1<<21
	magic8 uint64 = 1<<57 | 1<<50 | 1<<43 | 1<<36 | 1<<29 | 1<<22 | 1<<15
	magic9 uint64 = 1<<57 | 1<<49 | 1<<41 | 1<<33 | 1<<25 | 1<<17 | 1<<9
)

// rayMasks and magics are, for each direction, the bits of the squares of distance
// 0 to 6 and the factor that brings them to the top.
var (
	rayMasks = [8]uint64{mask8, mask9, mask1, mask7 << 15, mask8 << 8, mask9 << 1, mask1 << 57, mask7}
	magics   = [8]uint64{magic8, magic9, magic1, magic7 >> 15, magic8 >> 8, magic9 >> 1, 1, magic7}
)

// occupancy returns the occupancy in direction d from a square.
func (st *stops) occupancy(d, square int) uint64 {
	return bits.RotateLeft64(st[d&7], -square) & rayMasks[d&7] * magics[d&7] >> 57
}

// The same for each direction of stops rotated by the piece's square, with
// constants that the compiler sees.
func occupancyN(x uint64) uint64  { return x & mask8 * magic8 >> 57 }
func occupancyNE(x uint64) uint64 { return x & mask9 * magic9 >> 57 }
func occupancyE(x uint64) uint64  { return x & mask1 }
func occupancySE(x uint64) uint64 { return x & (mask7 << 15) * (magic7 >> 15) >> 57 }
func occupancyS(x uint64) uint64  { return x & (mask8 << 8) * (magic8 >> 8) >> 57 }
func occupancySW(x uint64) uint64 { return x & (mask9 << 1) * (magic9 >> 1) >> 57 }
func occupancyW(x uint64) uint64  { return x >> 57 }
func occupancyNW(x uint64) uint64 { return x & mask7 * magic7 >> 57 }

// firstStop returns the distance of the first stop in an occupancy, 7 for none, in
// a direction of the given step.
func firstStop(step int32, occupancy int) int {
	if step > 0 {
		return bits.TrailingZeros8(uint8(occupancy) | 1<<7)
	}
	return bits.LeadingZeros8(uint8(occupancy)<<1 | 1)
}

// stops are the squares that end a walk, by direction.
type stops [8]uint64

// fill sets the stops for pieces that block and enemies captured, both in the
// mover's frame.
func (st *stops) fill(edgeMask *[8]uint64, block, capture uint64) {
	st[env.N] = bits.RotateLeft64(block, -8) | capture | edgeMask[env.N]
	st[env.NE] = bits.RotateLeft64(block, -9) | capture | edgeMask[env.NE]
	st[env.E] = bits.RotateLeft64(block, -1) | capture | edgeMask[env.E]
	st[env.NW] = bits.RotateLeft64(block, -7) | capture | edgeMask[env.NW]
	st[env.SE] = bits.RotateLeft64(capture, -7) | block | edgeMask[env.SE]
	st[env.S] = bits.RotateLeft64(capture, -8) | block | edgeMask[env.S]
	st[env.SW] = bits.RotateLeft64(capture, -9) | block | edgeMask[env.SW]
	st[env.W] = bits.RotateLeft64(capture, -1) | block | edgeMask[env.W]
}

// stopSets are the stops by the zone a piece starts from.
type stopSets [4]stops

// setStops sets the stops for p's pieces and returns their squares in p's frame.
func (s *State) setStops(sets *stopSets, p env.Player) (own uint64) {
	g := s.game
	p &= 1
	own, enemy := s.at[p][p], s.at[p^1][p]
	sets[ownLand].fill(&g.edgeMask, own|enemy&trenchSquares, enemy&^trenchSquares)
	sets[trench].fill(&g.edgeMask, own|enemy&^enemySquares, 0)
	sets[enemyLand].fill(&g.edgeMask, own, enemy)
	return own
}

// Legal implements env.State. dst grows unless it has the room that
// Spec.NewActions makes.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.Over() {
		return dst
	}
	dst, p := engine.Room(dst, s.game.spec.MaxLegal)
	return dst[:len(dst)+engine.Listed(p, s.list(p), s.game.spec.MaxLegal)]
}

// write4 and write8 write four and eight actions at p, and return the address after
// the first n of them. Writing eight in two halves avoids the call of memmove that
// writing them at once costs.
func write4(p unsafe.Pointer, actions *[8]env.Action, n uintptr) unsafe.Pointer {
	*(*[4]env.Action)(p) = [4]env.Action(actions[:4])
	return unsafe.Add(p, engine.ActionSize*n)
}

func write8(p unsafe.Pointer, actions *[8]env.Action, n uintptr) unsafe.Pointer {
	*(*[4]env.Action)(p) = [4]env.Action(actions[:4])
	*(*[4]env.Action)(unsafe.Add(p, 4*engine.ActionSize)) = [4]env.Action(actions[4:])
	return unsafe.Add(p, engine.ActionSize*n)
}

// list writes the moves of the player to move at p and returns where they end. It
// overwrites up to eight actions behind them, which engine.Slack covers.
//
// Each direction is written whole, four or eight actions wide, and the pointer
// advances by the number of legal ones: no branch depends on the position but
// the end of the loop and the rare far rank.
func (s *State) list(p unsafe.Pointer) unsafe.Pointer {
	g := s.game
	var sets stopSets
	own, toAbs := s.setStops(&sets, s.Next), turn(s.Next)
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		figure := figureOf(s.board[from^toAbs])
		st, reach, actions := &sets[g.zone[from]&3], g.reach[figure], g.actions[from]
		if g.far>>figure&1 != 0 {
			p = write8(p, &actions[env.N], uintptr(reach[env.N][occupancyN(bits.RotateLeft64(st[env.N], -from))]))
			p = write8(p, &actions[env.NE], uintptr(reach[env.NE][occupancyNE(bits.RotateLeft64(st[env.NE], -from))]))
			p = write8(p, &actions[env.E], uintptr(reach[env.E][occupancyE(bits.RotateLeft64(st[env.E], -from))]))
			p = write8(p, &actions[env.SE], uintptr(reach[env.SE][occupancySE(bits.RotateLeft64(st[env.SE], -from))]))
			p = write8(p, &actions[env.S], uintptr(reach[env.S][occupancyS(bits.RotateLeft64(st[env.S], -from))]))
			p = write8(p, &actions[env.SW], uintptr(reach[env.SW][occupancySW(bits.RotateLeft64(st[env.SW], -from))]))
			p = write8(p, &actions[env.W], uintptr(reach[env.W][occupancyW(bits.RotateLeft64(st[env.W], -from))]))
			p = write8(p, &actions[env.NW], uintptr(reach[env.NW][occupancyNW(bits.RotateLeft64(st[env.NW], -from))]))
			continue
		}
		p = write4(p, &actions[env.N], uintptr(reach[env.N][occupancyN(bits.RotateLeft64(st[env.N], -from))]))
		p = write4(p, &actions[env.NE], uintptr(reach[env.NE][occupancyNE(bits.RotateLeft64(st[env.NE], -from))]))
		p = write4(p, &actions[env.E], uintptr(reach[env.E][occupancyE(bits.RotateLeft64(st[env.E], -from))]))
		p = write4(p, &actions[env.SE], uintptr(reach[env.SE][occupancySE(bits.RotateLeft64(st[env.SE], -from))]))
		p = write4(p, &actions[env.S], uintptr(reach[env.S][occupancyS(bits.RotateLeft64(st[env.S], -from))]))
		p = write4(p, &actions[env.SW], uintptr(reach[env.SW][occupancySW(bits.RotateLeft64(st[env.SW], -from))]))
		p = write4(p, &actions[env.W], uintptr(reach[env.W][occupancyW(bits.RotateLeft64(st[env.W], -from))]))
		p = write4(p, &actions[env.NW], uintptr(reach[env.NW][occupancyNW(bits.RotateLeft64(st[env.NW], -from))]))
	}
	return p
}

// mobility returns the number of moves that p has, were it p's turn, and the
// squares that they pass and land on, in p's frame.
func (s *State) mobility(p env.Player) (moves int, squares uint64) {
	g := s.game
	var sets stopSets
	own, toAbs := s.setStops(&sets, p), turn(p)
	steps := &g.steps
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		st, reach := &sets[g.zone[from]&3], g.reach[figureOf(s.board[from^toAbs])]
		n, path := uint8(0), uint64(0)
		n = reach[env.N][occupancyN(bits.RotateLeft64(st[env.N], -from))]
		moves, path = moves+int(n), path|steps[env.N][n&7]
		n = reach[env.NE][occupancyNE(bits.RotateLeft64(st[env.NE], -from))]
		moves, path = moves+int(n), path|steps[env.NE][n&7]
		n = reach[env.E][occupancyE(bits.RotateLeft64(st[env.E], -from))]
		moves, path = moves+int(n), path|steps[env.E][n&7]
		n = reach[env.SE][occupancySE(bits.RotateLeft64(st[env.SE], -from))]
		moves, path = moves+int(n), path|steps[env.SE][n&7]
		n = reach[env.S][occupancyS(bits.RotateLeft64(st[env.S], -from))]
		moves, path = moves+int(n), path|steps[env.S][n&7]
		n = reach[env.SW][occupancySW(bits.RotateLeft64(st[env.SW], -from))]
		moves, path = moves+int(n), path|steps[env.SW][n&7]
		n = reach[env.W][occupancyW(bits.RotateLeft64(st[env.W], -from))]
		moves, path = moves+int(n), path|steps[env.W][n&7]
		n = reach[env.NW][occupancyNW(bits.RotateLeft64(st[env.NW], -from))]
		moves, path = moves+int(n), path|steps[env.NW][n&7]
		squares |= bits.RotateLeft64(path, from)
	}
	return moves, squares
}

// canMove reports whether the player to move has a move. An empty square beside
// a piece, in a direction that all ranks have, nearly always answers it.
func (s *State) canMove() bool {
	g := s.game
	me := s.Next & 1
	own := s.at[me][me]
	empty := ^(own | s.at[me^1][me])
	for _, d := range g.common {
		if bits.RotateLeft64(own&^g.edge[d], int(g.rays.Step[d]))&empty != 0 {
			return true
		}
	}
	moves, _ := s.mobility(me)
	return moves > 0
}
