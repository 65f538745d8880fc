package tankchess

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Game is Tank Chess under one rule set, with the tables that its states share. It
// is immutable.
type Game struct {
	rules *Rules
	spec  env.Spec
	start State // its history has room for one position

	size, squares int
	board         board
	kinds         []kind // by index into Spec.Pieces
	slots         []slot
	command       int // slot of the Command Tank
	templates     *templates
	shotCount     int // S
	escape        env.Action

	limits engine.Limits

	planeIndex planeIndex

	indexStep     [8]int     // change of the square index by one step in a direction
	toEdge        [8][]uint8 // by direction and square: squares from there to the edge
	coords        []coord    // by square
	linePositions []linePosition
	rotated       [][4]uint16 // by square, see rotatedIndices
	offsetOrigin  int         // index of the offset from a square to itself
	unitSteps     [8]offset   // one step in a direction
	kindOf        [maxSlots]*kind

	// What the terrain alone blocks.
	closed              [2]closedRows
	lines               lines
	hasWater, hasHedges bool // whether there is any

	expansion *expansionTables

	pieceKeys  []uint64 // by player, kind and square; a facing rotates them
	wreckKeys  []uint64 // by square
	blackMove  uint64
	slotFactor [2][maxSlots]uint64 // odd

	head engine.SnapshotHead // last: in front of the fields that Legal reads, it costs Legal a third of its speed
}

// coord is a file and a rank, from 0.
type coord struct{ x, y uint8 }

func newGame(rules Rules) *Game {
	g := &Game{rules: &rules, size: rules.Layout.Size, limits: engine.NewLimits(rules.NoProgress, rules.Repetition, 0)}
	g.squares = g.size * g.size
	g.setKinds()
	var faults variant.Faults
	g.board = parseLayout(&rules, &faults)
	if err := faults.Err(); err != nil {
		panic(fmt.Sprintf("tankchess: layout of a valid rule set: %v", err))
	}
	g.templates = newTemplates(rules.fastest(), rules.Reverse == reverseMixed)
	g.shotCount = rules.shotNumbers()
	opening := g.setSlots()
	g.escape = env.Action(len(g.slots) * g.templates.count * g.shotCount)
	g.setGeometry()
	g.setTerrain()
	g.setMoves()
	g.setKeys()
	g.head = engine.NewSnapshotHead("TNKC", 1, &rules, about.Version)
	g.start = State{game: g, Base: engine.NewBase(&g.limits), scratch: &scratch{shotSet: make([]uint64, g.shotSetWords())}}
	g.planeIndex = g.makePlaneIndex()
	g.start.set(&opening)
	g.spec = g.makeSpec()
	return g
}

// frame converts an absolute square to p's frame, and back.
func (g *Game) frame(p env.Player, square int) int {
	if p == env.Second {
		return g.squares - 1 - square
	}
	return square
}

func (g *Game) setGeometry() {
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		g.indexStep[d], g.unitSteps[d] = dy*g.size+dx, offset{dx, dy}
		g.toEdge[d] = make([]uint8, g.squares)
		for square := range g.squares {
			x, y := square%g.size+dx, square/g.size+dy
			for ; g.onBoard(x, y); x, y = x+dx, y+dy {
				g.toEdge[d][square]++
			}
		}
	}
}

// setTerrain sets what the terrain blocks.
func (g *Game) setTerrain() {
	g.linePositions, g.lines = newLines(g.size)
	g.hasWater, g.hasHedges = g.board.water != (squareSet{}), g.board.hedges != (squareSet{})
	for i := range g.closed[0] {
		g.closed[0][i], g.closed[1][i] = math.MaxUint64, math.MaxUint64
	}
	for square := range g.squares {
		x, y := square%g.size, square/g.size
		g.coords = append(g.coords, coord{uint8(x), uint8(y)})
		g.rotated = append(g.rotated, g.rotatedIndices(x, y))
		if solid := g.board.obstacles.has(square) || g.board.low.has(square); !solid {
			g.closed[1].toggle(x, y)
			if !g.board.water.has(square) {
				g.closed[0].toggle(x, y)
			}
		}
		if g.board.obstacles.has(square) || g.board.hedges.has(square) {
			g.lines.toggle(&g.linePositions[square])
		}
	}
}

// setMoves makes the tables in which the moves and shots of each kind are looked up.
func (g *Game) setMoves() {
	g.expansion = newExpansionTables(g.shotCount)
	g.offsetOrigin = (g.size-1)*2*g.size + g.size
	for i, slot := range g.slots {
		g.kindOf[i] = &g.kinds[slot.kind]
	}
	moveTables := map[int]*moveTable{}
	for i := range g.kinds {
		k := &g.kinds[i]
		if moveTables[k.speed] == nil {
			moveTables[k.speed] = newMoveTable(g.templates, k.speed)
		}
		k.moveTable = moveTables[k.speed]
		k.shotTable = g.newShotTable(k)
		if g.hasWater && g.rules.Pieces[k.code].Amphibious {
			k.closed = 1
		}
		for facing := env.N; facing <= env.NW; facing++ {
			for d := env.N; d <= env.NW; d++ {
				k.faces[facing] |= uint64(k.armour[faceHit(d, facing)]+1) << (8 * d)
			}
		}
	}
}

// shotSetWords is the length of scratch.shotSet: the shots from every end state, and
// from one that no piece reaches, in whole cache lines of eight words.
func (g *Game) shotSetWords() int { return ((g.templates.count+1)*g.shotCount + 511) / 512 * 8 }

// onBoard reports whether there is a square at file x and rank y, counted from 0.
func (g *Game) onBoard(x, y int) bool { return uint(x) < uint(g.size) && uint(y) < uint(g.size) }

func (g *Game) setKeys() {
	const seed = 2016
	g.pieceKeys = make([]uint64, 2*len(g.kinds)*g.squares)
	for i := range g.pieceKeys {
		g.pieceKeys[i] = env.Derive(seed, 0, uint64(i))
	}
	g.wreckKeys = make([]uint64, g.squares)
	for i := range g.wreckKeys {
		g.wreckKeys[i] = env.Derive(seed, 1, uint64(i))
	}
	for p := range g.slotFactor {
		for i := range g.slotFactor[p] {
			g.slotFactor[p][i] = env.Derive(seed, 2, uint64(p), uint64(i)) | 1
		}
	}
	g.blackMove = env.Derive(seed)
}

// pieceKey is the word of a piece from which the repetition key and the hash are made.
func (g *Game) pieceKey(p env.Player, kind int, t tank) uint64 {
	word := g.pieceKeys[(int(p&1)*len(g.kinds)+kind)*g.squares+int(t.square)]
	if t.fate == wreck {
		return bits.RotateLeft64(word, 60)
	}
	return bits.RotateLeft64(word, 7*int(t.facing&7))
}

// slotHash is the part of the hash that a piece with the given word adds.
func (g *Game) slotHash(p env.Player, slot int, word uint64) uint64 {
	word *= g.slotFactor[p&1][slot]
	return word ^ word>>32
}

// Rules returns the rule set. The caller must not change its maps and slices.
func (g *Game) Rules() Rules { return *g.rules }

// Spec implements env.Game.
func (g *Game) Spec() *env.Spec { return &g.spec }

// NewStates implements env.Game.
func (g *Game) NewStates(n int) []env.State {
	states := engine.NewStates(n, &g.limits, &g.start)
	scratches, size := make([]scratch, n), g.shotSetWords()
	shotSets := make([]uint64, n*size)
	for i, s := range states {
		scratches[i].shotSet = shotSets[i*size:][:size]
		s.(*State).scratch = &scratches[i]
	}
	return states
}

// encode returns the action of a slot's movement and shot.
func (g *Game) encode(slot, template, shot int) env.Action {
	return env.Action((slot*g.templates.count+template)*g.shotCount + shot)
}

// decode is the inverse of encode.
func (g *Game) decode(a env.Action) (slot, template, shot int) {
	shot = int(a) % g.shotCount
	movement := int(a) / g.shotCount
	return movement / g.templates.count, movement % g.templates.count, shot
}
