package tankbattle

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// ObserveBits implements env.BitObserver.
func (s *State) ObserveBits(dst []uint64, scalars []uint8, viewer env.Player) {
	g := s.game
	viewer &= 1
	words := g.spec.PlaneWords()
	own, enemy := s.pieces[viewer], s.pieces[viewer^1].reversed(g.terrain.squares())
	rest := dst[:g.spec.ObservationBitWords()]
	for owner, pieces := range [2]*squareSet{&own, &enemy} {
		var commander squareSet
		if cell := s.commander[viewer^env.Player(owner)]; cell != 0 {
			commander.add(g.absolute(viewer, int(g.squareOf[cell])))
		}
		for word := range words {
			rest[word] = commander[word&1]
			rest[words+word] = pieces[word&1] &^ commander[word&1]
		}
		rest = rest[2*words:]
	}
	copy(rest, g.packedScenery[viewer])
	var numbers [maxNumbers]uint8
	copy(scalars, numbers[:s.numbers(&numbers, viewer)])
}

// LegalMask implements env.Masker.
func (s *State) LegalMask(dst []env.Action, mask []uint64) []env.Action {
	g := s.game
	mask = mask[:g.spec.MaskWords()]
	clear(mask)
	if s.reason != env.NoReason {
		return dst
	}
	me := s.next & 1
	for word, rest := range s.pieces[me] {
		for ; rest != 0; rest &= rest - 1 {
			from := word<<6 | bits.TrailingZeros64(rest)
			reach := bits.RotateLeft64(s.reachFrom(me, from), int(me)<<5)
			g.markRuns(mask, from, reach)
		}
	}
	return s.Legal(dst)
}

// markRuns sets the bits of the actions of a piece: a run for each direction.
func (g *Game) markRuns(mask []uint64, from int, reach uint64) {
	// The runs of eight directions have up to 80 bits; the first six fit a word.
	step := uint(g.longest)
	var low, high uint64
	for d := range uint(6) {
		low |= run(reach>>(8*d)) << (d * step)
	}
	high = run(reach>>48) | run(reach>>56)<<step
	at := 6 * step // of high
	low, high = low|high<<at, high>>(64-at)

	first := uint(from) * 8 * step
	word, shift := first>>6, first&63
	mask[word] |= low << shift
	if over := low>>1>>(63-shift) | high<<shift; over != 0 {
		mask[word+1] |= over
	}
	if over := high >> 1 >> (63 - shift); over != 0 {
		mask[word+2] |= over
	}
}

// run returns as many ones as the lowest byte says.
func run(length uint64) uint64 { return 1<<(length&15) - 1 }
