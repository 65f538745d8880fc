package variant

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// An Attributer is a RuleSet in which a piece type can have different attributes for
// the two players.
type Attributer interface {
	// WithAttribute returns a copy of the rules with change added to an attribute of
	// player's pieces of the type with the given symbol. The rules must be valid. The
	// error lists the known attributes or gives the range of the value.
	WithAttribute(player env.Player, symbol, attribute string, change int) (RuleSet, error)
}

// WithAttribute returns a variant that differs from v only in one attribute of one
// player's pieces of a type, given by name or symbol: it adds change to that
// attribute. The Name of the result describes the change and is not a variant string.
// Its Rules are complete.
func (v *Variant) WithAttribute(player env.Player, piece, attribute string, change int) (*Variant, error) {
	spec := v.Game.Spec()
	if player != env.First && player != env.Second {
		return nil, fmt.Errorf("%s: player is %d, must be 0 or 1", v.Name, player)
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
		return nil, fmt.Errorf("%s: the game has no attributes that can differ between the players; its pieces can be removed instead", v.Name)
	case change == 0:
		return nil, fmt.Errorf("%s: the change of %s is 0, must be positive or negative", v.Name, attribute)
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
