// Package endgametest solves small tables of endgames for the tests of whoever
// uses them.
package endgametest

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/endgame"
)

// Solve writes the table of a rule set's endgames and opens it until the test ends.
func Solve(t testing.TB, variant string, seeds int) (path string, table *endgame.Table) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "table")
	if err := endgame.Solve(t.Context(), v, path, endgame.Options{Seeds: seeds, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if table, err = endgame.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return path, table
}
