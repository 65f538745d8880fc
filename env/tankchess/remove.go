package tankchess

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
)

// Remove implements env.Remover. The pieces of the type behind the one that is
// removed, wrecks included, move up into the slot before theirs.
func (s *State) Remove(p env.Piece) error {
	if err := env.CheckRemoval(s, p); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	g := s.game
	name := fmt.Sprintf("%s's %s on %s", playerNames[p.Owner], g.spec.Pieces[p.Type].Name, g.square(int(p.Square)))
	if g.kinds[p.Type].code == commandCode {
		return fmt.Errorf("remove: %s cannot be missing, since the game is about it", name)
	}
	without := position{tanks: s.tanks, mover: s.next, plies: s.plies}
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
	trial := g.NewStates(1)[0].(*State)
	trial.set(&without)
	if err := env.FinishRemoval(s, trial, name); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	return nil
}
