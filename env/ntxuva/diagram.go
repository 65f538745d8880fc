package ntxuva

import (
	"fmt"
	"strconv"

	"github.com/sandtable-farm/sandtable/env"
)

// Diagram shows South at the bottom; houses are labelled with their owner's numbers.
func (s *State) Diagram(d *env.Diagram) {
	g := s.game
	d.Width, d.Height, d.Squares = g.spec.Width, g.spec.Height, false
	d.Players, d.FirstLight = g.spec.Players, false
	d.Cells = append(d.Cells[:0], make([]env.Cell, d.Width*d.Height)...)
	for owner := env.First; owner <= env.Second; owner++ {
		for house := range g.houses {
			d.Cells[s.square(owner, house)] = env.Cell{
				Ground: env.House, Label: strconv.Itoa(house), Owner: owner, Count: s.count(owner, house),
			}
		}
	}
	move := g.spec.Players[s.player] + " to move"
	if _, reason := s.Result(); reason != env.NoReason {
		move = "game over: " + reason.String()
	}
	d.Caption = append(d.Caption[:0],
		move,
		fmt.Sprintf("seeds: South %d, North %d", s.Points(env.First), s.Points(env.Second)),
		fmt.Sprintf("plies: %d, of them %d since the last capture", s.plies, s.quiet))
}
