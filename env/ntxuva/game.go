package ntxuva

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Game is N'txuva under one rule set, with the tables its states share. It is
// immutable.
type Game struct {
	rules  Rules
	spec   env.Spec
	start  State // its history has room for one position
	head   engine.SnapshotHead
	limits engine.Limits

	houses int              // of one player
	at     [maxHouses]place // places of the houses in a circuit
	mask   uint64           // of a house's seeds, when shifted to the right
	words  int              // of a circuit that are in use

	// A set of houses is a word in which house i has bit stride·i.
	stride int
	all    uint64 // the set of all houses

	onlyForced   bool   // single seeds move only when nothing else can
	onlyEmpty    bool   // single seeds move only into empty houses
	endlessLegal uint64 // the set of houses whose endless relays are legal: all or none

	packed *packedLaps // nil if a circuit does not fit in one word
	wide   *wideLaps   // nil if packed is not

	captures   [64]capture // by the house where a move ends; 63 stands for an endless relay
	bitPlanes  *bitPlanes  // nil if packed is
	seedPlanes int         // bit planes for the numbers of seeds
	tableIndex [2][maxHouses]int
}

// capture masks what a move captures: all of taken, if there are seeds in attack.
type capture struct{ attack, taken circuit }

func newGame(rules Rules) *Game {
	houses := 2 * rules.Columns
	return newGameWith(rules, houses <= packedHouses && houses*rules.Seeds <= packedSeeds)
}

// newGameWith makes a game with the packed or the wide kernel.
func newGameWith(rules Rules, packed bool) *Game {
	g := &Game{
		rules:      rules,
		limits:     engine.NewLimits(rules.NoProgress, rules.Repetition, 0),
		houses:     2 * rules.Columns,
		onlyForced: rules.Singles == whenForced,
		onlyEmpty:  rules.SingleStep == emptyOnly,
	}
	if packed {
		g.setPacked()
	} else {
		g.setWide()
	}
	for house := range g.houses {
		g.all |= g.bit(house)
	}
	if rules.Endless != illegal {
		g.endlessLegal = g.all
	}
	g.setCaptures()
	g.head = engine.NewSnapshotHead("NTXU", 3, &rules, about.Version)
	g.start = State{game: g, Base: engine.NewBase(&g.limits)}
	g.start.set(g.startPosition())
	g.start.resolve()
	g.spec = g.makeSpec()
	g.seedPlanes = bits.Len8(g.spec.Planes[seedsPlane].Max)
	g.setTableIndex()
	return g
}

func (g *Game) setPacked() {
	g.words, g.mask, g.stride = 1, houseMask, houseBits
	for house := range g.houses {
		g.at[house] = place{0, uint8(houseBits * house)}
	}
	g.packed, g.bitPlanes = newPackedLaps(g.houses), newBitPlanes(g.rules.Columns)
}

func (g *Game) setWide() {
	g.words, g.mask, g.stride = (g.houses+7)/8, 255, 1
	for house := range g.houses {
		g.at[house] = place{uint8(house / 8), uint8(house % 8 * 8)}
	}
	g.wide = newWideLaps(g.houses)
}

func (g *Game) setCaptures() {
	for end := g.rules.Columns; end < g.houses; end++ {
		attack, defence := g.facing(end)
		c := &g.captures[end]
		c.attack.add(g.at[attack], int(g.mask))
		c.taken = c.attack
		if g.rules.Capture == pair {
			c.taken.add(g.at[defence], int(g.mask))
		}
	}
}

// setTableIndex finds where a house with one seed is in a piece table.
func (g *Game) setTableIndex() {
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			g.tableIndex[owner][house] = g.spec.PieceIndex(&env.Piece{
				Type: g.pieceType(house), Owner: owner, Square: g.square(owner, house), Count: 1,
			})
		}
	}
}

func (g *Game) startPosition() *position {
	p := new(position)
	for owner := range p.houses {
		for house := range g.houses {
			p.houses[owner].add(g.at[house], g.rules.Seeds)
		}
	}
	return p
}

// facing returns the enemy houses that face an attack house, in the enemy's
// numbering.
func (g *Game) facing(house int) (attack, defence int) {
	columns := g.rules.Columns
	column := 2*columns - 1 - house
	return columns + column, columns - 1 - column
}

// bit returns the set of one house.
func (g *Game) bit(house int) uint64 { return 1 << (house * g.stride & 63) }

// maxSeeds returns the greatest number of seeds that a player can have.
func (g *Game) maxSeeds() int { return g.houses * g.rules.Seeds }

// Rules returns the rule set.
func (g *Game) Rules() Rules { return g.rules }

// Spec implements env.Game.
func (g *Game) Spec() *env.Spec { return &g.spec }

// NewStates implements env.Game.
func (g *Game) NewStates(n int) []env.State { return engine.NewStates(n, &g.limits, &g.start) }
