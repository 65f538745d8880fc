package ntxuva

import "math/bits"

// The packed kernel. A moment of a relay is one word: house i at bit 5i, the
// house where the lap begins at bit 60.
const (
	houseBits    = 5
	houseMask    = 1<<houseBits - 1
	placeShift   = 60
	packedHouses = placeShift / houseBits
	packedPieces = houseMask
	boardMask    = 1<<placeShift - 1
	packedOnes   = 0x084210842108421 // bit 5i of the twelve houses
)

// laps is what lifting n pieces at house p and sowing them does, at index 32p + n.
type laps struct {
	houses int
	// add is what the lap adds to the moment, modulo 2⁶⁴; carries between houses
	// cancel out because the result is a circuit again.
	add [16 << houseBits]uint64
	// next is 5 times the house of the last piece.
	next [16 << houseBits]uint8
}

func newLaps(houses int) *laps {
	t := &laps{houses: houses}
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

// unwatched is the number of laps after which an endless relay is looked for.
const unwatched = 24

// sow plays the relays from several houses, given by their bits in a packed set.
// Where house i ends is the moment ends[i]: the houses after the move and the
// house of the last piece. The endless ones are returned; their ends are not set.
func (t *laps) sow(board, set uint64, ends *[16]uint64) (endless uint64) {
	for ; set != 0; set &= set - 1 {
		shift := uint64(bits.TrailingZeros64(set))
		house := shift * 13 >> 6 // shift / 5
		v := board | house<<placeShift
		n := v >> (shift & 63) & houseMask
		for left := unwatched; ; left-- {
			i := v>>(placeShift-houseBits)&^houseMask | n
			v += t.add[i]
			n = v >> (t.next[i] & 63) & houseMask
			if n == 1 {
				break
			}
			if left == 0 {
				var ok bool
				if v, ok = t.watch(v); !ok {
					endless |= set & -set
				}
				break
			}
		}
		ends[house&15] = v
	}
	return endless
}

// lap plays one lap of a moment; last is the number of pieces in its last house.
func (t *laps) lap(v uint64) (next uint64, sown, last int) {
	sown = packedCount(v, int(v>>placeShift))
	next = v + t.add[(v>>placeShift<<houseBits|uint64(sown))&511]
	return next, sown, packedCount(next, int(next>>placeShift))
}

// watch plays a relay on from a moment, looking out for its return.
func (t *laps) watch(v uint64) (end uint64, ok bool) {
	reference := v
	for {
		next, sown, last := t.lap(v)
		if last == 1 {
			return next, true
		}
		if next == reference {
			return 0, false
		}
		v = next
		if sown >= t.houses {
			return t.brent(v)
		}
	}
}

// brent does the same where laps of a full round may come.
func (t *laps) brent(v uint64) (end uint64, ok bool) {
	for power := 1; ; power *= 2 {
		reference := v
		for range power {
			next, _, last := t.lap(v)
			if last == 1 {
				return next, true
			}
			if next == reference {
				return 0, false
			}
			v = next
		}
	}
}

func packedCount(v uint64, house int) int {
	return int(v >> (uint(house*houseBits) & 63) & houseMask)
}

// packedSets returns the houses with two or more pieces and those with one, each
// as a set that has bit 5i for house i.
func packedSets(board uint64) (many, single uint64) {
	const high = packedOnes * (houseMask >> 1)
	many = (board>>1&high + high) >> (houseBits - 1) & packedOnes
	return many, board &^ many & packedOnes
}
