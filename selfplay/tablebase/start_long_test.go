//go:build long

package tablebase_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// The whole value of the start of ntxuva/4, with its counters and without them.
func TestOneFirstMoveOfNtxuvaOfFourColumnsWins(t *testing.T) {
	want := map[string]string{
		"5x4": "win in 31", "7x4": "loss in 38", "6x4": "loss in 34", "4x4": "loss in 32",
		"2": "loss in 30", "0": "loss in 28", "1": "loss in 24", "3": "loss in 22",
	}
	for _, variant := range []string{"ntxuva/4", `ntxuva/4{"no_progress":0,"repetition":0}`} {
		game := lookup(t, variant).Game
		start := env.NewState(game)
		result := searcher(t, game, search.Options{Plain: true, Hash: 256}).Search(start, search.Limits{Depth: 38}, len(want))
		for _, line := range result.Lines {
			move, score := env.ActionText(start, line.Actions[0]), search.ScoreText(line.Score)
			if score != want[move] {
				t.Errorf("%s: move %s is a %s, must be a %s", variant, move, score, want[move])
			}
		}
		if len(result.Lines) != len(want) {
			t.Errorf("%s: %d lines", variant, len(result.Lines))
		}
		t.Logf("%s: %d positions", variant, result.Nodes)
	}
}
