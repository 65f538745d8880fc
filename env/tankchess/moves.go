package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// noSlot is no piece.
const noSlot = -1

// A movement is what one living piece can do: the end states it can reach, and
// the board as it sees it from there, its own start square being empty.
type movement struct {
	owner  env.Player
	slot   int
	kind   *kind
	tank   tank
	ends   [maxTemplates / 64]uint64 // numbers of the end states, as a set
	leaves bool                      // it can leave the board as an escape
	opaque board                     // where a line of fire ends
}

// movement finds what a living piece can do.
func (s *State) movement(m *movement, owner env.Player, slot int) {
	others := s.sight(m, owner, slot)
	closed := s.terrain.barred[m.kind.amphibious].or(&others)
	s.walk(m, &closed)
}

// sight makes a movement without end states and returns where the other pieces
// stand.
func (s *State) sight(m *movement, owner env.Player, slot int) (others board) {
	g := s.game
	*m = movement{owner: owner & 1, slot: slot, kind: &g.kinds[g.slots[slot].kind], tank: s.tanks[owner&1][slot]}
	others = s.occupied
	others.clear(int(m.tank.square))
	m.opaque = s.terrain.screen.or(&others)
	return others
}

// walk searches the graph of movements breadth first as far as the speed lets.
func (s *State) walk(m *movement, closed *board) {
	g := s.game
	facing := m.tank.facing & 7
	path, nodes := &g.templates.paths[facing&1], g.templates.nodes[facing]
	x, y := int(m.tank.square)%g.size, int(m.tank.square)/g.size
	var (
		seen  [maxManoeuvres / 64]uint64
		queue [maxManoeuvres]int16
	)
	seen[0] = 1
	end := 1 // of the queue; its first element is node 0
	for from, step := 0, 0; step < m.kind.speed && from < end; step++ {
		level := end
		for ; from < level; from++ {
			node := queue[from]
			for kind, next := range path.next[node] {
				if next < 0 || seen[next>>6]>>(next&63)&1 != 0 {
					continue
				}
				if kind == stepForward || kind == stepBack {
					nx, ny := x+int(nodes[next].dx), y+int(nodes[next].dy)
					if !g.on(nx, ny) {
						m.leaves = m.leaves || m.slot == g.command && g.leaves(m.owner, nx, ny, int(nodes[node].dx)+x, kind)
						continue
					}
					if closed.has(ny*g.size + nx) {
						continue
					}
				}
				seen[next>>6] |= 1 << (next & 63)
				queue[end] = next
				end++
				if t := path.template[next]; t != noTemplate {
					m.ends[t>>6] |= 1 << (t & 63)
				}
			}
		}
	}
}

// leaves tells whether p's Command Tank leaves the board as an escape by a step
// of a kind from file x to file nx and rank ny, which is off the board.
func (g *Game) leaves(p env.Player, nx, ny, x, kind int) bool {
	edge := g.size // behind Black's home rank
	if p == env.Second {
		edge = -1
	}
	switch {
	case g.rules.Escape != escapeOffBoard || kind == stepBack && !g.rules.BackwardEscape:
		return false
	case ny != edge || nx < 0 || nx >= g.size:
		return false
	}
	return g.rules.CornerExit != cornerBarred || x > 0 && x < g.size-1
}

// endSquare returns where a movement ends and which way the piece then faces.
func (g *Game) endSquare(m *movement, template int) (int, env.Direction) {
	end := g.templates.place[m.tank.facing&7][template]
	return int(m.tank.square) + int(end.dy)*g.size + int(end.dx), m.tank.facing.Turned(int(end.turn))
}

// Legal implements env.State.
func (s *State) Legal(dst []env.Action) []env.Action {
	if s.reason != env.NoReason {
		return dst
	}
	var m movement
	leaves := false
	for slot := range s.game.slots {
		if s.tanks[s.next&1][slot].fate == living {
			s.movement(&m, s.next, slot)
			leaves = leaves || m.leaves
			dst = s.appendActions(dst, &m, true)
		}
	}
	if leaves {
		dst = append(dst, s.game.escape)
	}
	return dst
}

// appendActions appends the actions of one piece, those without a shot only
// when they are wanted.
func (s *State) appendActions(dst []env.Action, m *movement, quiet bool) []env.Action {
	var hits [maxSlots]hit
	for word, rest := range m.ends {
		for ; rest != 0; rest &= rest - 1 {
			template := word<<6 | bits.TrailingZeros64(rest)
			a := s.game.encode(m.slot, template, 0)
			if quiet {
				dst = append(dst, a)
			}
			for _, h := range hits[:s.fire(m, template, &hits)] {
				dst = append(dst, a+env.Action(h.shot))
			}
		}
	}
	return dst
}

// CanEscape tells whether p's Command Tank could escape were p to move.
func (s *State) CanEscape(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	var m movement
	s.movement(&m, p, g.command)
	if m.leaves {
		return true
	}
	for word, rest := range m.ends {
		for ; rest != 0; rest &= rest - 1 {
			if square, _ := g.endSquare(&m, word<<6|bits.TrailingZeros64(rest)); g.wins(m.owner, square) {
				return true
			}
		}
	}
	return false
}
