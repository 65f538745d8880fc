package tankchess

import (
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	engine.BeginDiagram(d, s, &g.spec, true)
	for _, terrain := range g.terrains() {
		for square := range g.squares {
			if terrain.squares.has(square) {
				d.Cells[square].Ground = terrain.ground
			}
		}
	}
	for owner := env.First; owner <= env.Second; owner++ {
		for slot := range g.slots {
			t := s.tanks[owner][slot]
			if t.fate != living && t.fate != wreck {
				continue
			}
			cell := &d.Cells[t.square]
			cell.Owner, cell.Symbol = owner, g.kinds[g.slots[slot].kind].code
			cell.Build = &g.kinds[g.slots[slot].kind].build
			cell.Faced, cell.Facing, cell.Wreck = t.fate == living, t.facing, t.fate == wreck
		}
	}
	for owner := env.First; owner <= env.Second && s.Reason == env.NoReason; owner++ {
		if s.InCheck(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" is in check")
		}
		if s.CanEscape(owner) {
			d.Caption = append(d.Caption, playerNames[owner]+" can escape")
		}
	}
	g.limits.EndDiagram(d, s, &s.Base, "value of the living", "a destroyed piece")
}
