package ntxuva

import "github.com/sandtable-farm/sandtable/env"

// game is one rule set with its tables.
type game struct {
	rules Rules
	spec  env.Spec

	houses int    // of one player
	words  int    // of a circuit that are in use
	mask   uint64 // of one house in its word
	at     [maxHouses]place
	packed *laps     // nil where the circuits do not fit one word
	wide   *wideLaps // nil where they do

	start State
}

// place says where in a circuit a house is.
type place struct{ word, shift uint8 }

func newGame(rules Rules) *game {
	houses := 2 * rules.Columns
	if houses <= packedHouses && houses*rules.Seeds <= packedPieces {
		return newPackedGame(rules)
	}
	return newWideGame(rules)
}

func newPackedGame(rules Rules) *game {
	g := &game{rules: rules, houses: 2 * rules.Columns, words: 1, mask: houseMask}
	for i := range g.houses {
		g.at[i] = place{0, uint8(houseBits * i)}
	}
	g.packed = newLaps(g.houses)
	return g.finish()
}

func newWideGame(rules Rules) *game {
	g := &game{rules: rules, houses: 2 * rules.Columns, words: (2*rules.Columns + 7) / 8, mask: 255}
	for i := range g.houses {
		g.at[i] = place{uint8(i / 8), uint8(i % 8 * 8)}
	}
	g.wide = newWideLaps(g.houses)
	return g.finish()
}

// finish sets up the start position and the spec, which need the tables.
func (g *game) finish() *game {
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
	return g
}

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

func (c *circuit) clear(at place, mask uint64) { c[at.word&3] &^= mask << (at.shift & 63) }

// total returns the number of pieces in a circuit.
func (g *game) total(c *circuit) int {
	sum := 0
	for i := range g.houses {
		sum += c.count(g.at[i], g.mask)
	}
	return sum
}
