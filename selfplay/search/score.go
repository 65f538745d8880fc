package search

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/eval"
)

// Win is the score of a game won at the root. A win in n plies is Win − n.
const Win = 1_000_000

// maxPlies is the length of the longest line, including quiescence and the plies that a
// Prober adds.
const maxPlies = 128 + MaxProbed

// forcedBound is the least score of a forced win; evaluators stay below.
const forcedBound = Win - maxPlies

// Forced reports whether a score stands for a forced result. plies is then the number of
// plies to the forced win, or minus the number to the forced loss. A forced loss in 0
// plies is a lost game; a win in 0 plies does not occur.
func Forced(score int) (plies int, ok bool) {
	switch {
	case score >= forcedBound:
		return Win - score, true
	case score <= -forcedBound:
		return -Win - score, true
	}
	return 0, false
}

// ScoreText formats a score for people: "win in 5" and "loss in 4" plies for forced
// results, otherwise signed points such as "+1.50".
func ScoreText(score int) string {
	switch plies, forced := Forced(score); {
	case forced && score > 0:
		return fmt.Sprintf("win in %d", plies)
	case forced:
		return fmt.Sprintf("loss in %d", -plies)
	}
	return fmt.Sprintf("%+.2f", float64(score)/eval.Unit)
}

// terminalScore returns the score of a finished game from p's view, ply plies below the root.
func terminalScore(s env.State, p env.Player, ply int) int {
	result, _ := s.Result()
	return result.For(p) * (Win - ply)
}

// delay moves a forced result the given number of plies further away, and leaves other
// scores unchanged. The transposition table and the Prober count plies from the position
// itself, the search counts them from the root. delay by ply converts a score of the
// position to one of the root; delay by −ply converts it back.
func delay(score, plies int) int {
	switch {
	case score >= forcedBound:
		return score - plies
	case score <= -forcedBound:
		return score + plies
	}
	return score
}
