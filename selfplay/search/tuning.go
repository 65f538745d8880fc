package search

import "github.com/sandtable-farm/sandtable/env"

// Version is the current version of the behaviour of AlphaBeta. A result depends on the
// version, so agents record it.
const Version = 2

// A Tuning holds the constants of AlphaBeta for a game. Scores are in the evaluator's
// unit. The README of this package lists what each technique gained.
type Tuning struct {
	// Aspiration is half the initial width of the window at the root.
	Aspiration int
	// ReduceBase and ReduceScale set the late-move reduction of move number n at depth d,
	// in hundredths of a ply: ReduceBase + ReduceScale × log₂ d × log₂ n.
	ReduceBase, ReduceScale int
	// At depths up to LateDepth, only the first LateBase + LateScale × d² quiet moves
	// are searched.
	LateDepth, LateBase, LateScale int
	// OpenShare is how many times more moves are searched in the principal variation; 0
	// means all.
	OpenShare int
	// PieceHistory is the weight of the history of the moved piece among the histories.
	PieceHistory int
	// At depths up to FutilityDepth, quiet moves are not searched when the evaluation is
	// below alpha by FutilityBase + Futility × d.
	FutilityDepth, FutilityBase, Futility int
	// At depths up to ReverseDepth, a position is not searched when its evaluation is
	// above beta by Reverse × d.
	ReverseDepth, Reverse int
	// InternalDepth is the least depth at which a position without a table move is
	// searched one ply less deep. 0 disables the technique.
	InternalDepth int
	// NullDepth is the least depth of a null move, which reduces the depth by NullBase +
	// d/NullSlope plies. 0 disables null moves; they also need an env.Passer.
	NullDepth, NullBase, NullSlope int
	// Repeat is what the gain of a capture is thought to lose for each capture before it
	// that wins the same with the same piece.
	Repeat int
	// At depths up to LateDepth, only the first LateCaptures × d captures are searched.
	LateCaptures int
	// Delta is the most that a capture is expected to gain besides its prize. The
	// quiescence search skips captures that stay below alpha even so.
	Delta int
}

// tunings returns the constants for each game, by env.Spec.Game.
func tunings() map[string]Tuning {
	return map[string]Tuning{
		"trench": {
			Aspiration: 60, ReduceBase: 50, ReduceScale: 21, LateDepth: 4, LateBase: 4, LateScale: 4,
			FutilityDepth: 4, FutilityBase: 60, Futility: 60, ReverseDepth: 5, Reverse: 60,
			InternalDepth: 4, NullDepth: 3, NullBase: 3, NullSlope: 4, Delta: 100,
		},
		"ntxuva": {
			Aspiration: 150, ReduceBase: 0, ReduceScale: 21, LateDepth: 3, LateBase: 3, LateScale: 2,
			FutilityDepth: 3, FutilityBase: 100, Futility: 100, ReverseDepth: 4, Reverse: 150,
			OpenShare: 4, PieceHistory: 1, InternalDepth: 4, Delta: 200,
		},
		"tankchess": {
			Aspiration: 100, ReduceBase: 75, ReduceScale: 21, LateDepth: 3, LateBase: 0, LateScale: 12,
			OpenShare: 4, PieceHistory: 1, FutilityDepth: 3, FutilityBase: 0, Futility: 150, ReverseDepth: 3, Reverse: 150,
			InternalDepth: 4, Delta: 50, Repeat: 25, LateCaptures: 30,
		},
		"tankbattle": {
			Aspiration: 60, ReduceBase: 75, ReduceScale: 21, LateDepth: 4, LateBase: 4, LateScale: 4,
			FutilityDepth: 4, FutilityBase: 60, Futility: 60, ReverseDepth: 5, Reverse: 80,
			OpenShare: 4, PieceHistory: 1, InternalDepth: 4, NullDepth: 3, NullBase: 3, NullSlope: 4, Delta: 100,
		},
	}
}

// TuningOf returns the constants for a game. A game that the table lacks gets careful ones,
// without a null move, which is unsound where a move can be a disadvantage.
func TuningOf(game env.Game) Tuning {
	if t, ok := tunings()[game.Spec().Game]; ok {
		return t
	}
	return Tuning{
		Aspiration: 150, ReduceBase: 0, ReduceScale: 21, LateDepth: 3, LateBase: 6, LateScale: 6,
		FutilityDepth: 3, FutilityBase: 150, Futility: 150, ReverseDepth: 3, Reverse: 200,
		OpenShare: 4, PieceHistory: 1, InternalDepth: 4, Delta: 300,
	}
}

// reductions are late-move reductions in hundredths of a ply, by depth and number of the
// move.
type reductions [MaxDepth + 1][64]int16

func newReductions(t *Tuning) *reductions {
	const fraction = 8 // bits of the logarithms
	r := new(reductions)
	for depth := 1; depth < len(r); depth++ {
		for n := 1; n < len(r[depth]); n++ {
			product := binaryLog(uint64(depth)) >> (fixedBits - fraction) * (binaryLog(uint64(n)) >> (fixedBits - fraction))
			r[depth][n] = int16(t.ReduceBase + t.ReduceScale*int(product)>>(2*fraction))
		}
	}
	return r
}

// late returns the number of quiet moves that are searched at a depth.
func (t *Tuning) late(depth int) int { return t.LateBase + t.LateScale*depth*depth }
