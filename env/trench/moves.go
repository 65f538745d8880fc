package trench

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
)

// For one piece and direction the legal distances are always 1 to some n: an
// own piece or an enemy that cannot be captured ends the walk before its square,
// a capturable one on its square, the edge of the board on the last square, and
// an enemy that a charge passes does not end it. So a direction needs only the
// set of squares on which a walk ends: C, the enemies captured there, and B, the
// pieces that stop it, moved one step back. n is the distance from the piece to
// the first of them, the piece's own square counting as 0.
//
// Rotated by the piece's square, the 7 squares of distance 0 to 6 stand at fixed
// bits; a mask and a multiplication gather them into the top 7 bits, the view,
// by which runs is indexed. For directions of negative step the set is rotated
// one step more, so that distance 0 is not at bit 0 among the others' wrap.

// stopViews is the number of views of one direction.
const stopViews = 1 << 7

// Bits 0, stride, … up to the seventh, and the factor that brings bit k·stride
// to bit 57+k.
const (
	fan1 uint64 = 0x7f
	fan7 uint64 = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	fan8 uint64 = 1 | 1<<8 | 1<<16 | 1<<24 | 1<<32 | 1<<40 | 1<<48
	fan9 uint64 = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45 | 1<<54

	gather1 uint64 = 1 << 57
	gather7 uint64 = 1<<57 | 1<<51 | 1<<45 | 1<<39 | 1<<33 | 1<<27 | 1<<21
	gather8 uint64 = 1<<57 | 1<<50 | 1<<43 | 1<<36 | 1<<29 | 1<<22 | 1<<15
	gather9 uint64 = 1<<57 | 1<<49 | 1<<41 | 1<<33 | 1<<25 | 1<<17 | 1<<9
)

// fans and gathers are, for each direction, the bits that the squares of
// distance 0 to 6 stand at and the factor that gathers them.
var (
	fans    = [8]uint64{fan8, fan9, fan1, fan7 << 15, fan8 << 8, fan9 << 1, fan1 << 57, fan7}
	gathers = [8]uint64{gather8, gather9, gather1, gather7 >> 15, gather8 >> 8, gather9 >> 1, 1, gather7}
)

// view returns the view in direction d of a piece on a square.
func (st *stops) view(d, square int) uint64 {
	return bits.RotateLeft64(st[d&7], -square) & fans[d&7] * gathers[d&7] >> 57
}

// The same for each direction of stops rotated by the piece's square, with
// constants that the compiler sees.
func viewN(x uint64) uint64  { return x & fan8 * gather8 >> 57 }
func viewNE(x uint64) uint64 { return x & fan9 * gather9 >> 57 }
func viewE(x uint64) uint64  { return x & fan1 }
func viewSE(x uint64) uint64 { return x & (fan7 << 15) * (gather7 >> 15) >> 57 }
func viewS(x uint64) uint64  { return x & (fan8 << 8) * (gather8 >> 8) >> 57 }
func viewSW(x uint64) uint64 { return x & (fan9 << 1) * (gather9 >> 1) >> 57 }
func viewW(x uint64) uint64  { return x >> 57 }
func viewNW(x uint64) uint64 { return x & fan7 * gather7 >> 57 }

// firstStop returns the distance of the first stop in a view, 7 for none.
func firstStop(d env.Direction, view int) int {
	if step(d) > 0 {
		return bits.TrailingZeros8(uint8(view) | 1<<7)
	}
	return bits.LeadingZeros8(uint8(view)<<1 | 1)
}

// stops are the squares that end a walk, by direction.
type stops [8]uint64

// fill sets the stops for pieces that block and enemies captured, both in the
// mover's frame.
func (st *stops) fill(brink *[8]uint64, block, capture uint64) {
	st[env.N] = bits.RotateLeft64(block, -8) | capture | brink[env.N]
	st[env.NE] = bits.RotateLeft64(block, -9) | capture | brink[env.NE]
	st[env.E] = bits.RotateLeft64(block, -1) | capture | brink[env.E]
	st[env.NW] = bits.RotateLeft64(block, -7) | capture | brink[env.NW]
	st[env.SE] = bits.RotateLeft64(capture, -7) | block | brink[env.SE]
	st[env.S] = bits.RotateLeft64(capture, -8) | block | brink[env.S]
	st[env.SW] = bits.RotateLeft64(capture, -9) | block | brink[env.SW]
	st[env.W] = bits.RotateLeft64(capture, -1) | block | brink[env.W]
}

// stopSets are the stops by the zone a piece starts from.
type stopSets [4]stops

func (sets *stopSets) fill(g *Game, own, enemy uint64) {
	sets[ownLand].fill(&g.brink, own|enemy&trenchSquares, enemy&^trenchSquares)
	sets[trench].fill(&g.brink, own|enemy&^enemySquares, 0)
	sets[enemyLand].fill(&g.brink, own, enemy)
}

// room is how many actions Legal wants space for: sixteen pieces with all
// directions in the middle of the board reach fewer squares, and the last
// direction is written eight wide.
const room = 512

// Legal implements env.State. dst grows unless it has room for Spec.MaxLegal more.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.reason != env.NoReason {
		return dst
	}
	dst, out := makeRoom(dst)
	return dst[:len(dst)+s.list(out)]
}

// LegalMask implements env.Masker.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	clear(mask)
	if s.reason != env.NoReason {
		return dst
	}
	dst, out := makeRoom(dst)
	return dst[:len(dst)+s.listMask(out, mask[:s.game.longest*squares*8/64])]
}

// makeRoom returns dst, grown where needed, and the room behind it.
func makeRoom(dst []env.Action) ([]env.Action, *[room]env.Action) {
	n := len(dst)
	if cap(dst)-n < room {
		dst = append(dst, make([]env.Action, room)...)[:n]
	}
	return dst, (*[room]env.Action)(dst[n : n+room])
}

// actionSize is the size of an action in bytes.
const actionSize = unsafe.Sizeof(env.Action(0))

// put4 and put8 write so many actions and go on by n of them.
func put4(p unsafe.Pointer, actions *[8]env.Action, n uintptr) unsafe.Pointer {
	*(*[4]env.Action)(p) = [4]env.Action(actions[:4])
	return unsafe.Add(p, actionSize*n)
}

func put8(p unsafe.Pointer, actions *[8]env.Action, n uintptr) unsafe.Pointer {
	*(*[8]env.Action)(p) = *actions
	return unsafe.Add(p, actionSize*n)
}

// prefixes are the bits of distances 1 to n in a piece's row of a mask, n being
// at most 7.
type prefixes [8]uint64

func (p *prefixes) of(n uintptr) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(p), n*unsafe.Sizeof(p[0])))
}

// list writes the moves of the player to move and returns their number. What
// follows them in out is overwritten too.
//
// Each direction is written whole, four or eight actions wide, and the pointer
// goes on by the number that are legal: no branch depends on the position but
// the end of the loop and the rare far rank. The pointer stays in out, which
// has room for the moves of any position and eight more.
func (s *State) list(out *[room]env.Action) int {
	g := s.game
	me := s.next & 1
	own, enemy := s.at[me][me], s.at[me^1][me]
	toAbs := turn(me)
	var sets stopSets
	sets.fill(g, own, enemy)
	p := unsafe.Pointer(out)
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		figure := figureOf(s.board[from^toAbs])
		st, runs, actions := &sets[g.zone[from]&3], g.runs[figure], g.actions[from]
		if g.far>>figure&1 != 0 {
			p = put8(p, &actions[env.N], uintptr(runs[env.N][viewN(bits.RotateLeft64(st[env.N], -from))]))
			p = put8(p, &actions[env.NE], uintptr(runs[env.NE][viewNE(bits.RotateLeft64(st[env.NE], -from))]))
			p = put8(p, &actions[env.E], uintptr(runs[env.E][viewE(bits.RotateLeft64(st[env.E], -from))]))
			p = put8(p, &actions[env.SE], uintptr(runs[env.SE][viewSE(bits.RotateLeft64(st[env.SE], -from))]))
			p = put8(p, &actions[env.S], uintptr(runs[env.S][viewS(bits.RotateLeft64(st[env.S], -from))]))
			p = put8(p, &actions[env.SW], uintptr(runs[env.SW][viewSW(bits.RotateLeft64(st[env.SW], -from))]))
			p = put8(p, &actions[env.W], uintptr(runs[env.W][viewW(bits.RotateLeft64(st[env.W], -from))]))
			p = put8(p, &actions[env.NW], uintptr(runs[env.NW][viewNW(bits.RotateLeft64(st[env.NW], -from))]))
			continue
		}
		p = put4(p, &actions[env.N], uintptr(runs[env.N][viewN(bits.RotateLeft64(st[env.N], -from))]))
		p = put4(p, &actions[env.NE], uintptr(runs[env.NE][viewNE(bits.RotateLeft64(st[env.NE], -from))]))
		p = put4(p, &actions[env.E], uintptr(runs[env.E][viewE(bits.RotateLeft64(st[env.E], -from))]))
		p = put4(p, &actions[env.SE], uintptr(runs[env.SE][viewSE(bits.RotateLeft64(st[env.SE], -from))]))
		p = put4(p, &actions[env.S], uintptr(runs[env.S][viewS(bits.RotateLeft64(st[env.S], -from))]))
		p = put4(p, &actions[env.SW], uintptr(runs[env.SW][viewSW(bits.RotateLeft64(st[env.SW], -from))]))
		p = put4(p, &actions[env.W], uintptr(runs[env.W][viewW(bits.RotateLeft64(st[env.W], -from))]))
		p = put4(p, &actions[env.NW], uintptr(runs[env.NW][viewNW(bits.RotateLeft64(st[env.NW], -from))]))
	}
	return int((uintptr(p) - uintptr(unsafe.Pointer(out))) / actionSize)
}

// listMask does what list does and sets the bits of the moves in mask, which is
// clear. A piece's moves are a row of 8·R bits there, of which each direction
// has the first n of R. Only a piece that can indeed go farther than four squares
// is listed again eight wide.
func (s *State) listMask(out *[room]env.Action, mask []uint64) int {
	g := s.game
	me := s.next & 1
	own, enemy := s.at[me][me], s.at[me^1][me]
	toAbs := turn(me)
	var sets stopSets
	sets.fill(g, own, enemy)
	p, prefix := unsafe.Pointer(out), &g.prefix
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		st, runs, actions := &sets[g.zone[from]&3], g.runs[figureOf(s.board[from^toAbs])], g.actions[from]
		row, n := uint64(0), uintptr(0)
		begin := p
		n = uintptr(runs[env.N][viewN(bits.RotateLeft64(st[env.N], -from))])
		p, row = put4(p, &actions[env.N], n), row|prefix[env.N].of(n)
		n = uintptr(runs[env.NE][viewNE(bits.RotateLeft64(st[env.NE], -from))])
		p, row = put4(p, &actions[env.NE], n), row|prefix[env.NE].of(n)
		n = uintptr(runs[env.E][viewE(bits.RotateLeft64(st[env.E], -from))])
		p, row = put4(p, &actions[env.E], n), row|prefix[env.E].of(n)
		n = uintptr(runs[env.SE][viewSE(bits.RotateLeft64(st[env.SE], -from))])
		p, row = put4(p, &actions[env.SE], n), row|prefix[env.SE].of(n)
		n = uintptr(runs[env.S][viewS(bits.RotateLeft64(st[env.S], -from))])
		p, row = put4(p, &actions[env.S], n), row|prefix[env.S].of(n)
		n = uintptr(runs[env.SW][viewSW(bits.RotateLeft64(st[env.SW], -from))])
		p, row = put4(p, &actions[env.SW], n), row|prefix[env.SW].of(n)
		n = uintptr(runs[env.W][viewW(bits.RotateLeft64(st[env.W], -from))])
		p, row = put4(p, &actions[env.W], n), row|prefix[env.W].of(n)
		n = uintptr(runs[env.NW][viewNW(bits.RotateLeft64(st[env.NW], -from))])
		p, row = put4(p, &actions[env.NW], n), row|prefix[env.NW].of(n)
		if row&g.beyond4 != 0 {
			p = putFar(begin, st, runs, actions, from)
		}
		bit := from * 8 * g.longest
		mask[bit>>6] |= row << (bit & 63)
		// A row that ends with the mask leaves nothing for a next word.
		mask[min(bit>>6+1, len(mask)-1)] |= row >> 1 >> (^bit & 63)
	}
	return int((uintptr(p) - uintptr(unsafe.Pointer(out))) / actionSize)
}

// putFar writes the moves of a piece eight wide.
func putFar(p unsafe.Pointer, st *stops, runs *[8][stopViews]uint8, actions *[8][8]env.Action, from int) unsafe.Pointer {
	for d := range actions {
		p = put8(p, &actions[d], uintptr(runs[d][st.view(d, from)]))
	}
	return p
}

// reach is the number of moves that p has, were it p's turn, and the squares that
// they pass and land on, in p's frame.
func (s *State) reach(p env.Player) (moves int, squares uint64) {
	g := s.game
	p &= 1
	var sets stopSets
	sets.fill(g, s.at[p][p], s.at[p^1][p])
	steps, toAbs := &g.steps, turn(p)
	for rest := s.at[p][p]; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		st, runs := &sets[g.zone[from]&3], g.runs[figureOf(s.board[from^toAbs])]
		n, path := uint8(0), uint64(0)
		n = runs[env.N][viewN(bits.RotateLeft64(st[env.N], -from))]
		moves, path = moves+int(n), path|steps[env.N][n&7]
		n = runs[env.NE][viewNE(bits.RotateLeft64(st[env.NE], -from))]
		moves, path = moves+int(n), path|steps[env.NE][n&7]
		n = runs[env.E][viewE(bits.RotateLeft64(st[env.E], -from))]
		moves, path = moves+int(n), path|steps[env.E][n&7]
		n = runs[env.SE][viewSE(bits.RotateLeft64(st[env.SE], -from))]
		moves, path = moves+int(n), path|steps[env.SE][n&7]
		n = runs[env.S][viewS(bits.RotateLeft64(st[env.S], -from))]
		moves, path = moves+int(n), path|steps[env.S][n&7]
		n = runs[env.SW][viewSW(bits.RotateLeft64(st[env.SW], -from))]
		moves, path = moves+int(n), path|steps[env.SW][n&7]
		n = runs[env.W][viewW(bits.RotateLeft64(st[env.W], -from))]
		moves, path = moves+int(n), path|steps[env.W][n&7]
		n = runs[env.NW][viewNW(bits.RotateLeft64(st[env.NW], -from))]
		moves, path = moves+int(n), path|steps[env.NW][n&7]
		squares |= bits.RotateLeft64(path, from)
	}
	return moves, squares
}

// canMove tells whether the player to move has a move. An empty square beside
// a piece, in a direction that all ranks have, nearly always answers it.
func (s *State) canMove() bool {
	g := s.game
	me := s.next & 1
	own := s.at[me][me]
	empty := ^(own | s.at[me^1][me])
	for _, d := range g.common {
		if bits.RotateLeft64(own&^g.edge[d], int(g.delta[d]))&empty != 0 {
			return true
		}
	}
	moves, _ := s.reach(me)
	return moves > 0
}
