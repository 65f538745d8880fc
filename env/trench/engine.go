package trench

import (
	"embed"

	"github.com/sandtable-farm/sandtable/env/engine"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants/*.json
var presets embed.FS

// about is the entry in the table of games without its functions. The version is the
// behaviour version, which is raised when the same rules play a different game.
var about = variant.Engine{Name: "trench", Title: "Trench", Version: 1, Default: "standard", Presets: presets, History: engine.FirstVersion("2026-11-21")}
