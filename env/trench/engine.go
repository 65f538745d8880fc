package trench

import (
	"embed"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

//go:embed variants/*.json
var presets embed.FS

// engineName is the first part of every variant string of this package.
const engineName = "trench"

// behaviour is raised when the same rules come to play another game.
const behaviour = 1

// Engine returns the entry of Trench in the table of games.
func Engine() variant.Engine {
	return variant.Engine{
		Name:    engineName,
		Title:   "Trench",
		Version: behaviour,
		Default: "standard",
		Presets: presets,
		Rules:   func() variant.RuleSet { return new(Rules) },
		New: func(rules variant.RuleSet) env.Game {
			r, ok := rules.(*Rules)
			if !ok {
				panic(fmt.Sprintf("trench: rule set is a %T", rules))
			}
			return newGame(*r)
		},
		History: []variant.Change{{Version: 1, Date: "2026-11-21", What: "first version"}},
	}
}

// New makes the game of a rule set. Its error is that of Rules.Validate.
func New(rules Rules) (*Game, error) {
	if err := rules.Validate(); err != nil {
		return nil, fmt.Errorf("trench: %w", err)
	}
	return newGame(rules), nil
}
