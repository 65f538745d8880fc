package handicap

import (
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// An Experiment holds the games that measure what handicaps cost.
type Experiment struct {
	Variant *variant.Variant
	Agent   string // agent that plays both sides, as recorded
	Played  []Played
	// Control is the report on games of the unchanged rules, with which the handicaps are
	// compared; nil without such games.
	Control *balance.Report
	// SameOpenings says that the control's games begin like those of the handicaps.
	SameOpenings bool
	// Unit is the name or symbol of the piece type whose removal is worth 1. If empty, it
	// is the unit of the control's values, or else the first type that was removed.
	Unit string
}

// Played is what the games with one handicap show.
type Played struct {
	Handicap // Type is the name of the piece type
	Measures *Measures
}

// Analyze makes the report of an experiment. Its errors wrap balance.ErrUnit.
func Analyze(e *Experiment) (*Report, error) {
	a := &analysis{Experiment: e, spec: e.Variant.Game.Spec()}
	if err := a.findUnit(); err != nil {
		return nil, err
	}
	return a.report(), nil
}

// An analysis makes the report of an experiment.
type analysis struct {
	*Experiment
	spec *env.Spec
	unit int // index of the piece type; −1 for none
}

// findUnit finds the piece type that is worth 1.
func (a *analysis) findUnit() error {
	a.unit = -1
	if a.Unit != "" {
		unit, err := a.spec.PieceType(a.Unit)
		if err != nil {
			return fmt.Errorf("%w: %w", balance.ErrUnit, err)
		}
		a.unit = unit
		return nil
	}
	names := []string{}
	if a.Control != nil {
		names = append(names, a.Control.Values.Unit)
	}
	for i := range a.Played {
		names = append(names, a.Played[i].Type)
	}
	for _, name := range names {
		if a.removal(name) >= 0 {
			a.unit = a.pieceType(name)
			return nil
		}
	}
	return nil
}

// pieceType returns the index of a type by name, −1 for an unknown name.
func (a *analysis) pieceType(name string) int {
	return slices.IndexFunc(a.spec.Pieces, func(t env.PieceType) bool { return t.Name == name })
}

// removal returns the index of the handicap that removes one piece of a type, or −1.
func (a *analysis) removal(name string) int {
	return slices.IndexFunc(a.Played, func(p Played) bool { return p.Change.Removal() && p.Type == name })
}

// significant is the greatest adjusted P value of a finding.
const significant = 1 - stats.Level
