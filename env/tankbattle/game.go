package tankbattle

import (
	"math"

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

	longest                int    // size − 1
	last                   int    // size² − 1
	inverse                uint64 // ⌈2³²/longest⌉: action·inverse>>32 is action/longest
	quietLimit, occurLimit int32  // math.MaxInt32 where off
	historySize            int    // keys a state stores, 0 with repetition off
	moverOnly              bool   // end_check is mover
	either                 bool   // duel is either

	cells         [2][128]uint8                    // cells[p][q]: the cell of square q in player p's frame
	forward       [8]int32                         // change of the frame's square for a step in a direction of the frame
	arms          [cells]*arms                     // by cell; pointers, so that their parts are constant offsets
	red           [cells]bool                      // contaminated
	squareOf      [cells]uint8                     // absolute
	spots         [ids]*[cells]spot                // by the piece that stands there and cell
	actions       [128]*[8][maxSize - 1]env.Action // pointers, so that the rows are constant offsets
	scenery       [2][sceneryPlanes * maxSquares]uint8
	packedScenery [2][2 * sceneryPlanes]uint64
	runs          runs
	maskWords     int
	blackTurn     uint64
	mostPoints    int // that a side can have
}

// spot is what it means for a piece to stand somewhere.
type spot struct {
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
	g := &Game{
		rules:      rules,
		terrain:    rules.Layout.terrain(),
		longest:    rules.Layout.Size - 1,
		last:       rules.Layout.Size*rules.Layout.Size - 1,
		moverOnly:  rules.EndCheck == checkMover,
		either:     rules.Duel == duelEither,
		quietLimit: math.MaxInt32,
		occurLimit: math.MaxInt32,
	}
	g.inverse = uint64((1<<32 + g.longest - 1) / g.longest)
	if rules.NoProgress > 0 {
		g.quietLimit = int32(rules.NoProgress)
	}
	if rules.Repetition > 0 {
		g.occurLimit = int32(rules.Repetition)
		g.historySize = rules.NoProgress + 1
	}
	g.setGeometry()
	g.setSpots()
	g.setScenery()
	g.mostPoints = g.most()
	g.head = engine.NewSnapshotHead(snapshotMark, snapshotVersion, &rules, behaviour)
	g.start = State{game: g, history: engine.History{Keys: make([]uint64, 0, min(g.historySize, 1))}}
	g.start.set(&position{board: g.terrain.start(), mover: env.First})
	g.spec = g.makeSpec()
	g.maskWords = g.spec.MaskWords()
	g.runs = makeRuns(g.longest)
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
		g.red[cell] = g.terrain.contaminated.has(square)
		g.actions[square] = &actions[square]
		for d := range 8 {
			for n := range g.longest {
				actions[square][d][n] = g.encode(square, env.Direction(d), n+1)
			}
		}
	}
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		g.forward[d] = int32(dy*g.terrain.size + dx)
	}
}

func (g *Game) setSpots() {
	const seed = 1942
	var tables [kinds][cells]spot
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
	for piece := range g.spots {
		g.spots[piece] = &tables[kindOf(id(piece))]
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
func (g *Game) NewStates(n int) []env.State {
	states := make([]State, n)
	keys := make([]uint64, n*g.historySize)
	out := make([]env.State, n)
	for i := range states {
		s := &states[i]
		s.history.Keys = keys[:0:g.historySize]
		keys = keys[g.historySize:]
		s.CopyFrom(&g.start)
		out[i] = s
	}
	return out
}

// encode returns the action of a move in the mover's frame.
func (g *Game) encode(from int, d env.Direction, distance int) env.Action {
	return env.Action((from*8+int(d))*g.longest + distance - 1)
}

// decode is the inverse of encode.
func (g *Game) decode(a env.Action) (from int, d env.Direction, distance int) {
	slot := int(uint64(uint32(a)) * g.inverse >> 32)
	return slot >> 3 & 127, env.Direction(slot & 7), int(a) - slot*g.longest + 1
}

// landing returns the square that a move ends on; both are in the mover's frame.
func (g *Game) landing(from int, d env.Direction, distance int) int {
	return (from + distance*int(g.forward[d&7])) & 127
}

// absolute turns a square of p's frame.
func (g *Game) absolute(p env.Player, square int) int {
	if p == env.Second {
		return g.last - square
	}
	return square
}
