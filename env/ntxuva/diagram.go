package ntxuva

import (
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer. South is at the bottom. The label of a house is
// its number.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	engine.BeginDiagram(d, s, &g.spec, false)
	d.Squares = false
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			d.Cells[g.square(owner, house)] = env.Cell{
				Ground: env.House, Label: strconv.Itoa(house), Owner: owner, Count: s.count(owner, house),
			}
		}
	}
	g.limits.EndDiagram(d, s, &s.Base, "seeds", "a capture")
}
