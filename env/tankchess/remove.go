package tankchess

import (
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Remove implements env.Remover. The later pieces of the same type, wrecks included,
// move up one slot.
func (s *State) Remove(p env.Piece) error { return engine.Remove(s, p, s.describe, s.without) }

// describe returns what people call a piece.
func (s *State) describe(p env.Piece) string {
	return fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], s.game.spec.Pieces[p.Type].Name, s.game.squareName(int(p.Square)))
}

// without returns a state at the position without a living piece.
func (s *State) without(p env.Piece) (env.State, error) {
	g := s.game
	if g.kinds[p.Type].code == commandCode {
		return nil, errors.New("it cannot be missing, since a game needs both Command Tanks")
	}
	without := position{tanks: s.tanks, mover: s.next, counters: engine.Counters{Plies: s.counters.Plies}}
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
	trial := env.NewState(g).(*State)
	trial.set(&without)
	return trial, nil
}
