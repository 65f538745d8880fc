package ntxuva

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// game is one rule set with its tables.
type game struct {
	rules Rules
	spec  env.Spec

	houses   int    // of one player
	words    int    // of a circuit that are in use
	mask     uint64 // of one house in its word
	at       [maxHouses]place
	stride   int       // house i has bit stride·i in sets of houses
	number   [64]uint8 // of the house that a bit stands for
	prey     [64]prey  // by the house where a move ends; of 63, an endless relay's, nothing
	all      uint64    // the set of all houses
	admitted uint64    // the set of houses from which an endless relay is legal: all or none
	forced   bool      // single pieces move only when nothing else can
	stepping bool      // a single piece goes to an empty house or not at all
	packed   *laps     // nil where the circuits do not fit one word
	wide     *wideLaps // nil where they do
	lanes    *lanes    // nil where packed is
	seedBits int       // bit planes of the numbers of seeds

	start State
	head  engine.SnapshotHead

	tabled [2][maxHouses]int // where a house with one seed stands in a piece table
}

// place says where in a circuit a house is.
type place struct{ word, shift uint8 }

// prey masks what a move captures: if there is anything in the attack house, all
// that is taken.
type prey struct{ attack, taken circuit }

func newGame(rules Rules) *game {
	houses := 2 * rules.Columns
	if houses <= packedHouses && houses*rules.Seeds <= packedPieces {
		return newPackedGame(rules)
	}
	return newWideGame(rules)
}

func newPackedGame(rules Rules) *game {
	g := &game{rules: rules, houses: 2 * rules.Columns, words: 1, mask: houseMask, stride: houseBits}
	for i := range g.houses {
		g.at[i] = place{0, uint8(houseBits * i)}
	}
	g.packed, g.lanes = newLaps(g.houses), newLanes(rules.Columns)
	return g.finish()
}

func newWideGame(rules Rules) *game {
	g := &game{rules: rules, houses: 2 * rules.Columns, words: (2*rules.Columns + 7) / 8, mask: 255, stride: 1}
	for i := range g.houses {
		g.at[i] = place{uint8(i / 8), uint8(i % 8 * 8)}
	}
	g.wide = newWideLaps(g.houses)
	return g.finish()
}

// finish sets up the start position and the spec, which need the tables.
func (g *game) finish() *game {
	for house := range g.houses {
		g.number[house*g.stride] = uint8(house)
		g.all |= g.bit(house)
	}
	g.forced, g.stepping = g.rules.Singles == whenForced, g.rules.SingleStep == emptyOnly
	if g.rules.Endless != illegal {
		g.admitted = g.all
	}
	for end := g.rules.Columns; end < g.houses; end++ {
		attack, defence := g.facing(end)
		p := &g.prey[end]
		p.attack.add(g.at[attack], int(g.mask))
		p.taken = p.attack
		if g.rules.Capture == pair {
			p.taken.add(g.at[defence], int(g.mask))
		}
	}
	g.head = engine.NewSnapshotHead(snapshotMark, snapshotVersion, &g.rules, version)
	s := &g.start
	s.game = g
	s.keys = make([]uint64, g.history())
	for p := range s.houses {
		for i := range g.houses {
			s.houses[p].add(g.at[i], g.rules.Seeds)
		}
	}
	s.begin()
	s.resolve()
	g.spec = newSpec(g)
	g.seedBits = bits.Len8(g.spec.Planes[0].Max)
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			g.tabled[owner][house] = g.spec.PieceIndex(&env.Piece{Type: s.kind(house), Owner: owner, Square: s.square(owner, house), Count: 1})
		}
	}
	return g
}

// facing returns the enemy houses that face an own attack house.
func (g *game) facing(house int) (attack, defence int) {
	columns := g.rules.Columns
	column := 2*columns - 1 - house
	return columns + column, columns - 1 - column
}

// bit is that of a house in a set.
func (g *game) bit(house int) uint64 { return 1 << (house * g.stride & 63) }

// history is the number of positions that may be kept for repetition: as many
// as fit between two captures.
func (g *game) history() int {
	if g.rules.Repetition == 0 {
		return 0
	}
	return g.rules.NoProgress + 1
}

// Spec returns the facts of the rule set.
func (g *game) Spec() *env.Spec { return &g.spec }

// NewStates returns n states at the start position.
func (g *game) NewStates(n int) []env.State {
	memory, history := make([]State, n), make([]uint64, n*g.history())
	states := make([]env.State, n)
	for i := range memory {
		memory[i].keys = history[i*g.history() : (i+1)*g.history()]
		memory[i].CopyFrom(&g.start)
		states[i] = &memory[i]
	}
	return states
}

func (c *circuit) count(at place, mask uint64) int {
	return int(c[at.word&3] >> (at.shift & 63) & mask)
}

func (c *circuit) add(at place, pieces int) { c[at.word&3] += uint64(pieces) << (at.shift & 63) }

// meets tells whether there is anything under a mask.
func (c *circuit) meets(mask *circuit) bool {
	return c[0]&mask[0]|c[1]&mask[1]|c[2]&mask[2]|c[3]&mask[3] != 0
}

func (c *circuit) clear(mask *circuit) {
	c[0] &^= mask[0]
	c[1] &^= mask[1]
	c[2] &^= mask[2]
	c[3] &^= mask[3]
}

// total returns the number of pieces in a circuit.
func (g *game) total(c *circuit) int {
	sum := 0
	for i := range g.houses {
		sum += c.count(g.at[i], g.mask)
	}
	return sum
}
