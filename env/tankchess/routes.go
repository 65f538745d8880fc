package tankchess

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// An offset is a square relative to the one on which a movement begins.
type offset struct{ dx, dy int }

// turned returns the offset on a board turned clockwise by so many quarters.
func (o offset) turned(quarters int) offset {
	for range quarters {
		o = offset{o.dy, -o.dx}
	}
	return o
}

// A route is the set of squares that a movement enters, its start left out.
type route []offset

// within tells whether every square of r is in the other route.
func (r route) within(other route) bool {
	for _, o := range r {
		if !slices.Contains(other, o) {
			return false
		}
	}
	return true
}

// routes returns, for each end state of a facing, the least routes to it: the
// end state can be reached exactly when some of them is free.
func (t *templates) routes(facing env.Direction, speed int) [][]route {
	p := &t.paths[facing&1]
	all := make([][]route, len(t.lists[facing&1]))
	var trail route
	var walk func(node int16, steps int)
	walk = func(node int16, steps int) {
		if end := p.template[node]; end != noTemplate {
			all[end] = append(all[end], slices.Clone(trail))
		}
		if steps == speed {
			return
		}
		from := p.nodes[node]
		for _, next := range p.next[node] {
			if next < 0 {
				continue
			}
			to := p.nodes[next]
			square := offset{int(to.dx), int(to.dy)}
			if moved := to.dx != from.dx || to.dy != from.dy; moved && square != (offset{}) {
				trail = append(trail, square)
				walk(next, steps+1)
				trail = trail[:len(trail)-1]
			} else {
				walk(next, steps+1)
			}
		}
	}
	walk(0, 0)
	for i := range all {
		all[i] = least(all[i])
	}
	return all
}

// least drops every route that contains another one.
func least(routes []route) []route {
	slices.SortStableFunc(routes, func(a, b route) int { return len(a) - len(b) })
	var kept []route
	for _, r := range routes {
		if !slices.ContainsFunc(kept, func(k route) bool { return k.within(r) }) {
			kept = append(kept, r)
		}
	}
	return kept
}
