package tankchess

import (
	"errors"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// without returns the position without a living piece.
func (s *State) without(p env.Piece) (without position, err error) {
	g := s.game
	if g.kinds[p.Type].code == commandCode {
		return without, errors.New("it cannot be missing, since a game needs both Command Tanks")
	}
	without = position{tanks: s.tanks, Turn: engine.Turn{Next: s.Next, Plies: s.Plies}}
	army, to := &without.tanks[p.Owner], 0
	for slot := range g.slots {
		if kind := g.slots[slot].kind; slot == 0 || g.slots[slot-1].kind != kind {
			to = slot
		}
		t := army[slot]
		if army[slot] = (tank{}); t.fate == absent || t.fate != gone && t.square == p.Square {
			continue
		}
		army[to] = t
		to++
	}
	return without, nil
}

// Remove implements env.Remover. The later pieces of the same type, wrecks included,
// move up one slot.
func (s *State) Remove(p env.Piece) error {
	trial := env.NewState(s.game).(*State)
	return engine.Remove(s, trial, p, engine.NameOn(&s.game.spec), s.without, trial.set)
}
