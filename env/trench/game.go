package trench

import (
	"fmt"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Game is Trench under one rule set, with the tables its states share. It is
// immutable.
type Game struct {
	rules  Rules
	rays   engine.Rays
	limits engine.Limits
	spec   env.Spec
	start  State // its history has room for one position
	head   engine.SnapshotHead

	points [ranks]int32      // when captured
	worth  int               // points of a whole army
	dirs   [ranks]Directions // in the mover's frame, hence for both players
	common []env.Direction   // directions that every rank has

	target int32 // points that win, engine.NoLimit where off

	steps    [8][8]uint64 // steps[d][n]: squares 1 to n steps away, as a set around square 0
	zone     [squares]uint8
	edge     [8]uint64 // squares whose neighbour in a direction is off the board
	edgeMask [8]uint64 // edge, rotated as stops.fill needs it
	// Code that is run often writes square&63, direction&7 and distance&7 to index these
	// tables. The values are in range already; the operations only let the compiler
	// leave out its bounds checks.

	// Pointers, so that a row's address is one load and its parts constant offsets.
	reach   [16]*reachTable            // by figure; see figureOf
	actions [squares]*[8][8]env.Action // actions[from][d][distance−1]
	rowBits [8]rowBits                 // by direction
	beyond4 uint64                     // the bits of a row that stand for more than four squares
	far     uint16                     // bit f: figure f may go farther than four squares

	ground    [2 * squares]uint8    // observation planes of the zones
	zobrist   [2][8][squares]uint64 // by owner, rank, absolute square
	whiteMove uint64
}

func newGame(rules Rules) *Game {
	g := &Game{
		rules:  rules,
		limits: engine.NewLimits(rules.NoProgress, rules.Repetition, 2*rules.MovesEach),
		target: engine.NoLimit,
	}
	if rules.TargetPoints > 0 {
		g.target = int32(rules.TargetPoints)
	}
	g.setRanks()
	g.setGeometry()
	g.setReach()
	g.setKeys()
	g.head = engine.NewSnapshotHead("TRCH", 1, &rules, about.Version)
	position := start(rules.Start)
	g.start = State{game: g, Base: engine.NewBase(&g.limits)}
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
	return position{board: b}
}

func (g *Game) setRanks() {
	all, longest := Directions(0xff), 0
	for rank := range ranks {
		piece := g.rules.Pieces[letters[rank:rank+1]]
		longest = max(longest, g.rules.longestMove(env.First, rank), g.rules.longestMove(env.Second, rank))
		g.points[rank] = int32(piece.Points)
		g.dirs[rank] = piece.Directions
		all &= piece.Directions
	}
	for rank, count := range armyCounts {
		g.worth += count * int(g.points[rank])
	}
	g.rays = engine.NewRays(width, longest, playerNames)
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
	longest := g.rays.Longest
	for d := env.N; d <= env.NW; d++ {
		step := int(g.rays.Step[d])
		for n := 1; n < 8; n++ {
			g.steps[d][n] = g.steps[d][n-1] | 1<<(n*step&63)
		}
		for square := range squares {
			if g.rays.ToEdge(square, d) == 0 {
				g.edge[d] |= 1 << square
			}
			for n := range longest {
				actions[square][d][n] = g.rays.Encode(square, d, n+1)
			}
		}
		for n := range longest + 1 {
			g.rowBits[d][n] = (1<<n - 1) << (int(d) * longest)
		}
		g.beyond4 |= g.rowBits[d][longest] &^ g.rowBits[d][min(4, longest)]
		g.edgeMask[d] = g.edge[d]
		if step < 0 {
			g.edgeMask[d] = bits.RotateLeft64(g.edge[d], step)
		}
	}
	for square := range squares {
		g.zone[square] = uint8(zoneOf(square))
	}
	g.ground = makeGround()
}

func (g *Game) setReach() {
	tables := make([]reachTable, len(g.reach))
	for figure := range g.reach {
		g.reach[figure] = &tables[figure]
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
				for occupancy := range occupancies {
					tables[figure][d][occupancy] = uint8(min(longest, firstStop(g.rays.Step[d], occupancy)))
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
func (g *Game) NewStates(n int) []env.State { return engine.NewStates(n, &g.limits, &g.start) }

// path returns the squares that a move passes and lands on, in the mover's frame.
func (g *Game) path(from int, d env.Direction, distance int) uint64 {
	return bits.RotateLeft64(g.steps[d&7][distance&7], from)
}
