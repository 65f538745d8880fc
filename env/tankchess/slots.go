package tankchess

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// slot is a place in both armies, with the same number in actions and texts.
type slot struct {
	kind int
	cell int // square of its own in the owner's frame, for Spec.ActionCells
}

// setSlots gives every piece its slot and returns the start position.
func (g *Game) setSlots() position {
	opening := position{mover: env.First}
	for i := range g.kinds {
		if g.kinds[i].code == commandCode {
			g.command = len(g.slots)
		}
		armies := [2][]start{g.starts(env.First, i), g.starts(env.Second, i)}
		for p, army := range armies {
			for n, s := range army {
				opening.tanks[p][len(g.slots)+n] = tank{square: int16(s.square), facing: s.facing, fate: living}
			}
		}
		for range max(len(armies[0]), len(armies[1])) {
			g.slots = append(g.slots, slot{kind: i})
		}
	}
	g.setCells(&opening)
	return opening
}

// starts returns a player's pieces of a kind by square in the player's frame.
func (g *Game) starts(p env.Player, kind int) []start {
	list := slices.Clone(g.ground.armies[p])
	list = slices.DeleteFunc(list, func(s start) bool { return s.kind != kind })
	slices.SortFunc(list, func(a, b start) int { return g.frame(p, a.square) - g.frame(p, b.square) })
	return list
}

// setCells gives each slot White's start square; a slot that only Black has gets
// Black's in Black's frame, or the next square that no other slot has.
func (g *Game) setCells(opening *position) {
	taken := make([]bool, g.squares)
	for i := range g.slots {
		if t := opening.tanks[env.First][i]; t.fate == living {
			g.slots[i].cell = int(t.square)
			taken[t.square] = true
		}
	}
	for i := range g.slots {
		if opening.tanks[env.First][i].fate == living {
			continue
		}
		cell := g.frame(env.Second, int(opening.tanks[env.Second][i].square))
		for taken[cell] {
			cell = (cell + 1) % g.squares
		}
		g.slots[i].cell = cell
		taken[cell] = true
	}
}
