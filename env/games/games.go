// Package games is the table of all games, the only package that imports every
// engine.
package games

import (
	"os"

	"github.com/sandtable-farm/sandtable/env/ntxuva"
	"github.com/sandtable-farm/sandtable/env/tankbattle"
	"github.com/sandtable-farm/sandtable/env/tankchess"
	"github.com/sandtable-farm/sandtable/env/trench"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Engines returns every engine, in the order in which games are listed.
func Engines() []variant.Engine {
	return []variant.Engine{trench.Engine(), ntxuva.Engine(), tankchess.Engine(), tankbattle.Engine()}
}

// Presets returns the variant strings of all presets, the default of each game first.
func Presets() []string {
	var names []string
	for _, engine := range Engines() {
		names = append(names, engine.PresetNames()...)
	}
	return names
}

// Lookup returns the variant of a variant string: a preset or a file (@FILE), either
// of them with overrides. See package variant.
func Lookup(text string) (*variant.Variant, error) { return Load(text, os.ReadFile) }

// Load is Lookup with readFile to read files.
func Load(text string, readFile func(name string) ([]byte, error)) (*variant.Variant, error) {
	return variant.Load(Engines(), text, readFile)
}

// FromRules makes the variant of a complete rule set. It returns an error if this
// program would play it differently from the program that wrote the digest.
func FromRules(rules []byte, digest string) (*variant.Variant, error) {
	return variant.FromRules(Engines(), rules, digest)
}
