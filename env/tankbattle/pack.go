package tankbattle

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(dst []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	viewer &= 1
	ownLow, ownHigh := s.pieces[viewer][0], s.pieces[viewer][1]
	enemyLow, enemyHigh := turned(s.pieces[viewer^1][0], s.pieces[viewer^1][1], g.last+1)
	ownMarkLow, ownMarkHigh := s.commanderOf(viewer, viewer)
	enemyMarkLow, enemyMarkHigh := s.commanderOf(viewer^1, viewer)
	if g.last >= 64 {
		*(*[8]uint64)(dst) = [8]uint64{
			ownMarkLow, ownMarkHigh, ownLow &^ ownMarkLow, ownHigh &^ ownMarkHigh,
			enemyMarkLow, enemyMarkHigh, enemyLow &^ enemyMarkLow, enemyHigh &^ enemyMarkHigh,
		}
		*(*[2 * sceneryPlanes]uint64)(dst[8:]) = g.packedScenery[viewer]
	} else {
		*(*[4]uint64)(dst) = [4]uint64{ownMarkLow, ownLow &^ ownMarkLow, enemyMarkLow, enemyLow &^ enemyMarkLow}
		*(*[sceneryPlanes]uint64)(dst[4:]) = [sceneryPlanes]uint64(g.packedScenery[viewer][:])
	}
	var uniform [maxUniform]uint8
	copy(scalars, uniform[:s.uniform(&uniform, viewer)])
}

// commanderOf returns the square of p's commander in the viewer's frame as a
// set, which is empty when the commander is lost.
func (s *State) commanderOf(p, viewer env.Player) (low, high uint64) {
	cell := s.commander[p&1]
	if cell == 0 {
		return 0, 0
	}
	square := s.game.rays.Absolute(viewer, int(s.game.squareOf[cell]))
	bit := uint64(1) << (square & 63)
	if square >= 64 {
		return 0, bit
	}
	return bit, 0
}

// LegalMask implements env.Masker.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	g := s.game
	mask = mask[:g.maskWords]
	clear(mask)
	if s.Over() {
		return dst
	}
	me := s.Next & 1
	each := 8 * g.rays.Longest
	for word, rest := range s.pieces[me] {
		for ; rest != 0; rest &= rest - 1 {
			from := word<<6 | bits.TrailingZeros64(rest)
			low, high := g.rowBits.of(bits.RotateLeft64(s.reachFrom(me, from), int(me)<<5))
			first := from * each
			at, shift := first>>6, first&63
			mask[at] |= low << shift
			// What is beyond the mask is 0.
			mask[min(at+1, len(mask)-1)] |= low>>1>>(63-shift) | high<<shift
			mask[min(at+2, len(mask)-1)] |= high >> 1 >> (63 - shift)
		}
	}
	return s.Legal(dst)
}

// rowBits are the bits of a tank's legal actions, its row of the mask, by direction
// and number of squares that it can go. A row has up to 80 bits; the last two
// directions begin at bit split and count from there.
type rowBits struct {
	bits  [8][16]uint64
	split uint
}

func newRowBits(longest int) (r rowBits) {
	const inFirstWord = 6 // directions
	for d := range r.bits {
		for n := range longest + 1 {
			r.bits[d][n] = (1<<n - 1) << (d % inFirstWord * longest)
		}
	}
	r.split = uint(inFirstWord * longest)
	return r
}

// of returns the row for how far a tank can go by direction.
func (r *rowBits) of(reach uint64) (low, high uint64) {
	b := &r.bits
	low = b[0][reach&15] | b[1][reach>>8&15] | b[2][reach>>16&15] | b[3][reach>>24&15] | b[4][reach>>32&15] | b[5][reach>>40&15]
	last := b[6][reach>>48&15] | b[7][reach>>56&15]
	return low | last<<(r.split&63), last >> (-r.split & 63)
}
