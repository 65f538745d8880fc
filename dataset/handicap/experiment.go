package handicap

import (
	"cmp"
	"fmt"
	"math"
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
	// Unit is the name or symbol of the piece type whose removal is worth 1. If empty, it is
	// the most frequent type at the start if its loss differs significantly from 0, or else
	// the type whose loss is the most certain: the one that is the most standard errors
	// above 0.
	Unit string
	// Until is the precision at which the games of a handicap ended; nil for a fixed size.
	Until *Precision
}

// Played is what the games with one handicap show.
type Played struct {
	Handicap // Type is the name of the piece type
	Measures *Measures
	// Levels are those of the look after which the games of the handicap ended; nil for a
	// single look.
	Levels *stats.Levels
}

// levels returns Levels, of a single look if it is nil.
func (p *Played) levels() *stats.Levels {
	if p.Levels == nil {
		return new(stats.Levels)
	}
	return p.Levels
}

// score returns the score of the handicapped side, averaged over both seats, with an
// interval that holds at all looks together.
func (p *Played) score(level float64) stats.Interval { return p.repeated(p.Measures.score, level) }

// repeated returns an interval at the level that holds at all looks together.
func (p *Played) repeated(of func(level float64) stats.Interval, level float64) stats.Interval {
	i := of(p.levels().At(level))
	if p.Levels != nil {
		i.Method = "repeated, " + i.Method
	}
	i.Level = level
	return i
}

// logOdds returns the loss in log odds.
func (p *Played) logOdds() stats.Interval { return other(p.score(stats.Level)).LogOdds() }

// Analyze makes the report of an experiment. Its errors wrap balance.ErrUnit.
func Analyze(e *Experiment) (*Report, error) {
	a := &analysis{Experiment: e, spec: e.Variant.Game.Spec()}
	if err := a.findUnit(); err != nil {
		return nil, err
	}
	return a.report(), nil
}

// UnitOf returns the name of the piece type that is worth 1 in the report of an
// experiment, or "" if there is none. Its errors are those of Analyze.
func UnitOf(e *Experiment) (string, error) {
	a := &analysis{Experiment: e, spec: e.Variant.Game.Spec()}
	if err := a.findUnit(); err != nil || a.unit < 0 {
		return "", err
	}
	return a.spec.Pieces[a.unit].Name, nil
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
	if i := a.removal(a.mostFrequent()); i >= 0 && a.Played[i].logOdds().Low > 0 {
		a.unit = a.pieceType(a.Played[i].Type)
		return nil
	}
	surest := math.Inf(-1)
	for i := range a.Played {
		p := &a.Played[i]
		if !p.Change.Removal() {
			continue
		}
		sure := 0.0 // half widths of the interval above 0
		if loss := p.logOdds(); p.Measures.enough() && finite(loss) && loss.High > loss.Low {
			sure = loss.Estimate / (loss.High - loss.Low)
		}
		if t := a.pieceType(p.Type); t >= 0 && sure > surest {
			surest, a.unit = sure, t
		}
	}
	return nil
}

// mostFrequent returns the name of the type with the most pieces at the start.
func (a *analysis) mostFrequent() string {
	return slices.MaxFunc(a.spec.Pieces, func(s, t env.PieceType) int { return cmp.Compare(s.Count[0]+s.Count[1], t.Count[0]+t.Count[1]) }).Name
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
