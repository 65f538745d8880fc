package trench

import (
	"math/bits"
	"unsafe"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// LegalMask implements env.Masker.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	clear(mask)
	if s.Over() {
		return dst
	}
	dst, p := engine.Room(dst, s.game.spec.MaxLegal)
	end := s.listMask(p, mask[:s.game.rays.Longest*squares*8/64])
	return dst[:len(dst)+engine.Listed(p, end, s.game.spec.MaxLegal)]
}

// rowBits are the bits of distances 1 to n in a piece's row of a mask; n is at
// most 7.
type rowBits [8]uint64

func (b *rowBits) of(n uintptr) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(b), n*unsafe.Sizeof(b[0])))
}

// listMask does what list does and sets the bits of the moves in mask, which is
// clear. A piece's moves are a row of 8·R bits there, R being the longest move, of
// which each direction has the first n of R. Only a piece that can go farther than
// four squares in this position is listed again eight wide.
func (s *State) listMask(p unsafe.Pointer, mask []uint64) unsafe.Pointer {
	g := s.game
	var sets stopSets
	own, toAbs := s.setStops(&sets, s.Next), turn(s.Next)
	rowBits := &g.rowBits
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest) & 63
		st, reach, actions := &sets[g.zone[from]&3], g.reach[figureOf(s.board[from^toAbs])], g.actions[from]
		row, n := uint64(0), uintptr(0)
		begin := p
		n = uintptr(reach[env.N][occupancyN(bits.RotateLeft64(st[env.N], -from))])
		p, row = write4(p, &actions[env.N], n), row|rowBits[env.N].of(n)
		n = uintptr(reach[env.NE][occupancyNE(bits.RotateLeft64(st[env.NE], -from))])
		p, row = write4(p, &actions[env.NE], n), row|rowBits[env.NE].of(n)
		n = uintptr(reach[env.E][occupancyE(bits.RotateLeft64(st[env.E], -from))])
		p, row = write4(p, &actions[env.E], n), row|rowBits[env.E].of(n)
		n = uintptr(reach[env.SE][occupancySE(bits.RotateLeft64(st[env.SE], -from))])
		p, row = write4(p, &actions[env.SE], n), row|rowBits[env.SE].of(n)
		n = uintptr(reach[env.S][occupancyS(bits.RotateLeft64(st[env.S], -from))])
		p, row = write4(p, &actions[env.S], n), row|rowBits[env.S].of(n)
		n = uintptr(reach[env.SW][occupancySW(bits.RotateLeft64(st[env.SW], -from))])
		p, row = write4(p, &actions[env.SW], n), row|rowBits[env.SW].of(n)
		n = uintptr(reach[env.W][occupancyW(bits.RotateLeft64(st[env.W], -from))])
		p, row = write4(p, &actions[env.W], n), row|rowBits[env.W].of(n)
		n = uintptr(reach[env.NW][occupancyNW(bits.RotateLeft64(st[env.NW], -from))])
		p, row = write4(p, &actions[env.NW], n), row|rowBits[env.NW].of(n)
		if row&g.beyond4 != 0 {
			p = writeFar(begin, st, reach, actions, from)
		}
		bit := from * 8 * g.rays.Longest
		mask[bit>>6] |= row << (bit & 63)
		// A row that ends with the mask leaves nothing for a next word.
		mask[min(bit>>6+1, len(mask)-1)] |= row >> 1 >> (^bit & 63)
	}
	return p
}

// writeFar writes the moves of a piece eight wide.
func writeFar(p unsafe.Pointer, st *stops, reach *reachTable, actions *[8][8]env.Action, from int) unsafe.Pointer {
	for d := range actions {
		p = write8(p, &actions[d], uintptr(reach[d][st.occupancy(d, from)]))
	}
	return p
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	viewer &= 1
	out := (*[turnPlane]uint64)(packed)
	own, enemy := &s.kinds[viewer], &s.kinds[viewer^1]
	if viewer == env.First {
		for rank := range ranks {
			out[ownPieces+rank], out[enemyPieces+rank] = own[rank], enemy[rank]
		}
	} else {
		for rank := range ranks {
			out[ownPieces+rank], out[enemyPieces+rank] = bits.Reverse64(own[rank]), bits.Reverse64(enemy[rank])
		}
	}
	out[landPlane], out[trenchPlane] = ^(trenchSquares | enemySquares), trenchSquares
	s.uniform(scalars, viewer)
}
