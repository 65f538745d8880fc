package ntxuva

import "math/bits"

// The wide kernel: a byte for each house.

// circuit holds the houses of one player. The packed kernel uses the first word
// alone; in the wide one house i is byte i%8 of word i/8.
type circuit [maxHouses / 8]uint64

func (c *circuit) wide(house int) int {
	return int(c[house>>3&3] >> (house & 7 * 8) & 255)
}

// wideLaps is what sowing less than a full round does, without the lifting: at
// index [p][n] one in each of the n houses after p.
type wideLaps struct {
	houses int
	ones   circuit // one in each house
	add    [maxHouses][maxHouses]circuit
}

func newWideLaps(houses int) *wideLaps {
	t := &wideLaps{houses: houses}
	for p := range houses {
		t.ones[p>>3] += 1 << (p & 7 * 8)
		for n := 1; n < houses; n++ {
			last := (p + n) % houses
			t.add[p][n] = t.add[p][n-1]
			t.add[p][n][last>>3] += 1 << (last & 7 * 8)
		}
	}
	return t
}

// lap lifts the pieces of a house and sows them; house becomes that of the last
// piece, and last the number of pieces in it.
func (t *wideLaps) lap(c *circuit, house *int) (sown, last int) {
	p := *house & (maxHouses - 1)
	sown = c.wide(p)
	c[p>>3] -= uint64(sown) << (p & 7 * 8)
	rest := sown
	for ; rest >= t.houses; rest -= t.houses {
		for i := range c {
			c[i] += t.ones[i]
		}
	}
	add := &t.add[p][rest&(maxHouses-1)]
	for i := range c {
		c[i] += add[i]
	}
	if p += rest; p >= t.houses {
		p -= t.houses
	}
	*house = p
	return sown, c.wide(p)
}

// sow plays a relay to its end in c and returns the house of the last piece. It
// is endless when ok is false; c is then undefined.
func (t *wideLaps) sow(c *circuit, house int) (end int, ok bool) {
	for range unwatched {
		if _, last := t.lap(c, &house); last == 1 {
			return house, true
		}
	}
	reference, place := *c, house
	for power, walked, oneToOne := 1, 0, true; ; walked++ {
		if !oneToOne && walked == power {
			reference, place = *c, house
			power, walked = 2*power, 0
		}
		sown, last := t.lap(c, &house)
		if last == 1 {
			return house, true
		}
		if house == place && *c == reference {
			return 0, false
		}
		if oneToOne && sown >= t.houses {
			oneToOne, power, walked = false, 1, 0
		}
	}
}

// sets returns the houses with two or more pieces and those with one, bit i for
// house i.
func (t *wideLaps) sets(c *circuit) (many, single uint64) {
	const bytes = 0x0101010101010101
	for i, word := range c {
		two := (word>>1&(127*bytes) + 127*bytes) >> 7 & bytes
		many |= gather(two) << (8 * i)
		single |= gather(word&bytes&^two) << (8 * i)
	}
	return many, single
}

// gather moves bit 8i to bit i: the product has it at bit 56+i, and all other
// terms at bits of their own.
func gather(lows uint64) uint64 { return lows * 0x0102040810204080 >> 56 }

// endless returns the houses of a set whose relays never end.
func (t *wideLaps) endless(c *circuit, set uint64) (endless uint64) {
	for ; set != 0; set &= set - 1 {
		copied := *c
		if _, ok := t.sow(&copied, bits.TrailingZeros64(set)); !ok {
			endless |= set & -set
		}
	}
	return endless
}
