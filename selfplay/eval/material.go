package eval

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/env"
)

// material adds up the values of the pieces on the board.
type material struct {
	table []int32 // see pieceTable
}

func newMaterial(game env.Game) (Evaluator, error) {
	spec := game.Spec()
	if _, ok := env.NewState(game).(env.PieceAdder); !ok {
		return nil, fmt.Errorf("%s cannot add up its pieces (env.PieceAdder), which the evaluator material needs", spec.Game)
	}
	return &material{pieceTable(spec, func(p *env.Piece) int32 { return int32(points(spec.Pieces[p.Type]) * int(p.Count)) })}, nil
}

// pieceTable returns a table for env.PieceAdder: the value of each piece to the first
// player. The function value returns the value of a piece to its owner.
func pieceTable(spec *env.Spec, value func(p *env.Piece) int32) []int32 {
	table := make([]int32, spec.PieceTableSize())
	for pieceType, piece := range spec.Pieces {
		facings := 1
		if piece.Turns {
			facings = 8
		}
		for square := range spec.Width * spec.Height {
			for facing := range facings {
				for count := range piece.MaxCount {
					p := env.Piece{Type: int16(pieceType), Square: int16(square), Facing: env.Direction(facing), Count: int16(count + 1)}
					table[spec.PieceIndex(&p)] = value(&p)
					p.Owner = env.Second
					table[spec.PieceIndex(&p)] = -value(&p)
				}
			}
		}
	}
	return table
}

// sumPieces returns the sum of a pieceTable over the pieces of a position, from the
// view of the player to move.
func sumPieces(s env.State, table []int32) int {
	sum := s.(env.PieceAdder).AddPieces(table)
	if s.Player() == env.Second {
		return -sum
	}
	return sum
}

// points returns the value of one piece of a type.
func points(piece env.PieceType) int {
	for _, name := range [...]string{"value", "points"} {
		i := slices.IndexFunc(piece.Attributes, func(a env.Attribute) bool { return a.Name == name })
		if i >= 0 {
			return piece.Attributes[i].Value
		}
	}
	return 1
}

func (m *material) Evaluate(s env.State) int { return bounded(sumPieces(s, m.table) * Unit) }

func (m *material) QuietInvariant() bool { return true }

// SideValue returns the value of the pieces that a player has at the start, that of the
// stronger player, as the evaluator material values them. It is 0 if the game does not list
// its pieces.
func SideValue(game env.Game) int {
	spec, start := game.Spec(), env.NewState(game)
	lister, ok := start.(env.PieceLister)
	if !ok {
		return 0
	}
	var sums [2]int
	for _, p := range lister.Pieces(nil) {
		sums[p.Owner&1] += points(spec.Pieces[p.Type]) * int(p.Count) * Unit
	}
	return max(sums[0], sums[1])
}
