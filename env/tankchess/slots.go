package tankchess

import (
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// A slot holds one piece of each army. Actions and texts number the slots.
type slot struct {
	kind         int
	actionSquare int // stands for the slot in Spec.ActionCells, in the owner's frame
}

// setSlots assigns a slot to every piece and returns the start position.
func (g *Game) setSlots() position {
	var opening position
	for i := range g.kinds {
		if g.kinds[i].code == commandCode {
			g.command = len(g.slots)
		}
		armies := [2][]startPiece{g.startPieces(env.First, i), g.startPieces(env.Second, i)}
		for p, army := range armies {
			for n, s := range army {
				opening.tanks[p][len(g.slots)+n] = tank{square: int16(s.square), facing: s.facing, fate: living}
			}
		}
		for range max(len(armies[0]), len(armies[1])) {
			g.slots = append(g.slots, slot{kind: i})
		}
	}
	g.setActionSquares(&opening)
	return opening
}

// startPieces returns a player's pieces of a kind by square in the player's frame.
func (g *Game) startPieces(p env.Player, kind int) []startPiece {
	list := slices.Clone(g.board.armies[p])
	list = slices.DeleteFunc(list, func(s startPiece) bool { return s.kind != kind })
	slices.SortFunc(list, func(a, b startPiece) int { return g.frame(p, a.square) - g.frame(p, b.square) })
	return list
}

// setActionSquares gives each slot White's start square. A slot that only Black
// fills gets Black's start square in Black's frame, or the next square that no other
// slot has.
func (g *Game) setActionSquares(opening *position) {
	taken := make([]bool, g.squares)
	for i := range g.slots {
		if t := opening.tanks[env.First][i]; t.fate == living {
			g.slots[i].actionSquare = int(t.square)
			taken[t.square] = true
		}
	}
	for i := range g.slots {
		if opening.tanks[env.First][i].fate == living {
			continue
		}
		square := g.frame(env.Second, int(opening.tanks[env.Second][i].square))
		for taken[square] {
			square = (square + 1) % g.squares
		}
		g.slots[i].actionSquare = square
		taken[square] = true
	}
}
