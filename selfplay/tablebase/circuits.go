package tablebase

// circuits numbers the ways in which seeds lie in the houses of one player.
// Those of n seeds have the numbers 0 to count(n)−1, in lexicographic order.
type circuits struct {
	houses int
	// ways[h][n] is the number of ways in which n seeds lie in h houses, or
	// manyWays where there are more.
	ways [][]int
}

// manyWays is more than any table holds.
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

// most is the greatest number of seeds.
func (c *circuits) most() int { return len(c.ways[0]) - 1 }

// count returns how many circuits of n seeds there are.
func (c *circuits) count(n int) int { return c.ways[c.houses][n] }

// below returns how many circuits have fewer than n seeds.
func (c *circuits) below(n int) int {
	sum := 0
	for fewer := range n {
		sum += c.count(fewer)
	}
	return sum
}

// number returns the number of a circuit of n seeds. Those before it agree with it
// up to some house and have fewer seeds there; so they are, for each house, all
// ways to lay what is left of the seeds but those with as many as it has or more.
func (c *circuits) number(seeds []uint8, n int) int {
	number := 0
	for house, here := range seeds {
		ways := c.ways[c.houses-house]
		number += ways[n] - ways[n-int(here)]
		n -= int(here)
	}
	return number
}

// lay writes the circuit of n seeds that has a number; it is the inverse of number.
func (c *circuits) lay(seeds []uint8, n, number int) {
	for house := range seeds {
		ways, here := c.ways[c.houses-house], 0
		for here < n && number >= ways[n]-ways[n-here-1] {
			here++
		}
		number -= ways[n] - ways[n-here]
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
