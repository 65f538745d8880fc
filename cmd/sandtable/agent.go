package main

import (
	"os"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// parseAgent reads an agent string of the command line, which may name files.
func parseAgent(text string, v *variant.Variant) (selfplay.AgentSpec, error) {
	return selfplay.ParseAgent(text, v, &selfplay.Sources{ReadFile: os.ReadFile})
}
