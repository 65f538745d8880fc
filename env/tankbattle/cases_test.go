package tankbattle_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// The files were worked out by independent programs.

func TestCasesOfIndependentPrograms(t *testing.T) {
	envtest.Cases(t, func(name string) *variant.Variant { return load(t, name) }, "testdata/cases.json")
}

func TestGamesOfIndependentPrograms(t *testing.T) {
	envtest.Games(t, func(name string) *variant.Variant { return load(t, name) }, "testdata/games.json")
}
