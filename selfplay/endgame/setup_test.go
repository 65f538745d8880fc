package endgame_test

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/endgame"
)

func lookup(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := games.Lookup(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// solve makes a table in a temporary folder and opens it.
func solve(t testing.TB, variant string, seeds int) *endgame.Table {
	t.Helper()
	return open(t, solveFile(t, variant, seeds))
}

func solveFile(t testing.TB, variant string, seeds int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := endgame.Solve(t.Context(), lookup(t, variant), path, endgame.Options{Seeds: seeds, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *endgame.Table {
	t.Helper()
	table, err := endgame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}
