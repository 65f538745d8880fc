package tankchess

import "github.com/sandtable-farm/sandtable/env"

// Route implements env.Router. It is a way of fewest steps.
func (s *State) Route(a env.Action, dst []int16) []int16 {
	g, me := s.game, s.Next&1
	slot, template, _ := g.decode(a)
	if a == g.escape {
		slot, template = g.command, noTemplate
	}
	k, t := &g.kinds[g.slots[slot].kind], &s.tanks[me][slot]
	graph, states := &g.templates.graphs[t.facing&1], g.templates.nodeStates[t.facing&7]
	at := g.coords[t.square]
	square := func(node int16) int16 { return t.square + int16(int(states[node].dy)*g.size+int(states[node].dx)) }
	from := map[int16]int16{0: 0} // the node before each node
	way := func(node int16) []int16 {
		var back []int16
		for ; node != 0; node = from[node] {
			back = append(back, square(node))
		}
		dst = append(dst, t.square)
		for i := len(back) - 1; i >= 0; i-- {
			if back[i] != dst[len(dst)-1] {
				dst = append(dst, back[i])
			}
		}
		return dst
	}
	level := []int16{0}
	for range k.speed {
		var nextLevel []int16
		for _, node := range level {
			for step, next := range graph.next[node] {
				if next < 0 {
					continue
				}
				if _, seen := from[next]; seen {
					continue
				}
				x, y := int(at.x)+int(states[next].dx), int(at.y)+int(states[next].dy)
				moves := step == stepForward || step == stepBack
				if moves && a == g.escape && g.leavesByStep(me, x, y, int(at.x)+int(states[node].dx), step) {
					return way(node)
				}
				if home := x == int(at.x) && y == int(at.y); moves && !home && s.closed[k.closed].has(x, y) {
					continue
				}
				from[next] = node
				if a != g.escape && int(graph.templates[next]) == template {
					return way(next)
				}
				nextLevel = append(nextLevel, next)
			}
		}
		level = nextLevel
	}
	return append(dst, t.square)
}
