package tankchess_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	v, err := variant.Load([]variant.Engine{tankchess.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// rulesOf returns the complete rule set of a variant.
func rulesOf(t testing.TB, v *variant.Variant) tankchess.Rules {
	t.Helper()
	var rules tankchess.Rules
	if err := json.Unmarshal(v.Rules, &rules); err != nil {
		t.Fatal(err)
	}
	return rules
}

// The files were worked out by independent programs.

const (
	casesFile = "testdata/cases.json"
	gamesFile = "testdata/games.json"
)

func TestCasesOfIndependentPrograms(t *testing.T) {
	envtest.Cases(t, func(name string) *variant.Variant { return load(t, name) }, casesFile)
}

func TestGamesOfIndependentPrograms(t *testing.T) {
	envtest.Games(t, func(name string) *variant.Variant { return load(t, name) }, gamesFile)
}

// TestReferenceAgreesWithIndependentPrograms proves the slow engine that the real
// one is compared with; perft only as deep as is quick, or wholly under the tag long.
func TestReferenceAgreesWithIndependentPrograms(t *testing.T) {
	games := map[string]env.Game{}
	lookup := func(name string) *variant.Variant {
		v := *load(t, name)
		if games[name] == nil {
			games[name] = asGame{reference: newReferenceGame(rulesOf(t, &v))}
		}
		v.Game = games[name]
		return &v
	}
	var cases []envtest.Case
	data, err := os.ReadFile(casesFile)
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil || len(cases) == 0 {
		t.Fatalf("%s: %d cases, %v", casesFile, len(cases), err)
	}
	for _, c := range cases {
		deep := slices.IndexFunc(c.Perft, func(n uint64) bool { return n > referencePerft })
		if deep >= 0 {
			c.Perft = c.Perft[:deep]
		}
		if err := c.Check(lookup(c.Variant).Game); err != nil {
			t.Errorf("%s: %v", c.Variant, err)
		}
	}
	envtest.Games(t, lookup, gamesFile)
}
