package tankchess

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// An endState is where a movement ends, relative to where it began: dx to the
// right, dy upwards, and turn eighths of a circle clockwise. The number of an end
// state is called its template.
type endState struct{ dx, dy, turn int8 }

// rotated returns the end state on a board rotated clockwise by 90°.
func (e endState) rotated() endState { return endState{dx: e.dy, dy: -e.dx, turn: e.turn} }

// A moveNode is an end state, with whether the movement has used its step back. It
// is a node in the graph of all movements.
type moveNode struct {
	endState
	backed bool
}

// Steps from one moveNode to the next.
const (
	stepForward = iota
	stepLeft
	stepRight
	stepBack
	stepCount
)

const (
	maxTemplates = 512 // 465 at the greatest speed with mixed reverse
	maxMoveNodes = 768 // 735 likewise
	noTemplate   = -1  // of the node at which a movement begins
)

// moveGraph is the graph of movements of the fastest type from one square and
// facing on an unbounded empty board. Node 0 is the start.
type moveGraph struct {
	nodes     []moveNode
	next      [][stepCount]int16 // by node and step, -1 if there is no such step
	templates []int16            // by node
}

// templates are the numbered end states of a rule set. Facings along files and ranks
// have one list, diagonal facings another. For the other facings, the lists of N and
// NE are rotated by multiples of 90°, so a template means the same to both players.
type templates struct {
	count        int                  // T, the length of the longer list
	countBySpeed [2][maxSpeed + 1]int // templates in reach of a speed, for N and NE; they are the first ones
	graphs       [2]moveGraph         // for N and NE
	endStates    [8][]endState        // by facing and template
	nodeStates   [8][]endState        // by facing and node of the graph
	// templateAt[facing] holds by square, relative to the start, and by turn the
	// template of that end state, or count if there is none.
	templateAt [8][][8]uint16
}

// templateSpan is the width of the square around the start that no end state
// leaves. Its lower left corner has index 0.
const templateSpan = 2*maxSpeed + 1

func newTemplates(speed int, mixed bool) *templates {
	t := new(templates)
	for _, facing := range []env.Direction{env.N, env.NE} {
		t.build(facing, speed, mixed)
		t.count = max(t.count, len(t.endStates[facing]))
	}
	for f := range t.endStates {
		if f >= 2 {
			t.endStates[f], t.nodeStates[f] = rotated(t.endStates[f-2]), rotated(t.nodeStates[f-2])
		}
		t.templateAt[f] = make([][8]uint16, templateSpan*templateSpan)
		for i := range t.templateAt[f] {
			for turn := range t.templateAt[f][i] {
				t.templateAt[f][i][turn] = uint16(t.count)
			}
		}
		for template, e := range t.endStates[f] {
			t.templateAt[f][(int(e.dy)+maxSpeed)*templateSpan+int(e.dx)+maxSpeed][e.turn] = uint16(template)
		}
	}
	return t
}

func rotated(list []endState) []endState {
	list = slices.Clone(list)
	for i := range list {
		list[i] = list[i].rotated()
	}
	return list
}

// build makes the lists and the graph of facing N or NE.
func (t *templates) build(facing env.Direction, speed int, mixed bool) {
	graph := &t.graphs[facing]
	known := map[moveNode]int16{{}: 0}
	graph.nodes = []moveNode{{}}
	steps := []int{0} // fewest to each node
	for i := 0; i < len(graph.nodes); i++ {
		next := [stepCount]int16{-1, -1, -1, -1}
		for step := range stepCount {
			to, can := graph.nodes[i].after(step, facing, mixed)
			if !can || steps[i] == speed {
				continue
			}
			j, seen := known[to]
			if !seen {
				j = int16(len(graph.nodes))
				known[to] = j
				graph.nodes = append(graph.nodes, to)
				steps = append(steps, steps[i]+1)
			}
			next[step] = j
		}
		graph.next = append(graph.next, next)
		t.nodeStates[facing] = append(t.nodeStates[facing], graph.nodes[i].endState)
	}
	t.numberEndStates(facing, steps)
}

// after returns the node that a step leads to, and whether the step is allowed. If
// mixed is false, a step back must be the only step.
func (m moveNode) after(step int, facing env.Direction, mixed bool) (moveNode, bool) {
	if m.backed && !mixed {
		return m, false
	}
	dx, dy := delta(facing.Turned(int(m.turn)))
	switch step {
	case stepForward:
		m.dx, m.dy = m.dx+dx, m.dy+dy
	case stepLeft:
		m.turn = (m.turn + 7) & 7
	case stepRight:
		m.turn = (m.turn + 1) & 7
	case stepBack:
		if m.backed || !mixed && m != (moveNode{}) {
			return m, false
		}
		m.dx, m.dy, m.backed = m.dx-dx, m.dy-dy, true
	}
	return m, true
}

// delta is env.Direction.Delta with the types of an endState.
func delta(d env.Direction) (dx, dy int8) {
	x, y := d.Delta()
	return int8(x), int8(y)
}

// numberEndStates lists the end states in the order of their templates: the step
// back, then by fewest steps, dy, dx and turn. Steps are the fewest to each node.
func (t *templates) numberEndStates(facing env.Direction, steps []int) {
	graph := &t.graphs[facing]
	fewest := map[endState]int{}
	for i, n := range graph.nodes {
		if known, seen := fewest[n.endState]; !seen || steps[i] < known {
			fewest[n.endState] = steps[i]
		}
	}
	delete(fewest, endState{})
	dx, dy := delta(facing)
	fewest[endState{dx: -dx, dy: -dy}] = 0
	list := slices.SortedFunc(maps.Keys(fewest), func(a, b endState) int {
		return cmp.Or(cmp.Compare(fewest[a], fewest[b]), cmp.Compare(a.dy, b.dy), cmp.Compare(a.dx, b.dx), cmp.Compare(a.turn, b.turn))
	})
	templateOf := map[endState]int16{{}: noTemplate}
	for i, e := range list {
		templateOf[e] = int16(i)
		for speed := fewest[e]; speed <= maxSpeed; speed++ {
			t.countBySpeed[facing][speed]++
		}
	}
	for _, n := range graph.nodes {
		graph.templates = append(graph.templates, templateOf[n.endState])
	}
	t.endStates[facing] = list
}

// find returns the template of an end state of a piece with the given facing, or
// noTemplate.
func (t *templates) find(facing env.Direction, e endState) int {
	return slices.Index(t.endStates[facing&7], e)
}
