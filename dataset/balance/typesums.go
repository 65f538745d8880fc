package balance

import (
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
)

// A quantity is a number that is counted for each piece type.
type quantity int

const (
	moved     quantity = iota // turns per game
	turns                     // share of all turns
	shots                     // per game
	entries                   // per game
	kills                     // per game
	losses                    // per game
	exchange                  // share of kills in kills and losses
	multiple                  // share of plies that take several in the plies that take
	multiples                 // turns per game that take several
	mobility                  // legal actions per turn
	each                      // legal actions per piece and turn
	quantities
)

// A typeSums collects the clusters of one piece type.
type typeSums struct {
	of                       [quantities]stats.Clusters
	victims                  []stats.Clusters // kills per game, by victim
	preys                    []stats.Clusters // share of the kills, by victim
	faces                    []stats.Clusters // share of the hits on the type, by face
	killAt, deathAt, standAt []stats.Clusters // by square: share of kills, of losses, of positions
}

func newTypeSums(b *board) typeSums {
	k, make := len(b.spec.Pieces), func(n int) []stats.Clusters { return make([]stats.Clusters, n) }
	return typeSums{
		victims: make(k), preys: make(k), faces: make(faces),
		killAt: make(b.squares), deathAt: make(b.squares), standAt: make(b.squares),
	}
}

// add adds a cluster.
func (s *typeSums) add(g *group, t int) {
	killed, lost := g.kills.total(t), g.losses(t)
	add := func(q quantity, sum, size int64) { s.of[q].Add(float64(sum), size) }
	add(moved, g.moved.total(t), g.games)
	add(turns, g.moved.total(t), g.plies)
	add(shots, g.shots.total(t), g.games)
	add(entries, g.entries.total(t), g.games)
	add(kills, killed, g.games)
	add(losses, lost, g.games)
	add(exchange, killed, killed+lost)
	add(multiple, g.captures.at(t, 1), g.captures.total(t))
	add(multiples, g.captures.at(t, 1), g.games)
	add(mobility, g.legal.total(t), g.turns)
	add(each, g.legal.total(t), g.movers.total(t))
	for v := range s.victims {
		s.victims[v].Add(float64(g.kills.at(t, v)), g.games)
		s.preys[v].Add(float64(g.kills.at(t, v)), killed)
	}
	hits := g.faces.total(t)
	for f := range s.faces {
		s.faces[f].Add(float64(g.faces.at(t, f)), hits)
	}
	here, there := g.killAt.total(t), g.deathAt.total(t)
	for square := range s.standAt {
		s.killAt[square].Add(float64(g.killAt.at(t, square)), here)
		s.deathAt[square].Add(float64(g.deathAt.at(t, square)), there)
		s.standAt[square].Add(float64(g.standsAt.at(t, square)), 2*g.positions) // of both players
	}
}

func (s *typeSums) merge(o *typeSums) {
	mine, others := s.all(), o.all()
	for i := range mine {
		for j := range mine[i] {
			mine[i][j].Merge(&others[i][j])
		}
	}
}

func (s *typeSums) all() [][]stats.Clusters {
	return [][]stats.Clusters{s.of[:], s.victims, s.preys, s.faces, s.killAt, s.deathAt, s.standAt}
}

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
