package ntxuva

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants/*.json
var presets embed.FS

// engineName is the first part of every variant string of this package.
const engineName = "ntxuva"

// behaviour is raised when the same rules play a different game.
const behaviour = 1

// Engine returns the entry of N'txuva in the table of games.
func Engine() variant.Engine {
	return engine.Register(variant.Engine{
		Name:    engineName,
		Title:   "N'txuva",
		Version: behaviour,
		Default: "basic",
		Presets: presets,
		History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
	}, newGame)
}

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(engineName, rules, newGame) }
