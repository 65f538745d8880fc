package tankchess

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Game is Tank Chess under one rule set, with the tables its states share. It
// is immutable.
type Game struct {
	rules *Rules
	spec  env.Spec
	start State // its history has room for one position

	size, squares int
	ground        ground
	kinds         []kind // by index into Spec.Pieces
	slots         []slot
	command       int // slot of the Command Tank
	templates     *templates
	shots         int // S
	escape        env.Action

	quietLimit, occurLimit int32 // math.MaxInt32 where off
	historySize            int   // keys a state stores, 0 with repetition off

	view view

	step      [8]int     // change of the square index for one step
	run       [8][]uint8 // squares from each square to the edge in a direction
	spots     []spot     // file and rank of each square
	crossings []crossing
	places    [][4]uint16 // see turnedPlaces
	centre    int         // index of the offset from a square to itself
	deltas    [8]offset   // one step in a direction
	kindOf    [maxSlots]*kind

	// What the terrain blocks of a board without pieces.
	closed      [2]rows
	lines       lines
	wet, hedged bool // there is water, there are hedges

	expansions *expansions

	keys       []uint64 // by player, kind and square; a facing rotates them
	wreckKeys  []uint64 // by square
	blackMove  uint64
	slotFactor [2][maxSlots]uint64 // odd

	head engine.SnapshotHead // last: in front of what Legal reads it costs a third of its speed
}

// kind is a type of piece made of numbers.
type kind struct {
	code      string
	speed     int
	value     int
	armour    [env.Rear + 1]int // by face
	power     int
	gun       Gun
	least     int // range in effect
	greatest  int
	shots     []shot    // ascending by number
	firstShot [8]int    // number of each arc's first
	water     int       // which squares are closed to it: index of State.closed
	faces     [8]uint64 // by facing: byte d is 1 + the armour that a shell flying in direction d hits
	gait      *gait
	aim       aim
}

// spot is a file and a rank, from 0.
type spot struct{ x, y uint8 }

// shot is one way to fire.
type shot struct {
	number   int
	arc      int // eighths clockwise from the facing
	distance int // 0 along the line of fire as far as the first thing on it
}

func newGame(rules *Rules) *Game {
	g := &Game{rules: rules, size: rules.Layout.Size, quietLimit: math.MaxInt32, occurLimit: math.MaxInt32}
	g.squares = g.size * g.size
	g.setLimits()
	g.setKinds()
	var faults variant.Faults
	g.ground = parseLayout(rules, &faults)
	if err := faults.Err(); err != nil {
		panic(fmt.Sprintf("tankchess: layout of a valid rule set: %v", err))
	}
	g.templates = newTemplates(rules.fastest(), rules.Reverse == reverseMixed)
	g.shots = rules.shotNumbers()
	opening := g.setSlots()
	g.escape = env.Action(len(g.slots) * g.templates.count * g.shots)
	g.setGeometry()
	g.setTerrain()
	g.setMoves()
	g.setKeys()
	g.head = engine.NewSnapshotHead(snapshotMark, snapshotVersion, rules, behaviour)
	g.start = State{game: g, history: engine.History{Keys: make([]uint64, 0, min(g.historySize, 1))}, scratch: &scratch{fire: make([]uint64, g.fireWords())}}
	g.view = g.makeView()
	g.start.set(&opening)
	g.spec = g.makeSpec()
	return g
}

func (g *Game) setLimits() {
	if n := g.rules.NoProgress; n > 0 {
		g.quietLimit = int32(n)
	}
	if n := g.rules.Repetition; n > 0 {
		g.occurLimit = int32(n)
		g.historySize = g.rules.NoProgress + 1
	}
}

func (g *Game) setKinds() {
	for _, code := range g.rules.codes() {
		p := g.rules.Pieces[code]
		k := kind{
			code: code, speed: p.Speed, value: p.Value, power: p.Power, gun: p.Gun, least: p.Gun.least(), greatest: p.Gun.greatest(),
			armour: [...]int{env.Front: p.Armour.Front, env.Side: p.Armour.Side, env.Rear: p.Armour.Rear},
		}
		for i, arc := range p.Gun.Arcs {
			k.firstShot[i] = len(k.shots) + 1
			if !p.Gun.Indirect {
				k.shots = append(k.shots, shot{number: len(k.shots) + 1, arc: arc})
				continue
			}
			for distance := k.least; distance <= k.greatest; distance++ {
				k.shots = append(k.shots, shot{number: len(k.shots) + 1, arc: arc, distance: distance})
			}
		}
		if len(k.shots) == 1 && !p.Gun.Indirect {
			k.shots[0].number, k.firstShot[0] = 2, 2 // as ahead is for guns of three directions
		}
		g.kinds = append(g.kinds, k)
	}
}

// frame turns an absolute square into p's frame and back.
func (g *Game) frame(p env.Player, square int) int {
	if p == env.Second {
		return g.squares - 1 - square
	}
	return square
}

func (g *Game) setGeometry() {
	for d := env.N; d <= env.NW; d++ {
		dx, dy := d.Delta()
		g.step[d], g.deltas[d] = dy*g.size+dx, offset{dx, dy}
		g.run[d] = make([]uint8, g.squares)
		for square := range g.squares {
			x, y := square%g.size+dx, square/g.size+dy
			for ; g.on(x, y); x, y = x+dx, y+dy {
				g.run[d][square]++
			}
		}
	}
}

// setTerrain makes what the terrain blocks.
func (g *Game) setTerrain() {
	g.crossings, g.lines = crossings(g.size)
	g.wet, g.hedged = g.ground.water != (board{}), g.ground.hedges != (board{})
	for i := range g.closed[0] {
		g.closed[0][i], g.closed[1][i] = math.MaxUint64, math.MaxUint64
	}
	for square := range g.squares {
		x, y := square%g.size, square/g.size
		g.spots = append(g.spots, spot{uint8(x), uint8(y)})
		g.places = append(g.places, g.turnedPlaces(x, y))
		if solid := g.ground.obstacles.has(square) || g.ground.low.has(square); !solid {
			g.closed[1].flip(x, y)
			if !g.ground.water.has(square) {
				g.closed[0].flip(x, y)
			}
		}
		if g.ground.obstacles.has(square) || g.ground.hedges.has(square) {
			g.lines.flip(&g.crossings[square])
		}
	}
}

// setMoves makes what the moves and shots of each kind are looked up in.
func (g *Game) setMoves() {
	g.expansions = newExpansions(g.shots)
	g.centre = (g.size-1)*2*g.size + g.size
	for i, slot := range g.slots {
		g.kindOf[i] = &g.kinds[slot.kind]
	}
	gaits := map[int]*gait{}
	for i := range g.kinds {
		k := &g.kinds[i]
		if gaits[k.speed] == nil {
			gaits[k.speed] = newGait(g.templates, k.speed)
		}
		k.gait = gaits[k.speed]
		k.aim = g.newAim(k)
		if g.wet && g.rules.Pieces[k.code].Amphibious {
			k.water = 1
		}
		for facing := env.N; facing <= env.NW; facing++ {
			for d := env.N; d <= env.NW; d++ {
				k.faces[facing] |= uint64(k.armour[faceHit(d, facing)]+1) << (8 * d)
			}
		}
	}
}

// fireWords is the length of scratch.fire: the shots of every end state, and of
// one that no piece reaches.
func (g *Game) fireWords() int { return ((g.templates.count+1)*g.shots + 63) / 64 }

// on tells whether there is a square at file x and rank y, counted from 0.
func (g *Game) on(x, y int) bool { return uint(x) < uint(g.size) && uint(y) < uint(g.size) }

func (g *Game) setKeys() {
	const seed = 2016
	g.keys = make([]uint64, 2*len(g.kinds)*g.squares)
	for i := range g.keys {
		g.keys[i] = env.Derive(seed, 0, uint64(i))
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

// key is the word of a piece, of which the repetition key and the hash are made.
func (g *Game) key(p env.Player, kind int, t tank) uint64 {
	word := g.keys[(int(p&1)*len(g.kinds)+kind)*g.squares+int(t.square)]
	if t.fate == wreck {
		return bits.RotateLeft64(word, 60)
	}
	return bits.RotateLeft64(word, 7*int(t.facing&7))
}

// slotKey is the part in the hash of a piece with the given word.
func (g *Game) slotKey(p env.Player, slot int, word uint64) uint64 {
	word *= g.slotFactor[p&1][slot]
	return word ^ word>>32
}

// Rules returns the rule set. The caller must not change its maps and lists.
func (g *Game) Rules() Rules { return *g.rules }

// Spec implements env.Game.
func (g *Game) Spec() *env.Spec { return &g.spec }

// NewStates implements env.Game.
func (g *Game) NewStates(n int) []env.State {
	states := make([]State, n)
	rooms := make([]scratch, n)
	fire := g.fireWords()
	words := make([]uint64, n*(g.historySize+fire))
	out := make([]env.State, n)
	for i := range states {
		s := &states[i]
		s.history.Keys, words = words[:0:g.historySize], words[g.historySize:]
		s.scratch = &rooms[i]
		s.scratch.fire, words = words[:fire:fire], words[fire:]
		s.CopyFrom(&g.start)
		out[i] = s
	}
	return out
}

// encode returns the action of a slot's movement and shot.
func (g *Game) encode(slot, template, shot int) env.Action {
	return env.Action((slot*g.templates.count+template)*g.shots + shot)
}

// decode is the inverse of encode.
func (g *Game) decode(a env.Action) (slot, template, shot int) {
	shot = int(a) % g.shots
	movement := int(a) / g.shots
	return movement / g.templates.count, movement % g.templates.count, shot
}
