package tankchess

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// An offset is a square relative to the square on which a movement begins.
type offset struct{ dx, dy int }

// rotated returns the offset on a board rotated clockwise by quarter turns.
func (o offset) rotated(quarterTurns int) offset {
	for range quarterTurns {
		o = offset{o.dy, -o.dx}
	}
	return o
}

// A route is the set of squares that a movement enters, without its start.
type route []offset

// subsetOf reports whether every square of r is in the other route.
func (r route) subsetOf(other route) bool {
	for _, o := range r {
		if !slices.Contains(other, o) {
			return false
		}
	}
	return true
}

// routes returns the minimal routes to each template of a facing. An end state is
// reachable if and only if one of them is free.
func (t *templates) routes(facing env.Direction, speed int) [][]route {
	graph := &t.graphs[facing&1]
	all := make([][]route, len(t.endStates[facing&1]))
	var entered route
	var walk func(node int16, steps int)
	walk = func(node int16, steps int) {
		if template := graph.templates[node]; template != noTemplate {
			all[template] = append(all[template], slices.Clone(entered))
		}
		if steps == speed {
			return
		}
		from := graph.nodes[node]
		for _, next := range graph.next[node] {
			if next < 0 {
				continue
			}
			to := graph.nodes[next]
			square := offset{int(to.dx), int(to.dy)}
			if moved := to.dx != from.dx || to.dy != from.dy; moved && square != (offset{}) {
				entered = append(entered, square)
				walk(next, steps+1)
				entered = entered[:len(entered)-1]
			} else {
				walk(next, steps+1)
			}
		}
	}
	walk(0, 0)
	for i := range all {
		all[i] = minimal(all[i])
	}
	return all
}

// minimal drops every route that contains another one.
func minimal(routes []route) []route {
	slices.SortStableFunc(routes, func(a, b route) int { return len(a) - len(b) })
	var kept []route
	for _, r := range routes {
		if !slices.ContainsFunc(kept, func(k route) bool { return k.subsetOf(r) }) {
			kept = append(kept, r)
		}
	}
	return kept
}
