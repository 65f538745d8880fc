package tablebase

// circuits ranks the layouts of seeds in the houses of one player, the player's circuit.
// The layouts of n seeds have the ranks 0 to count(n)−1, in lexicographic order.
type circuits struct {
	houses int
	// ways[h][n] is the number of layouts of n seeds in h houses, at most manyWays.
	ways [][]int
}

// manyWays exceeds the size of every table.
const manyWays = 1 << 30

func newCircuits(houses, most int) *circuits {
	c := &circuits{houses: houses, ways: make([][]int, houses+1)}
	for h := range c.ways {
		c.ways[h] = make([]int, most+1)
		for n := range c.ways[h] {
			switch {
			case n == 0:
				c.ways[h][n] = 1
			case h > 0:
				c.ways[h][n] = min(c.ways[h-1][n]+c.ways[h][n-1], manyWays)
			}
		}
	}
	return c
}

// most returns the maximum number of seeds.
func (c *circuits) most() int { return len(c.ways[0]) - 1 }

// count returns the number of layouts of n seeds.
func (c *circuits) count(n int) int { return c.ways[c.houses][n] }

// below returns the number of layouts with fewer than n seeds.
func (c *circuits) below(n int) int {
	sum := 0
	for fewer := range n {
		sum += c.count(fewer)
	}
	return sum
}

// rank returns the rank of a layout of n seeds. A preceding layout agrees with it up to
// some house and has fewer seeds there. So for each house, rank adds the layouts of the
// remaining seeds, less those with at least as many seeds in this house.
func (c *circuits) rank(seeds []uint8, n int) int {
	rank := 0
	for house, here := range seeds {
		ways := c.ways[c.houses-house]
		rank += ways[n] - ways[n-int(here)]
		n -= int(here)
	}
	return rank
}

// unrank writes the layout of n seeds with the given rank; it is the inverse of rank.
func (c *circuits) unrank(seeds []uint8, n, rank int) {
	for house := range seeds {
		ways, here := c.ways[c.houses-house], 0
		for here < n && rank >= ways[n]-ways[n-here-1] {
			here++
		}
		rank -= ways[n] - ways[n-here]
		seeds[house] = uint8(here)
		n -= here
	}
}

func total(seeds []uint8) (n int) {
	for _, here := range seeds {
		n += int(here)
	}
	return n
}
