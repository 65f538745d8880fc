package tankchess_test

import (
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/envtest"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// loaded has the variants by the texts that load was given.
var loaded sync.Map

// load returns a variant, which the tests share.
func load(t testing.TB, text string) *variant.Variant {
	t.Helper()
	if v, is := loaded.Load(text); is {
		return v.(*variant.Variant)
	}
	v, err := variant.Load([]variant.Engine{tankchess.Engine()}, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	loaded.Store(text, v)
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
// one is compared with; perft as deep as is quick and some of the games, or all
// of both under the tag long.
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
	check := func(variant string, check func(env.Game) error) {
		if err := check(lookup(variant).Game); err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
	for _, c := range listed[envtest.Case](t, casesFile) {
		deep := slices.IndexFunc(c.Perft, func(n uint64) bool { return n > referencePerft })
		if deep >= 0 {
			c.Perft = c.Perft[:deep]
		}
		check(c.Variant, c.Check)
	}
	for i, game := range listed[envtest.GameRecord](t, gamesFile) {
		if i%referenceGames == 0 {
			check(game.Variant, game.Check)
		}
	}
}

// listed reads a file of independent programs.
func listed[T any](t *testing.T, file string) (list []T) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %d entries, %v", file, len(list), err)
	}
	return list
}
