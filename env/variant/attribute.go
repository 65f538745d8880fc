package variant

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// An Attributer is a RuleSet of a game in which the pieces of a type can have an
// attribute of one player apart from the other's.
type Attributer interface {
	// WithAttribute returns a copy of the rules, which must be valid, in which an
	// attribute of player's pieces of a type, given by its symbol, is changed by so
	// much. The error says which attributes there are, or what the value must be.
	WithAttribute(player env.Player, symbol, attribute string, change int) (RuleSet, error)
}

// WithAttribute returns the variant in which an attribute of one player's pieces
// of a type, given by its name or symbol, is changed by so much, and nothing else.
// Its name, which is no variant string, tells what is changed; its Rules are
// complete.
func (v *Variant) WithAttribute(player env.Player, piece, attribute string, change int) (*Variant, error) {
	spec := v.Game.Spec()
	if player != env.First && player != env.Second {
		return nil, fmt.Errorf("%s: player %d is none of the two", v.Name, player)
	}
	kind, err := spec.PieceType(piece)
	if err != nil {
		return nil, err
	}
	symbol := spec.Pieces[kind].Symbol
	what := fmt.Sprintf("%s-%s-%s-%s%+d", v.Name, strings.ToLower(spec.Players[player]), symbol, attribute, change)
	rules, ok := v.rules.(Attributer)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: no piece type has an attribute that one side can have apart from the other; its pieces can be removed", v.Name)
	case change == 0:
		return nil, fmt.Errorf("%s: the change of %s is 0, must be another number", v.Name, attribute)
	}
	changed, err := rules.WithAttribute(player, symbol, attribute, change)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	head := changed.Head()
	head.Name = what
	head.Description = fmt.Sprintf("%s with %s %+d of %s's %s.", v.Name, attribute, change, spec.Players[player], spec.Pieces[kind].Name)
	l := loader{engines: []Engine{*v.engine}, what: "variant " + what}
	return l.complete(indented(changed))
}
