package eval

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// material adds up the pieces on the board by what each is worth, in a piece table
// as the first player sees it.
type material struct {
	table []int32
}

func newMaterial(game env.Game) (Evaluator, error) {
	spec := game.Spec()
	if _, ok := env.NewState(game).(env.PieceAdder); !ok {
		return nil, fmt.Errorf("%s does not add up its pieces, which the evaluator material needs", spec.Game)
	}
	return &material{pieceTable(spec, func(p *env.Piece) int32 { return int32(weight(spec.Pieces[p.Type]) * int(p.Count)) })}, nil
}

// pieceTable makes a piece table of what each piece is worth to its owner; to the
// first player the second's are worth the opposite.
func pieceTable(spec *env.Spec, worth func(p *env.Piece) int32) []int32 {
	table := make([]int32, spec.PieceTableSize())
	for kind, piece := range spec.Pieces {
		facings := 1
		if piece.Turns {
			facings = 8
		}
		for square := range spec.Width * spec.Height {
			for facing := range facings {
				for count := range piece.MaxCount {
					p := env.Piece{Type: int16(kind), Square: int16(square), Facing: env.Direction(facing), Count: int16(count + 1)}
					table[spec.PieceIndex(&p)] = worth(&p)
					p.Owner = env.Second
					table[spec.PieceIndex(&p)] = -worth(&p)
				}
			}
		}
	}
	return table
}

// added returns the sum of a table that pieceTable has made, to the player to move.
func added(s env.State, table []int32) int {
	sum := s.(env.PieceAdder).AddPieces(table)
	if s.Player() == env.Second {
		return -sum
	}
	return sum
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

func (m *material) Evaluate(s env.State) int { return bounded(added(s, m.table)) }

func (m *material) QuietInvariant() bool { return true }
