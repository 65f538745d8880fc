package handicap

import (
	"context"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// An Experiment is what was played to find out what handicaps cost.
type Experiment struct {
	Variant   *variant.Variant
	Agent     string // that plays both sides, as recorded
	Handicaps []Handicap
	// Control tells of games of the unchanged rules, with which the handicaps are
	// compared; nil where there are none.
	Control *balance.Report
	// SameOpenings says that the control's games begin as those of the handicaps do.
	SameOpenings bool
	// Unit is the name or symbol of the piece type whose removal is worth 1; empty for
	// the unit of the control's values, or else the first type that was removed.
	Unit string
}

// A Handicap is what one of the sides has worse, or better, and the games of it.
type Handicap struct {
	Type string // name of the piece type
	// Attribute is what all its pieces have otherwise, By so much; empty where one piece
	// is taken away.
	Attribute string
	By        int
	Arms      []Arm
}

// An Arm is a data set of games in which one side was handicapped.
type Arm struct {
	Source   balance.Source
	Episodes int64 // that are taken, the first ones; 0 for all
	// Handicapped tells which player was in an episode of a number.
	Handicapped func(episode int64) env.Player
}

// Analyze tells what the games of an experiment say. Its errors wrap balance.ErrUnit
// or, where data are at fault, a *dataset.Fault.
func Analyze(ctx context.Context, e *Experiment) (*Report, error) {
	a := &analysis{Experiment: e, spec: e.Variant.Game.Spec()}
	if err := a.findUnit(); err != nil {
		return nil, err
	}
	for i := range e.Handicaps {
		g := new(games)
		for j := range e.Handicaps[i].Arms {
			if err := g.read(ctx, &e.Handicaps[i].Arms[j]); err != nil {
				return nil, err
			}
		}
		a.games = append(a.games, g)
	}
	return a.report(), nil
}

// An analysis is an experiment with its games counted.
type analysis struct {
	*Experiment
	spec  *env.Spec
	games []*games // by handicap
	unit  int      // piece type; −1 for none
}

// findUnit settles the type in whose worth values are told.
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
	for i := range a.Handicaps {
		names = append(names, a.Handicaps[i].Type)
	}
	for _, name := range names {
		if a.removal(name) >= 0 {
			a.unit = a.pieceType(name)
			return nil
		}
	}
	return nil
}

// pieceType returns the index of a type, −1 where the rules have none of this name.
func (a *analysis) pieceType(name string) int {
	return slices.IndexFunc(a.spec.Pieces, func(t env.PieceType) bool { return t.Name == name })
}

// removal returns the index of the handicap in which one piece of a type was taken
// away, −1 where there is none.
func (a *analysis) removal(name string) int {
	return slices.IndexFunc(a.Handicaps, func(h Handicap) bool { return h.Attribute == "" && h.Type == name })
}

// significant is the probability of an error that a finding may have.
const significant = 1 - stats.Level
