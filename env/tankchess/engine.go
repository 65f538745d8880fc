package tankchess

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants
var presets embed.FS

// about is the entry in the table of games without its functions. The version is the
// behaviour version, which is raised when the same rules play a different game.
var about = variant.Engine{
	Name: "tankchess", Title: "Tank Chess", Version: 1, Default: "16x16", Presets: presets,
	History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
}

// Engine returns the entry of Tank Chess in the table of games.
func Engine() variant.Engine { return engine.Register(about, newGame) }

// New returns the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) { return engine.New(about.Name, rules, newGame) }
