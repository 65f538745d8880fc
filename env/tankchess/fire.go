package tankchess

import (
	"math/bits"

	"github.com/sandtable-farm/sandtable/env"
)

// hit is a shot that destroys.
type hit struct {
	shot   int // number in the action
	victim int // slot
	face   env.Face
}

// fire lists the shots that a piece may fire from an end state and returns how
// many there are. Each destroys another piece, so an army has room for them.
func (s *State) fire(m *movement, template int, hits *[maxSlots]hit) int {
	if len(m.kind.shots) == 0 {
		return 0
	}
	g := s.game
	square, facing := g.endSquare(m, template)
	if m.slot == g.command && g.wins(m.owner, square) {
		return 0 // the move has won
	}
	n := 0
	for i := range m.kind.shots {
		if h := s.target(m, square, facing, &m.kind.shots[i]); h.victim != noSlot {
			hits[n] = h
			n++
		}
	}
	return n
}

// target returns what a shot from a square destroys; its victim is noSlot when
// that is nothing.
func (s *State) target(m *movement, square int, facing env.Direction, shot *shot) hit {
	g := s.game
	miss := hit{victim: noSlot}
	d := facing.Turned(shot.arc)
	run, step := int(g.run[d][square]), g.step[d]
	if shot.distance > run {
		return miss
	}
	at := square + shot.distance*step
	if shot.distance == 0 {
		distance := 1
		for at += step; distance <= run && !m.opaque.has(at); at += step {
			distance++
		}
		if distance > run || distance < m.kind.least || distance > m.kind.greatest {
			return miss
		}
	}
	enemy := m.owner.Opponent()
	if !s.living[enemy].has(at) {
		return miss
	}
	victim := s.slotAt(enemy, at)
	face := faceHit(d, s.tanks[enemy][victim].facing)
	if m.kind.power <= g.kinds[g.slots[victim].kind].armour[face] {
		return miss
	}
	return hit{shot: shot.number, victim: victim, face: face}
}

// slotAt returns the slot of p's piece on a square, or noSlot.
func (s *State) slotAt(p env.Player, square int) int {
	for slot := range s.game.slots {
		if t := s.tanks[p&1][slot]; (t.fate == living || t.fate == wreck) && int(t.square) == square {
			return slot
		}
	}
	return noSlot
}

// faceHit returns the face of a piece that a shell flying in direction d hits.
func faceHit(d, facing env.Direction) env.Face {
	switch facing {
	case d.Turned(4):
		return env.Front
	case d:
		return env.Rear
	}
	return env.Side
}

// victim returns the slot that a legal shot destroys, and the face it hits.
func (s *State) victim(p env.Player, slot, template, number int) (int, env.Face) {
	var m movement
	s.sight(&m, p, slot)
	var hits [maxSlots]hit
	for _, h := range hits[:s.fire(&m, template, &hits)] {
		if h.shot == number {
			return h.victim, h.face
		}
	}
	return noSlot, env.NoFace
}

// InCheck tells whether p's opponent, to move, could destroy p's Command Tank.
func (s *State) InCheck(p env.Player) bool {
	g := s.game
	if s.tanks[p&1][g.command].fate != living {
		return false
	}
	var m movement
	var hits [maxSlots]hit
	for slot := range g.slots {
		if s.tanks[p.Opponent()&1][slot].fate != living {
			continue
		}
		s.movement(&m, p.Opponent(), slot)
		for word, rest := range m.ends {
			for ; rest != 0; rest &= rest - 1 {
				for _, h := range hits[:s.fire(&m, word<<6|bits.TrailingZeros64(rest), &hits)] {
					if h.victim == g.command {
						return true
					}
				}
			}
		}
	}
	return false
}
