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
var about = variant.Engine{Name: "tankchess", Title: "Tank Chess", Version: 1, Default: "16x16", Presets: presets, History: engine.FirstVersion("2026-11-21")}
