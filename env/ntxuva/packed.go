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

// sow plays a relay to its end. The result is a moment too: the houses after the
// move and the house of the last piece. It is endless when ok is false.
func (t *laps) sow(board uint64, house int) (end uint64, ok bool) {
	v := board | uint64(house)<<placeShift
	shift := uint64(house * houseBits)
	n := v >> (shift & 63) & houseMask
	for range unwatched {
		i := v>>(placeShift-houseBits)&^houseMask | n
		v += t.add[i&511]
		n = v >> (t.next[i&511] & 63) & houseMask
		if n == 1 {
			return v, true
		}
	}
	return t.watch(v)
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

// packedMask gathers bit 5i of the twelve houses into bit i.
func packedMask(v uint64) uint32 {
	var mask uint32
	for ; v != 0; v &= v - 1 {
		mask |= 1 << (bits.TrailingZeros64(v) / houseBits)
	}
	return mask
}
