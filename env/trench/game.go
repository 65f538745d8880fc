package trench

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Game is Trench under one rule set, with the tables its states share. It is
// immutable.
type Game struct {
	rules Rules
	spec  env.Spec
	start State // its history has room for one position
	head  env.SnapshotHead

	longest int               // R, the longest move of any rank
	inverse uint32            // ⌈2¹⁶/R⌉: action·inverse>>16 is action/R
	points  [ranks]int32      // when captured
	worth   int               // points of a whole army
	dirs    [ranks]Directions // in the mover's frame, hence for both players
	common  []env.Direction   // directions that every rank has

	target, plyLimit, quietLimit, occurLimit int32 // math.MaxInt32 where off
	historySize                              int   // keys a state stores, 0 with repetition off

	delta [8]int32
	steps [8][8]uint64 // steps[d][n]: squares 1 to n steps away, as a set around square 0
	zone  [squares]uint8
	edge  [8]uint64 // squares whose neighbour in a direction is off the board
	brink [8]uint64 // edge as stopSets wants it
	// Pointers, so that a row's address is one load and its parts constant offsets.
	runs    [16]*[8][stopViews]uint8   // runs[figure][d][view]: steps a piece can go; see figureOf
	actions [squares]*[8][8]env.Action // actions[from][d][distance−1]
	prefix  [8]prefixes                // by direction
	beyond4 uint64                     // the bits of a row that stand for more than four squares
	far     uint16                     // bit f: figure f may go farther than four squares

	ground    [2 * squares]uint8    // observation planes of the zones
	zobrist   [2][8][squares]uint64 // by owner, rank, absolute square
	whiteMove uint64
}

func newGame(rules Rules) *Game {
	g := &Game{rules: rules, target: math.MaxInt32, plyLimit: math.MaxInt32, quietLimit: math.MaxInt32, occurLimit: math.MaxInt32}
	g.setLimits()
	g.setRanks()
	g.setGeometry()
	g.setRuns()
	g.setKeys()
	g.head = env.SnapshotHead{Mark: snapshotMark, Version: snapshotVersion, Rules: variant.Fingerprint(&rules, behaviour), Name: rules.Name}
	position := start(rules.Start)
	g.start = State{game: g, history: env.History{Keys: make([]uint64, 0, min(g.historySize, 1))}}
	g.start.set(&position)
	g.spec = g.makeSpec()
	return g
}

// start returns the start position of rules that are valid.
func start(text string) position {
	b, err := parseBoard(text)
	if err != nil {
		panic(fmt.Sprintf("trench: start of a valid rule set: %v", err))
	}
	return position{board: b, mover: env.First}
}

func (g *Game) setLimits() {
	for _, limit := range []struct {
		to    *int32
		value int
	}{
		{&g.target, g.rules.TargetPoints},
		{&g.plyLimit, 2 * g.rules.MovesEach},
		{&g.quietLimit, g.rules.NoProgress},
		{&g.occurLimit, g.rules.Repetition},
	} {
		if limit.value > 0 {
			*limit.to = int32(limit.value)
		}
	}
	if g.rules.Repetition > 0 {
		g.historySize = g.rules.NoProgress + 1
	}
}

func (g *Game) setRanks() {
	all := Directions(0xff)
	for rank := range ranks {
		piece := g.rules.Pieces[letters[rank:rank+1]]
		g.longest = max(g.longest, g.rules.longestMove(env.First, rank), g.rules.longestMove(env.Second, rank))
		g.points[rank] = int32(piece.Points)
		g.dirs[rank] = piece.Directions
		all &= piece.Directions
	}
	for rank, count := range armyCounts {
		g.worth += count * int(g.points[rank])
	}
	g.inverse = uint32((1<<16 + g.longest - 1) / g.longest)
	for d := env.N; d <= env.NW; d++ {
		if all.Has(d) {
			g.common = append(g.common, d)
		}
	}
}

func (g *Game) setGeometry() {
	actions := make([][8][8]env.Action, squares)
	for square := range squares {
		g.actions[square] = &actions[square]
	}
	for d := env.N; d <= env.NW; d++ {
		g.delta[d] = int32(step(d))
		for n := 1; n < 8; n++ {
			g.steps[d][n] = g.steps[d][n-1] | 1<<(n*step(d)&63)
		}
		for square := range squares {
			if _, on := walk(square, d, 1); !on {
				g.edge[d] |= 1 << square
			}
			for n := range g.longest {
				actions[square][d][n] = g.encode(square, d, n+1)
			}
		}
		for n := range g.longest + 1 {
			g.prefix[d][n] = (1<<n - 1) << (int(d) * g.longest)
		}
		g.beyond4 |= g.prefix[d][g.longest] &^ g.prefix[d][min(4, g.longest)]
		g.brink[d] = g.edge[d]
		if step(d) < 0 {
			g.brink[d] = bits.RotateLeft64(g.edge[d], step(d))
		}
	}
	for square := range squares {
		g.zone[square] = uint8(zoneOf(square))
	}
	g.ground = makeGround()
}

func (g *Game) setRuns() {
	runs := make([][8][stopViews]uint8, len(g.runs))
	for figure := range g.runs {
		g.runs[figure] = &runs[figure]
	}
	for rank := range ranks {
		for owner := range 2 {
			figure, longest := figureOf(makeCode(owner, 0, rank)), g.rules.longestMove(env.Player(owner), rank)
			if longest > 4 {
				g.far |= 1 << figure
			}
			for d := env.N; d <= env.NW; d++ {
				if !g.dirs[rank].Has(d) {
					continue
				}
				for view := range stopViews {
					runs[figure][d][view] = uint8(min(longest, firstStop(d, view)))
				}
			}
		}
	}
}

func (g *Game) setKeys() {
	const seed = 20131
	for owner := range g.zobrist {
		for rank := range ranks {
			for square := range squares {
				g.zobrist[owner][rank][square] = env.Derive(seed, uint64(owner), uint64(rank), uint64(square))
			}
		}
	}
	g.whiteMove = env.Derive(seed)
}

// Rules returns the rule set. The caller must not change its map.
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
	slot := uint32(a) * g.inverse >> 16
	return int(slot >> 3 & 63), env.Direction(slot & 7), (int(a) - int(slot)*g.longest + 1) & 7
}

// path returns the squares that a move passes and lands on, in the mover's frame.
func (g *Game) path(from int, d env.Direction, distance int) uint64 {
	return bits.RotateLeft64(g.steps[d&7][distance&7], from)
}
