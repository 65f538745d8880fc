package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// leaves tells whether p's Command Tank, p to move, can leave the board as an
// escape.
func (s *State) leaves(p env.Player) bool {
	g := s.game
	if g.rules.Escape != escapeOffBoard {
		return false
	}
	t := &s.tanks[p&1][g.command]
	rank := int(g.spots[t.square].y)
	if p == env.First {
		rank = g.size - 1 - rank
	}
	return t.fate == living && rank < g.kinds[g.slots[g.command].kind].speed && s.walksOff(p)
}

// walksOff searches the graph of movements of p's Command Tank, breadth first as
// far as the speed lets, for a step off the board that is an escape.
func (s *State) walksOff(p env.Player) bool {
	g := s.game
	k, t := &g.kinds[g.slots[g.command].kind], &s.tanks[p&1][g.command]
	path, nodes := &g.templates.paths[t.facing&1], g.templates.nodes[t.facing&7]
	at := g.spots[t.square]
	var (
		seen  [maxManoeuvres / 64]uint64
		queue [maxManoeuvres]int16
	)
	seen[0] = 1
	end := 1 // of the queue; its first element is node 0
	for from, step := 0, 0; step < k.speed && from < end; step++ {
		for level := end; from < level; from++ {
			node := queue[from]
			x := int(at.x) + int(nodes[node].dx)
			for kind, next := range path.next[node] {
				if next < 0 || seen[next>>6]>>(next&63)&1 != 0 {
					continue
				}
				nx, ny := int(at.x)+int(nodes[next].dx), int(at.y)+int(nodes[next].dy)
				if (kind == stepForward || kind == stepBack) && !(nx == int(at.x) && ny == int(at.y)) {
					if g.escapes(p, nx, ny, x, kind) {
						return true
					}
					if s.closed[k.water].has(nx, ny) {
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

// escapes tells whether p's Command Tank leaves the board as an escape by a step
// of a kind from file x to file nx and rank ny.
func (g *Game) escapes(p env.Player, nx, ny, x, kind int) bool {
	edge := g.size // behind Black's home rank
	if p == env.Second {
		edge = -1
	}
	if ny != edge || nx < 0 || nx >= g.size || kind == stepBack && !g.rules.BackwardEscape {
		return false
	}
	return g.rules.CornerExit != cornerBarred || x > 0 && x < g.size-1
}

// CanEscape tells whether p's Command Tank could escape were p to move.
func (s *State) CanEscape(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	if g.rules.Escape != escapeLastRank {
		return s.leaves(p)
	}
	var e ends
	s.ends(p, g.command, &e)
	for w, rest := range e {
		for ; rest != 0; rest &= rest - 1 {
			if square, _ := s.endSquare(p, g.command, w<<6|bits.TrailingZeros64(rest)); g.rules.wins(p, square) {
				return true
			}
		}
	}
	return false
}

// wins tells whether p's Command Tank has won where it stands.
func (r *Rules) wins(p env.Player, square int) bool {
	return r.Escape == escapeLastRank && r.exit(p, square)
}

// exit tells whether a square is on the enemy's home rank, and not on one of its
// corners where these are barred.
func (r *Rules) exit(p env.Player, square int) bool {
	x, y, last := square%r.Layout.Size, square/r.Layout.Size, r.Layout.Size-1
	if p == env.First && y != last || p == env.Second && y != 0 {
		return false
	}
	return r.CornerExit != cornerBarred || x > 0 && x < last
}
