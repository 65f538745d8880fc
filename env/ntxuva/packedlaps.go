package ntxuva

import "math/bits"

// The packed kernel. A moment of a relay is one word: the seeds of house i at bit 5i,
// the house where the next lap begins at bit 60.
const (
	houseBits    = 5
	houseMask    = 1<<houseBits - 1
	placeShift   = 60
	packedHouses = placeShift / houseBits
	packedSeeds  = houseMask
	boardMask    = 1<<placeShift - 1
	packedOnes   = 0x084210842108421 // bit 5i of the twelve houses
)

// packedLaps describes the lap that begins with n seeds in house p, at index 32p + n.
type packedLaps struct {
	houses int
	// add is what the lap adds to the moment, modulo 2⁶⁴. Carries between houses
	// cancel out because the result is a circuit again.
	add [16 << houseBits]uint64
	// next is 5 times the house of the last seed.
	next [16 << houseBits]uint8
}

func newPackedLaps(houses int) *packedLaps {
	t := &packedLaps{houses: houses}
	for p := range houses {
		for n := range 1 << houseBits {
			add := -(uint64(n) << (houseBits * p))
			for i := 1; i <= n; i++ {
				add += 1 << (houseBits * ((p + i) % houses))
			}
			last := (p + n) % houses
			t.add[p<<houseBits|n] = add + uint64(last-p)<<placeShift
			t.next[p<<houseBits|n] = uint8(houseBits * last)
		}
	}
	return t
}

// freeLaps is the number of laps of a relay that are played without looking for a
// cycle. Few relays are longer.
const freeLaps = 24

// sow plays the relays from a set of houses. It sets ends[i] to the moment in which
// the relay from house i ends: the houses after the move and the house of the last
// seed. It returns the set of houses whose relays are endless and leaves their ends
// undefined.
func (t *packedLaps) sow(board, set uint64, ends *[16]uint64) (endless uint64) {
	for ; set != 0; set &= set - 1 {
		shift := uint64(bits.TrailingZeros64(set))
		house := shift * 13 >> 6 // shift / 5
		v := board | house<<placeShift
		n := v >> (shift & 63) & houseMask
		for left := freeLaps; ; left-- {
			i := v>>(placeShift-houseBits)&^houseMask | n
			v += t.add[i]
			n = v >> (t.next[i] & 63) & houseMask
			if n == 1 {
				break
			}
			if left == 0 {
				var ok bool
				if v, ok = t.finish(v); !ok {
					endless |= set & -set
				}
				break
			}
		}
		ends[house&15] = v
	}
	return endless
}

// lap plays one lap. It returns the number of seeds that are sown, and the number that
// is then in the last house.
func (t *packedLaps) lap(v uint64) (next uint64, sown, last int) {
	sown = packedCount(v, int(v>>placeShift))
	next = v + t.add[(v>>placeShift<<houseBits|uint64(sown))&511]
	return next, sown, packedCount(next, int(next>>placeShift))
}

// finish plays the rest of a relay from a moment. ok is false if the relay is
// endless. The package comment explains the test.
func (t *packedLaps) finish(moment uint64) (end uint64, ok bool) {
	reference := moment
	for shorter := true; shorter; {
		next, sown, last := t.lap(moment)
		if last == 1 {
			return next, true
		}
		if next == reference {
			return 0, false
		}
		moment, shorter = next, sown < t.houses
	}
	for power := 1; ; power *= 2 {
		reference = moment
		for range power {
			next, _, last := t.lap(moment)
			if last == 1 {
				return next, true
			}
			if next == reference {
				return 0, false
			}
			moment = next
		}
	}
}

// packedCount returns the seeds of a house.
func packedCount(v uint64, house int) int {
	return int(v >> (uint(house*houseBits) & 63) & houseMask)
}

// packedSets returns the set of houses with two seeds or more and that of houses with
// one.
func packedSets(board uint64) (many, single uint64) {
	const high = packedOnes * (houseMask >> 1)
	many = (board>>1&high + high) >> (houseBits - 1) & packedOnes
	return many, board &^ many & packedOnes
}
