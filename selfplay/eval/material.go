package eval

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// material adds up the pieces on the board.
type material struct {
	weights []int // by piece type
	pieces  []env.Piece
}

func newMaterial(game env.Game) (Evaluator, error) {
	spec, start := game.Spec(), env.NewState(game)
	lister, ok := start.(env.PieceLister)
	if !ok {
		return nil, fmt.Errorf("%s does not list its pieces, which the evaluator material needs", spec.Game)
	}
	m := &material{}
	for _, piece := range spec.Pieces {
		m.weights = append(m.weights, weight(piece))
	}
	// No position lists more than one piece for each square or for each piece of the start.
	m.pieces = make([]env.Piece, 0, max(len(lister.Pieces(nil)), spec.Width*spec.Height))
	return m, nil
}

// weight is what one piece of a type is worth, in points.
func weight(piece env.PieceType) int {
	for _, name := range [...]string{"value", "points"} {
		i := slices.IndexFunc(piece.Attributes, func(a env.Attribute) bool { return a.Name == name })
		if i >= 0 {
			return piece.Attributes[i].Value
		}
	}
	return 1
}

func (m *material) Evaluate(s env.State) int {
	m.pieces = s.(env.PieceLister).Pieces(m.pieces[:0])
	mover, points := s.Player(), 0
	for i := range m.pieces {
		p := &m.pieces[i]
		if p.Wreck {
			continue
		}
		worth := m.weights[p.Type] * int(p.Count)
		if p.Owner != mover {
			worth = -worth
		}
		points += worth
	}
	return bounded(points)
}

func (m *material) Settled() bool { return true }
