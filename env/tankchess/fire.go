package tankchess

import "github.com/sandtable-farm/sandtable/env"

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

// victim returns the slot that a legal shot destroys, fired by a piece that is
// to move, or has moved, to an end state, and the face that is hit.
func (s *State) victim(p env.Player, slot, square int, facing env.Direction, number int) (int, env.Face) {
	g := s.game
	shot := g.kinds[g.slots[slot].kind].shot(number)
	own := uint8(1 + slot + maxSlots*int(p&1))
	d := facing.Turned(shot.arc)
	at := square + shot.distance*g.step[d]
	if shot.distance == 0 {
		at += g.step[d]
		for run := g.run[d][square]; run > 1 && (s.at[at] == nobody || s.at[at] == own); run-- {
			at += g.step[d]
		}
	}
	victim := int(s.at[at]-1) & (maxSlots - 1)
	return victim, faceHit(d, s.tanks[p&1^1][victim].facing)
}

// shot returns the shot with a number.
func (k *kind) shot(number int) shot {
	for _, shot := range k.shots {
		if shot.number == number {
			return shot
		}
	}
	return shot{}
}

// slotAt returns the slot of p's piece on a square, or noSlot.
func (s *State) slotAt(p env.Player, square int) int {
	if id := int(s.at[square]) - 1; s.at[square] != nobody && id/maxSlots == int(p&1) {
		return id % maxSlots
	}
	return noSlot
}
