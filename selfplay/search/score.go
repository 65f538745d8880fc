package search

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// Win is the score of a game won at the root. A win in n plies is Win − n.
const Win = 1_000_000

// maxPlies is the length of the longest line, quiescence and what a Prober knows
// included.
const maxPlies = 128 + MostProbed

// forcedBound is the least score of a forced win; evaluators stay below.
const forcedBound = Win - maxPlies

// Forced returns in how many plies a score promises a win, or a loss as a
// negative number, and whether it promises either. A win in 0 plies does not
// occur: somebody has to move.
func Forced(score int) (plies int, ok bool) {
	switch {
	case score >= forcedBound:
		return Win - score, true
	case score <= -forcedBound:
		return -Win - score, true
	}
	return 0, false
}

// ScoreText writes a score for people: "win in 5" and "loss in 4" plies, else
// points with a sign, such as "+1.50".
func ScoreText(score int) string {
	switch plies, forced := Forced(score); {
	case forced && score > 0:
		return fmt.Sprintf("win in %d", plies)
	case forced:
		return fmt.Sprintf("loss in %d", -plies)
	}
	return fmt.Sprintf("%+.2f", float64(score)/eval.Unit)
}

// final is the score, from p's view, of a game that ended so many plies below the root.
func final(s env.State, p env.Player, ply int) int {
	result, _ := s.Result()
	return result.For(p) * (Win - ply)
}

// stored turns a score that counts plies from the root into one that counts
// them from the position itself, as the table keeps it; restored is its inverse.
func stored(score, ply int) int {
	switch {
	case score >= forcedBound:
		return score + ply
	case score <= -forcedBound:
		return score - ply
	}
	return score
}

func restored(score, ply int) int {
	switch {
	case score >= forcedBound:
		return score - ply
	case score <= -forcedBound:
		return score + ply
	}
	return score
}
