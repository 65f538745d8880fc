package tankchess

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants
var presets embed.FS

// engineName is the first part of every variant string of this package.
const engineName = "tankchess"

// behaviour is raised when the same rules come to play another game.
const behaviour = 1

// Engine returns the entry of Tank Chess in the table of games.
func Engine() variant.Engine {
	return engine.Register(variant.Engine{
		Name:    engineName,
		Title:   "Tank Chess",
		Version: behaviour,
		Default: "16x16",
		Presets: presets,
		History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
	}, newGame)
}

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(engineName, rules, newGame) }
