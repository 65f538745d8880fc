package tankchess

import (
	"math/bits"

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
	return dst[:len(dst)+engine.Listed(p, s.list(p, mask), s.game.spec.MaxLegal)]
}

// maskActions sets the bits of a piece's actions in mask.
func (s *State) maskActions(mask []uint64, first int, reached *endSet, bytes int, fires bool) {
	g := s.game
	if g.shotCount != usualShots {
		s.maskAnyShots(mask, first, reached, fires)
		return
	}
	x, shotSet := g.expansion, s.scratch.shotSet
	shift := first & 63
	to := mask[first>>6:]
	before := uint64(0)
	rest := uint64(0)
	words := (bytes + 1) / 2
	for i := range words {
		if i%4 == 0 {
			rest = reached[i/4&(len(reached)-1)]
		}
		word := uint64(x.nibbles[rest&0xff]) | uint64(x.nibbles[rest>>8&0xff])<<32
		rest >>= 16
		if fires {
			word |= shotSet[i]
		}
		to[i] |= word<<shift | before>>1>>(63-shift)
		before = word
	}
	if over := before >> 1 >> (63 - shift); over != 0 {
		to[words] |= over
	}
}

// maskAnyShots does what maskActions does for any number of actions for each end
// state.
func (s *State) maskAnyShots(mask []uint64, first int, reached *endSet, fires bool) {
	set := func(bit int) { mask[bit>>6] |= 1 << (bit & 63) }
	for w, rest := range reached {
		for ; rest != 0; rest &= rest - 1 {
			set(first + (w<<6|bits.TrailingZeros64(rest))*s.game.shotCount)
		}
	}
	if !fires {
		return
	}
	for w, rest := range s.scratch.shotSet {
		for ; rest != 0; rest &= rest - 1 {
			set(first + (w<<6 | bits.TrailingZeros64(rest)))
		}
	}
}

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(packed []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	index := &g.planeIndex
	viewer &= 1
	words := g.spec.PlaneWords()
	packed = packed[:index.uniform*words]
	clear(packed[:index.terrain*words])
	for owner := range s.tanks {
		for slot := range g.slots {
			t := &s.tanks[owner][slot&(maxSlots-1)]
			if t.fate != living && t.fate != wreck {
				continue
			}
			at := g.frame(viewer, int(t.square))
			word, bit := at>>6, uint64(1)<<(at&63)
			a, b, c := index.planesOf(owner^int(viewer), slot, t.facing.Turned(4*int(viewer)), t.fate == living)
			packed[a*words+word] |= bit
			packed[b*words+word] |= bit
			packed[c*words+word] |= bit
		}
	}
	copy(packed[index.terrain*words:], index.terrainBits[viewer])
	s.uniform(scalars, viewer)
}
