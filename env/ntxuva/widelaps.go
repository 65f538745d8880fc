package ntxuva

import "math/bits"

// wideLaps is the table of the wide kernel, which has a byte for each house.
type wideLaps struct {
	houses int
	ones   circuit // one seed in each house
	// add[p][n] has one seed in each of the n houses after p.
	add [maxHouses][maxHouses]circuit
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

// wide returns the seeds of a house.
func (c *circuit) wide(house int) int {
	return int(c[house>>3&3] >> (house & 7 * 8) & 255)
}

// lap takes the seeds of a house and sows them. It sets house to that of the last seed,
// and returns the number of seeds that are sown and the number that is then in the
// last house.
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

// sow plays a relay to its end in c and returns the house of the last seed. If the
// relay is endless, ok is false and c is undefined. It finds cycles as packedLaps does.
func (t *wideLaps) sow(c *circuit, house int) (end int, ok bool) {
	for range freeLaps {
		if _, last := t.lap(c, &house); last == 1 {
			return house, true
		}
	}
	reference, place := *c, house
	for power, walked, oneToOne := 1, 0, true; ; walked++ {
		if !oneToOne && walked == power {
			reference, place, power, walked = *c, house, 2*power, 0
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

// wideSets returns the set of houses with two seeds or more and that of houses with
// one.
func wideSets(c *circuit) (many, single uint64) {
	const bytes = 0x0101010101010101
	for i, word := range c {
		two := (word>>1&(127*bytes) + 127*bytes) >> 7 & bytes
		many |= gather(two) << (8 * i)
		single |= gather(word&bytes&^two) << (8 * i)
	}
	return many, single
}

// gather moves bit 8i to bit i. The product has it at bit 56+i, and no other term at
// that bit.
func gather(lows uint64) uint64 { return lows * 0x0102040810204080 >> 56 }

// endless returns the houses of a set whose relays are endless.
func (t *wideLaps) endless(c *circuit, set uint64) (endless uint64) {
	for ; set != 0; set &= set - 1 {
		copied := *c
		if _, ok := t.sow(&copied, bits.TrailingZeros64(set)); !ok {
			endless |= set & -set
		}
	}
	return endless
}
