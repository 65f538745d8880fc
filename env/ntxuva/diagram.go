package ntxuva

import (
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

// Diagram implements env.Diagrammer. South is at the bottom. The label of a house is
// its number.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = g.spec.Width, g.spec.Height, false
	d.Players, d.FirstLight = playerNames, false
	d.Cells = append(d.Cells[:0], make([]env.Cell, d.Width*d.Height)...)
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			d.Cells[g.square(owner, house)] = env.Cell{
				Ground: env.House, Label: strconv.Itoa(house), Owner: owner, Count: s.count(owner, house),
			}
		}
	}
	d.Caption = append(d.Caption[:0], engine.Status(s, playerNames),
		fmt.Sprintf("seeds: South %d, North %d", s.Points(env.First), s.Points(env.Second)))
	d.Caption = g.limits.AppendCaption(d.Caption, s.counters, &s.history, "a capture")
}
