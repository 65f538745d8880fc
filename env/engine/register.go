package engine

import (
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// Register completes the entry of an engine in the table of games: it adds how
// rule sets are read and games are made. Build makes the game of a valid rule set.
func Register[R any, P interface {
	*R
	variant.RuleSet
}, G env.Game](e variant.Engine, build func(R) G) variant.Engine {
	e.Rules = func() variant.RuleSet { return P(new(R)) }
	e.New = func(rules variant.RuleSet) env.Game {
		r, ok := rules.(P)
		if !ok {
			panic(fmt.Sprintf("%s: rule set is a %T", e.Name, rules))
		}
		return build(*r)
	}
	return e
}

// FirstVersion is the history of an engine whose behaviour has never changed.
func FirstVersion(date string) []variant.Change {
	return []variant.Change{{Version: 1, Date: date, What: "first version"}}
}

// New makes the game of a rule set that a program has built. Its error is that of
// the rule set's Validate, prefixed with the name of the engine.
func New[R any, P interface {
	*R
	variant.RuleSet
}, G env.Game](name string, rules R, build func(R) G) (game G, err error) {
	if err := P(&rules).Validate(); err != nil {
		return game, fmt.Errorf("%s: %w", name, err)
	}
	return build(rules), nil
}
