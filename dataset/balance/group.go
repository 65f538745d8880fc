package balance

import "github.com/sandtable-farm/sandtable/env"

// A grid holds whole numbers by row and column.
type grid struct {
	columns int
	cells   []int64
}

func newGrid(rows, columns int) grid { return grid{columns, make([]int64, rows*columns)} }

func (g *grid) add(row, column, n int) { g.cells[row*g.columns+column] += int64(n) }

func (g *grid) at(row, column int) int64 { return g.cells[row*g.columns+column] }

// total returns the sum of a row.
func (g *grid) total(row int) int64 {
	sum := int64(0)
	for _, n := range g.cells[row*g.columns : (row+1)*g.columns] {
		sum += n
	}
	return sum
}

// faces is the number of env.Face.
const faces = int(env.Rear) + 1

// A group holds the counts of one cluster, which is a pair of games or a single game. The
// rows of its grids are piece types.
type group struct {
	games, plies, positions, turns int64 // positions and turns are of the sample

	moved, shots, entries grid // one column
	captures              grid // plies that take one piece, plies that take several
	kills                 grid // by victim
	faces                 grid // hits on the type by face
	legal, movers         grid // actions, and pieces of the mover, at sampled turns
	killAt, deathAt       grid // by square, in the frame of the killer and of the victim
	standsAt              grid // by square, in the owner's frame, at sampled positions
}

func newGroup(b *board) *group {
	k := len(b.spec.Pieces)
	column := func() grid { return newGrid(k, 1) }
	return &group{
		moved: column(), shots: column(), entries: column(), captures: newGrid(k, 2), kills: newGrid(k, k), faces: newGrid(k, faces),
		legal: column(), movers: column(), killAt: newGrid(k, b.squares), deathAt: newGrid(k, b.squares), standsAt: newGrid(k, b.squares),
	}
}

func (g *group) grids() []*grid {
	return []*grid{&g.moved, &g.shots, &g.entries, &g.captures, &g.kills, &g.faces, &g.legal, &g.movers, &g.killAt, &g.deathAt, &g.standsAt}
}

func (g *group) clear() {
	g.games, g.plies, g.positions, g.turns = 0, 0, 0, 0
	for _, grid := range g.grids() {
		clear(grid.cells)
	}
}

// losses returns the number of pieces of a type that were taken.
func (g *group) losses(victim int) int64 {
	sum := int64(0)
	for k := range g.kills.columns {
		sum += g.kills.at(k, victim)
	}
	return sum
}
