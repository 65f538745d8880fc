package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// canLeave reports whether p's Command Tank can leave the board as an escape, if it
// is p's turn.
func (s *State) canLeave(p env.Player) bool {
	g := s.game
	if g.rules.Escape != escapeOffBoard {
		return false
	}
	t := &s.tanks[p&1][g.command]
	rank := int(g.coords[t.square].y)
	if p == env.First {
		rank = g.size - 1 - rank
	}
	return t.fate == living && rank < g.kinds[g.slots[g.command].kind].speed && s.findWayOff(p)
}

// Finish implements env.Finisher: the escape off the board.
func (s *State) Finish() env.Action {
	if !s.Over() && s.canLeave(s.Next) {
		return s.game.escape
	}
	return env.NoAction
}

// findWayOff searches the graph of movements of p's Command Tank, breadth first to
// the depth of its speed, for a step off the board that is an escape.
func (s *State) findWayOff(p env.Player) bool {
	g := s.game
	k, t := &g.kinds[g.slots[g.command].kind], &s.tanks[p&1][g.command]
	graph, states := &g.templates.graphs[t.facing&1], g.templates.nodeStates[t.facing&7]
	at := g.coords[t.square]
	var (
		seen  [maxMoveNodes / 64]uint64
		queue [maxMoveNodes]int16
	)
	seen[0] = 1
	end := 1 // of the queue; its first element is node 0
	for from, depth := 0, 0; depth < k.speed && from < end; depth++ {
		for level := end; from < level; from++ {
			node := queue[from]
			x := int(at.x) + int(states[node].dx)
			for step, next := range graph.next[node] {
				if next < 0 || seen[next>>6]>>(next&63)&1 != 0 {
					continue
				}
				nx, ny := int(at.x)+int(states[next].dx), int(at.y)+int(states[next].dy)
				if (step == stepForward || step == stepBack) && !(nx == int(at.x) && ny == int(at.y)) {
					if g.leavesByStep(p, nx, ny, x, step) {
						return true
					}
					if s.closed[k.closed].has(nx, ny) {
						continue
					}
				}
				seen[next>>6] |= 1 << (next & 63)
				queue[end] = next
				end++
			}
		}
	}
	return false
}

// leavesByStep reports whether p's Command Tank leaves the board as an escape by a
// step from file x to file nx and rank ny.
func (g *Game) leavesByStep(p env.Player, nx, ny, x, step int) bool {
	edge := g.size // behind Black's home rank
	if p == env.Second {
		edge = -1
	}
	if ny != edge || nx < 0 || nx >= g.size || step == stepBack && !g.rules.BackwardEscape {
		return false
	}
	return g.rules.CornerExit != cornerBarred || x > 0 && x < g.size-1
}

// CanEscape reports whether p's Command Tank could escape, if it were p's turn.
func (s *State) CanEscape(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	if g.rules.Escape != escapeLastRank {
		return s.canLeave(p)
	}
	var reached endSet
	s.reachable(p, g.command, &reached)
	for w, rest := range reached {
		for ; rest != 0; rest &= rest - 1 {
			if square, _ := s.destination(p, g.command, w<<6|bits.TrailingZeros64(rest)); g.rules.winsOn(p, square) {
				return true
			}
		}
	}
	return false
}

// winsOn reports whether p's Command Tank wins by standing on a square.
func (r *Rules) winsOn(p env.Player, square int) bool {
	return r.Escape == escapeLastRank && r.isExit(p, square)
}

// isExit reports whether a square is on the enemy's home rank, and not a corner
// that is barred.
func (r *Rules) isExit(p env.Player, square int) bool {
	x, y, last := square%r.Layout.Size, square/r.Layout.Size, r.Layout.Size-1
	if p == env.First && y != last || p == env.Second && y != 0 {
		return false
	}
	return r.CornerExit != cornerBarred || x > 0 && x < last
}
