package ntxuva

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants/*.json
var presets embed.FS

// about is the entry in the table of games without its functions. The version is the
// behaviour version, which is raised when the same rules play a different game.
var about = variant.Engine{
	Name: "ntxuva", Title: "N'txuva", Version: 1, Default: "basic", Presets: presets,
	History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
}

// Engine returns the entry of N'txuva in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }
