package ntxuva_test

import (
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{ntxuva.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// at returns a state of a variant at a position.
func at(t testing.TB, text, position string) env.State {
	t.Helper()
	s := env.NewState(load(t, text).Game)
	if err := s.SetPosition(position); err != nil {
		t.Fatal(err)
	}
	return s
}

// The files were worked out by independent programs.

func TestCasesOfIndependentPrograms(t *testing.T) {
	envtest.Cases(t, func(name string) *variant.Variant { return load(t, name) }, "testdata/cases.json")
}

func TestGamesOfIndependentPrograms(t *testing.T) {
	envtest.Games(t, func(name string) *variant.Variant { return load(t, name) }, "testdata/games.json")
}
