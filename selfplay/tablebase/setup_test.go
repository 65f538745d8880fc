package tablebase_test

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
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
func solve(t testing.TB, variant string, seeds int) *tablebase.Table {
	t.Helper()
	return open(t, solveFile(t, variant, seeds))
}

func solveFile(t testing.TB, variant string, seeds int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := tablebase.Solve(t.Context(), lookup(t, variant), path, tablebase.Options{Seeds: seeds, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *tablebase.Table {
	t.Helper()
	table, err := tablebase.Open(path)
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
