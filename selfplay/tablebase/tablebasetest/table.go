// Package tablebasetest solves small endgame tables for tests.
package tablebasetest

import (
	"path/filepath"
	"testing"

	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// Sources lets agent strings name tables.
func Sources() *agent.Sources {
	return &agent.Sources{OpenTable: func(name string) (agent.Table, error) { return tablebase.Open(name) }}
}

// Solve writes the table of a variant and opens it until the test ends.
func Solve(t testing.TB, variant string, seeds int) (path string, table *tablebase.Table) {
	t.Helper()
	v, err := games.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "table")
	if err := tablebase.Solve(t.Context(), v, path, tablebase.Options{Seeds: seeds, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if table, err = tablebase.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return path, table
}
