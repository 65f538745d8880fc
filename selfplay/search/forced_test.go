package search_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/search"
)

// forcedWin is a position in which the player to move has a forced win, with its least
// number of plies and every first move that achieves it. The positions were found by
// brute force: go test -tags long verifies them, and -rewrite finds new ones.
type forcedWin struct {
	Position string   `json:"position"`
	Plies    int      `json:"plies"`
	Moves    []string `json:"moves"`
}

// suites are the variants with a suite of forced wins.
var suites = [...]string{"trench/standard", "ntxuva/basic", "tankchess/16x16", "tankbattle/standard"}

const suiteSize = 20

func suiteFile(variant string) string {
	return filepath.Join("testdata", "forced-"+strings.ReplaceAll(variant, "/", "-")+".json")
}

func readSuite(t *testing.T, variant string) []forcedWin {
	t.Helper()
	data, err := os.ReadFile(suiteFile(variant))
	if err != nil {
		t.Fatal(err)
	}
	var suite []forcedWin
	if err := json.Unmarshal(data, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite) != suiteSize {
		t.Fatalf("%s has %d positions, must have %d", suiteFile(variant), len(suite), suiteSize)
	}
	return suite
}

// patience is how many more iterations reductions may delay a win in version 1.
const patience = 2

// forcedNodes is the budget of the current version, which may find a longer win first, and
// forcedMisses the number of wins in a suite that its pruning may miss.
const (
	forcedNodes  = 300_000
	forcedMisses = 1
)

func TestForcedWinsAreFound(t *testing.T) {
	for _, variant := range suites {
		game := lookup(t, variant)
		first, current := searcher(t, game, search.Options{Hash: 16, Version: 1}), searcher(t, game, search.Options{Hash: 16})
		nodes, missed := int64(0), 0
		for _, win := range readSuite(t, variant) {
			from := at(t, game, win.Position)
			first.Begin(1)
			best := first.Search(from, search.Limits{Depth: win.Plies + patience}, 1).Best()
			move := env.ActionText(from, best.Actions[0])
			if best.Score != search.Win-win.Plies || !slices.Contains(win.Moves, move) {
				t.Errorf("%s, %s: version 1 plays %s for %d, must win in %d plies by %v", variant, win.Position, move, best.Score, win.Plies, win.Moves)
			}
			current.Begin(1)
			result := current.Search(from, search.Limits{Nodes: forcedNodes}, 1)
			nodes += result.Nodes
			if plies, _ := search.Forced(result.Best().Score); plies < win.Plies {
				t.Logf("%s, %s: scores %d, wins in %d plies", variant, win.Position, result.Best().Score, win.Plies)
				missed++
			}
		}
		if t.Logf("%s: %d nodes", variant, nodes); missed > forcedMisses {
			t.Errorf("%s: %d of %d forced wins are missed", variant, missed, suiteSize)
		}
	}
}

// After a move that wins in n plies, the enemy loses in n−1.
func TestForcedLossesAreFound(t *testing.T) {
	for _, variant := range suites {
		game := lookup(t, variant)
		first, current := searcher(t, game, search.Options{Hash: 16, Version: 1}), searcher(t, game, search.Options{Hash: 16})
		for _, win := range readSuite(t, variant) {
			from := at(t, game, win.Position)
			play(t, from, win.Moves[0])
			first.Begin(1)
			best := first.Search(from, search.Limits{Depth: win.Plies - 1 + patience}, 1).Best()
			if want := win.Plies - 1 - search.Win; best.Score != want {
				t.Errorf("%s, %s: version 1 scores %d, must be %d", variant, env.PositionText(from), best.Score, want)
			}
			current.Begin(1)
			best = current.Search(from, search.Limits{Nodes: forcedNodes}, 1).Best()
			if plies, forced := search.Forced(best.Score); !forced || plies > 1-win.Plies {
				t.Errorf("%s, %s: scores %d, must lose in %d plies or a few more", variant, env.PositionText(from), best.Score, win.Plies-1)
			}
		}
	}
}
