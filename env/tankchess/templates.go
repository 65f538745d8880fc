package tankchess

import (
	"cmp"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// An end state is where a movement ends, relative to where it began: dx to the
// right, dy upwards, turned clockwise by so many eighths.
type endState struct{ dx, dy, turn int8 }

// turnedQuarter returns the end state on a board turned clockwise by 90°.
func (e endState) turnedQuarter() endState { return endState{dx: e.dy, dy: -e.dx, turn: e.turn} }

// A manoeuvre is an end state together with whether the movement has used its
// step back. Manoeuvres are the nodes of the graph of all movements.
type manoeuvre struct {
	endState
	back bool
}

// Steps from one manoeuvre to the next.
const (
	stepForward = iota
	stepLeft
	stepRight
	stepBack
	stepKinds
)

const (
	maxTemplates  = 512 // 465 at the greatest speed with mixed reverse
	maxManoeuvres = 768 // 735 likewise
	noTemplate    = -1  // of the manoeuvre that ends where it began
)

// path is the graph of movements of the fastest type from one square and facing
// on an unbounded empty board. Node 0 is the start.
type path struct {
	nodes    []manoeuvre
	next     [][stepKinds]int16 // -1 where there is no such step
	template []int16            // number of the end state, or noTemplate
}

// templates are the numbered end states of a rule set. There are two lists, for
// facings along the files and ranks and for diagonal ones; those of the other
// facings are these turned by multiples of 90°, so a number means the same to
// both players.
type templates struct {
	count  int                  // T, the length of the longer list
	lists  [2][]endState        // for facing N and for facing NE
	prefix [2][maxSpeed + 1]int // how many a speed reaches
	paths  [2]path
	place  [8][]endState // the end states by facing
	nodes  [8][]endState // the nodes of the graph by facing
	// at[facing] has, by the square relative to the start, the numbers of the end
	// states by turn; count where there is none.
	at [8][][8]uint16
}

// templateSpan is the width of the square around the start that no end state
// leaves. Its lower left corner has index 0.
const templateSpan = 2*maxSpeed + 1

func newTemplates(speed int, mixed bool) *templates {
	t := new(templates)
	for diagonal := range 2 {
		t.build(env.Direction(diagonal), speed, mixed)
		t.count = max(t.count, len(t.lists[diagonal]))
	}
	for f := range t.place {
		t.place[f] = slices.Clone(t.lists[f&1])
		t.nodes[f] = make([]endState, len(t.paths[f&1].nodes))
		for i, n := range t.paths[f&1].nodes {
			t.nodes[f][i] = n.endState
		}
		for range f / 2 {
			for i := range t.place[f] {
				t.place[f][i] = t.place[f][i].turnedQuarter()
			}
			for i := range t.nodes[f] {
				t.nodes[f][i] = t.nodes[f][i].turnedQuarter()
			}
		}
		t.at[f] = make([][8]uint16, templateSpan*templateSpan)
		for i := range t.at[f] {
			for turn := range t.at[f][i] {
				t.at[f][i][turn] = uint16(t.count)
			}
		}
		for number, e := range t.place[f] {
			t.at[f][(int(e.dy)+maxSpeed)*templateSpan+int(e.dx)+maxSpeed][e.turn] = uint16(number)
		}
	}
	return t
}

// build makes the list and the graph of facing N or NE.
func (t *templates) build(facing env.Direction, speed int, mixed bool) {
	p := &t.paths[facing]
	known := map[manoeuvre]int16{{}: 0}
	p.nodes = []manoeuvre{{}}
	reached := []int{0} // steps to each node
	for i := 0; i < len(p.nodes); i++ {
		next := [stepKinds]int16{-1, -1, -1, -1}
		for kind := range stepKinds {
			to, can := p.nodes[i].step(facing, kind, mixed)
			if !can || reached[i] == speed {
				continue
			}
			j, seen := known[to]
			if !seen {
				j = int16(len(p.nodes))
				known[to] = j
				p.nodes = append(p.nodes, to)
				reached = append(reached, reached[i]+1)
			}
			next[kind] = j
		}
		p.next = append(p.next, next)
	}
	t.number(facing, reached)
}

// step returns the manoeuvre one step on, and whether there is one: alone, a
// step back is a whole movement.
func (m manoeuvre) step(facing env.Direction, kind int, mixed bool) (manoeuvre, bool) {
	if m.back && !mixed {
		return m, false
	}
	dx, dy := delta(facing.Turned(int(m.turn)))
	switch kind {
	case stepForward:
		m.dx, m.dy = m.dx+dx, m.dy+dy
	case stepLeft:
		m.turn = (m.turn + 7) & 7
	case stepRight:
		m.turn = (m.turn + 1) & 7
	case stepBack:
		if m.back || !mixed && m != (manoeuvre{}) {
			return m, false
		}
		m.dx, m.dy, m.back = m.dx-dx, m.dy-dy, true
	}
	return m, true
}

// delta is env.Direction.Delta in the numbers of an end state.
func delta(d env.Direction) (dx, dy int8) {
	x, y := d.Delta()
	return int8(x), int8(y)
}

// number puts the end states in their order: the step back, then by fewest
// steps, dy, dx and turn.
func (t *templates) number(facing env.Direction, reached []int) {
	p := &t.paths[facing]
	fewest := map[endState]int{}
	for i, n := range p.nodes {
		if steps, seen := fewest[n.endState]; !seen || reached[i] < steps {
			fewest[n.endState] = reached[i]
		}
	}
	delete(fewest, endState{})
	dx, dy := delta(facing)
	fewest[endState{dx: -dx, dy: -dy}] = 0
	list := make([]endState, 0, len(fewest))
	for e := range fewest {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b endState) int {
		return cmp.Or(cmp.Compare(fewest[a], fewest[b]), cmp.Compare(a.dy, b.dy), cmp.Compare(a.dx, b.dx), cmp.Compare(a.turn, b.turn))
	})
	numbers := map[endState]int16{{}: noTemplate}
	for i, e := range list {
		numbers[e] = int16(i)
		for speed := fewest[e]; speed <= maxSpeed; speed++ {
			t.prefix[facing][speed]++
		}
	}
	for _, n := range p.nodes {
		p.template = append(p.template, numbers[n.endState])
	}
	t.lists[facing] = list
}

// find returns the number of an end state of a piece with the given facing, or
// noTemplate.
func (t *templates) find(facing env.Direction, e endState) int {
	return slices.Index(t.place[facing&7], e)
}
