package balance

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// Options are how to analyse.
type Options struct {
	// Unit is the name or symbol of the piece type in whose worth values are told;
	// empty for the type that is most frequent at the start.
	Unit string
	// Goroutines share the games out, 0 for one. Their number changes no result.
	Goroutines int
	// Sample bounds the games of the sample, 0 for [DefaultSample]. Pairs stay whole.
	Sample int64
	// Replicates are those of the bootstrap of values, 0 for [DefaultReplicates]; below
	// 0 there is none, and values have the intervals of formulas.
	Replicates int
	// Against are results from elsewhere to compare with, nil without any.
	Against *Results
	// Progress, when not nil, is called with how many episodes and plies were counted so far.
	Progress func(episodes, plies int64)

	valuesOnly bool // nothing but results and the sample's rows are wanted
}

// DefaultSample is how many games are in the sample unless Options say otherwise.
const DefaultSample = 100_000

// ErrUnit is what the error of Analyze wraps where no piece type has the name of the unit.
var ErrUnit = fmt.Errorf("no such piece type")

// ErrResults is what the error of Analyze wraps where results from elsewhere are none.
var ErrResults = errors.New("results to compare with are no counts of games")

// Analyze reports on data sets of one rule set. Its errors wrap ErrSources, ErrUnit, ErrResults
// or, where the data are at fault, a *dataset.Fault; rules that this program does
// not know are an error too.
func Analyze(ctx context.Context, sources []Source, o Options) (*Report, error) {
	b, unit, all, err := analyze(ctx, sources, &o)
	if err != nil {
		return nil, err
	}
	return all.report(b, sources, unit, &o)
}

// AnalyzeValues returns the Values of the report that Analyze makes, without the
// rest: only games of the sample are replayed. Its errors are those of Analyze.
func AnalyzeValues(ctx context.Context, sources []Source, o Options) (*Values, error) {
	o.valuesOnly = true
	b, unit, all, err := analyze(ctx, sources, &o)
	if err != nil {
		return nil, err
	}
	return newValuer(b, &all.sample, unit, &o).values()
}

// analyze counts the episodes.
func analyze(ctx context.Context, sources []Source, o *Options) (b *board, unit int, all *sums, err error) {
	if err := together(sources); err != nil {
		return nil, 0, nil, err
	}
	if o.Against != nil {
		if err := o.Against.validate(); err != nil {
			return nil, 0, nil, err
		}
	}
	settings := sources[0].Settings
	v, err := games.FromRules(settings.Rules, settings.Digest)
	if err != nil {
		return nil, 0, nil, fmt.Errorf("%s: %w", sources[0].Name, err)
	}
	if b, err = newBoard(v.Game); err != nil {
		return nil, 0, nil, err
	}
	if unit, err = b.unit(o.Unit); err != nil {
		return nil, 0, nil, err
	}
	if o.Sample <= 0 {
		o.Sample = DefaultSample
	}
	if o.Replicates == 0 {
		o.Replicates = DefaultReplicates
	}
	all, err = pipeline(ctx, b, sources, o)
	return b, unit, all, err
}

// A board is what a rule set says of squares and pieces. It is not changed.
type board struct {
	game    env.Game
	spec    *env.Spec
	squares int
	counted []bool    // by type: such a piece can be more than one
	home    [2][]bool // squares on which the player has a piece at the start
	full    [2]int64  // material of each player at the start, in pieces or seeds
	start   []env.Piece
}

func newBoard(game env.Game) (*board, error) {
	b := &board{game: game, spec: game.Spec()}
	state := env.NewState(game)
	lister, lists := state.(env.PieceLister)
	if _, traces := state.(env.Tracer); !lists || !traces {
		return nil, fmt.Errorf("%s does not tell of its pieces and events, which this analysis is made of", b.spec.Game)
	}
	b.squares = b.spec.Width * b.spec.Height
	for i := range b.spec.Pieces {
		b.counted = append(b.counted, b.spec.Pieces[i].MaxCount > 1)
	}
	for p := range b.home {
		b.home[p] = make([]bool, b.squares)
	}
	b.start = lister.Pieces(nil)
	for _, piece := range b.start {
		if !piece.Wreck {
			b.home[piece.Owner][piece.Square] = true
			b.full[piece.Owner] += int64(piece.Count)
		}
	}
	return b, nil
}

// unit returns the index of the type in whose worth values are told.
func (b *board) unit(name string) (int, error) {
	best, most := 0, int64(-1)
	known := ""
	counts := make([]int64, len(b.spec.Pieces))
	for _, piece := range b.start {
		counts[piece.Type] += int64(piece.Count)
	}
	for i := range b.spec.Pieces {
		t := &b.spec.Pieces[i]
		if name != "" && (t.Name == name || t.Symbol == name) {
			return i, nil
		}
		if i > 0 {
			known += ", "
		}
		known += fmt.Sprintf("%q (%s)", t.Name, t.Symbol)
		if counts[i] > most {
			best, most = i, counts[i]
		}
	}
	if name != "" {
		return 0, fmt.Errorf("unit %q: %w of %s, must be one of %s", name, ErrUnit, b.spec.Name, known)
	}
	return best, nil
}

// amount is what a victim counts: seeds where there are some, else one.
func (b *board) amount(e *env.Event) int64 {
	if b.counted[e.Victim] {
		return int64(e.Count)
	}
	return 1
}
