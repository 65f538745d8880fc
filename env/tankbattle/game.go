package tankbattle

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Game is Tank Battle under one rule set, with the tables its states share. It
// is immutable.
type Game struct {
	rules   Rules
	terrain terrain
	spec    env.Spec
	start   State // its history has room for one position
	head    engine.SnapshotHead

	rays      engine.Rays
	limits    engine.Limits
	last      int  // size² − 1
	moverOnly bool // end_check is mover
	either    bool // duel is either

	// Code that is run often writes square&127, piece%ids and direction&7 to index these
	// tables. The values are in range already; the operations only let the compiler
	// leave out its bounds checks.

	cells         [2][128]uint8 // cells[p][q]: the cell of square q in player p's frame
	arms          [cells]*arms  // by cell; pointers, so that their parts are constant offsets
	contaminated  [cells]bool
	squareOf      [cells]uint8                     // absolute
	placements    [ids]*[cells]placement           // by piece and cell
	actions       [128]*[8][maxSize - 1]env.Action // pointers, so that the rows are constant offsets
	scenery       [2][sceneryPlanes * maxSquares]uint8
	packedScenery [2][2 * sceneryPlanes]uint64
	rowBits       rowBits
	maskWords     int
	blackTurn     uint64
	mostPoints    int // that a side can have
}

// A placement is what follows from where a piece stands.
type placement struct {
	key   uint64
	limit distances // how far it can go on the empty board
	worth worth
	_     [4]byte
}

// A worth is a number of tanks that are not in the enemy base, in the lowest
// byte, and the points that tanks score, in the rest. Worths add up.
type worth int32

const pointUnit worth = 1 << 8

func (w worth) away() int { return int(w & (pointUnit - 1)) }

func (w worth) points() int { return int(w >> 8) }

func newGame(rules Rules) *Game {
	size := rules.Layout.Size
	g := &Game{
		rules:     rules,
		terrain:   rules.Layout.terrain(),
		rays:      engine.NewRays(size, size-1, playerNames),
		limits:    engine.NewLimits(rules.NoProgress, rules.Repetition, 0),
		last:      size*size - 1,
		moverOnly: rules.EndCheck == checkMover,
		either:    rules.Duel == duelEither,
	}
	g.setGeometry()
	g.setPlacements()
	g.setScenery()
	g.mostPoints = g.most()
	g.head = engine.NewSnapshotHead("TKBT", 1, &rules, about.Version)
	g.start = State{game: g, Base: engine.NewBase(&g.limits)}
	g.start.set(&position{board: g.terrain.start()})
	g.spec = g.makeSpec()
	g.maskWords = g.spec.MaskWords()
	g.rowBits = newRowBits(g.rays.Longest)
	return g
}

func (g *Game) setGeometry() {
	actions := make([][8][maxSize - 1]env.Action, g.terrain.squares())
	for square := range g.terrain.squares() {
		cell := g.terrain.cell(square)
		g.cells[0][square] = cell
		g.cells[1][g.last-square] = cell
		arms := g.terrain.arms(square)
		g.arms[cell] = &arms
		g.squareOf[cell] = uint8(square)
		g.contaminated[cell] = g.terrain.contaminated.has(square)
		g.actions[square] = &actions[square]
		for d := range 8 {
			for n := range g.rays.Longest {
				actions[square][d][n] = g.rays.Encode(square, env.Direction(d), n+1)
			}
		}
	}
}

func (g *Game) setPlacements() {
	const seed = 1942
	var tables [kinds][cells]placement
	for k := range kind(kinds) {
		for square := range g.terrain.squares() {
			cell := g.terrain.cell(square)
			s := &tables[k][cell]
			s.key = env.Derive(seed, uint64(k), uint64(cell))
			s.worth = g.worth(k, square)
			for d := env.N; d <= env.NW; d++ {
				s.limit[d] = uint8(g.terrain.limit(k, square, d))
			}
		}
	}
	for piece := range g.placements {
		g.placements[piece] = &tables[kindOf(id(piece))]
	}
	g.blackTurn = env.Derive(seed)
}

// worth returns what a tank on a square adds to its owner's.
func (g *Game) worth(k kind, square int) worth {
	p := &g.rules.Points
	enemy := k.owner() ^ 1
	points := p.Elsewhere
	switch inside := g.terrain.base[enemy].has(square); {
	case !inside:
		return worth(points)*pointUnit + 1
	case !k.commander():
		points = p.TankInBase
	case square == g.terrain.commander[enemy]:
		points = p.CommanderHome
	default:
		points = p.CommanderInBase
	}
	return worth(points) * pointUnit
}

// Rules returns the rule set. The caller must not change its lists.
func (g *Game) Rules() Rules { return g.rules }

// Spec implements env.Game.
func (g *Game) Spec() *env.Spec { return &g.spec }

// NewStates implements env.Game.
func (g *Game) NewStates(n int) []env.State { return engine.NewStates(n, &g.limits, &g.start) }
