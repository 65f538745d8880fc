package balance

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// Options configure an analysis. The zero value is ready to use.
type Options struct {
	// Unit is the name or symbol of the piece type that is worth 1. If it is empty, the
	// most frequent type at the start is the unit.
	Unit string
	// Goroutines is the number of goroutines that count games; 0 means 1. Results do not
	// depend on it.
	Goroutines int
	// Sample is the greatest number of games in the sample, except that pairs stay whole; 0
	// means [DefaultSample].
	Sample int64
	// Replicates is the number of bootstrap replicates for values; 0 means
	// [DefaultReplicates]. If it is negative, values have the intervals of formulas.
	Replicates int
	// Against are results from elsewhere to compare with, or nil.
	Against *Results
	// Progress, if not nil, is called with the number of episodes and plies counted so far.
	Progress func(episodes, plies int64)

	valuesOnly bool // count only results and the rows of the sample
}

// DefaultSample is the default of Options.Sample.
const DefaultSample = 100_000

var (
	// ErrUnit is wrapped by the error of Analyze if the unit is not a piece type.
	ErrUnit = errors.New("unknown unit")
	// ErrResults is wrapped by the error of Analyze if Options.Against is invalid.
	ErrResults = errors.New("invalid results to compare with")
)

// Analyze reports on data sets of one rule set. Its error wraps ErrSources, ErrUnit,
// ErrResults or, if an episode is faulty, a *dataset.Fault. It also fails if the program
// does not know the rules.
func Analyze(ctx context.Context, sources []Source, o Options) (*Report, error) {
	b, unit, all, err := analyze(ctx, sources, &o)
	if err != nil {
		return nil, err
	}
	return all.report(b, sources, unit, &o), nil
}

// AnalyzeValues returns the Values of the report that Analyze returns. It is faster,
// because it replays only the games of the sample. Its errors are those of Analyze.
func AnalyzeValues(ctx context.Context, sources []Source, o Options) (*Values, error) {
	o.valuesOnly = true
	b, unit, all, err := analyze(ctx, sources, &o)
	if err != nil {
		return nil, err
	}
	return newValuer(b, &all.sample, unit, &o).values(), nil
}

// analyze counts the episodes of the sources.
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

// A board holds what the analysis needs to know about the squares and pieces of a rule
// set. It is immutable.
type board struct {
	game    env.Game
	spec    *env.Spec
	squares int
	counted []bool    // by type: such a piece can stand for several
	home    [2][]bool // by player: squares with a piece of the player at the start
	full    [2]int64  // by player: number of pieces, or seeds, at the start
	start   []env.Piece
}

func newBoard(game env.Game) (*board, error) {
	b := &board{game: game, spec: game.Spec()}
	state := env.NewState(game)
	lister, lists := state.(env.PieceLister)
	if _, traces := state.(env.Tracer); !lists || !traces {
		return nil, fmt.Errorf("%s does not list its pieces and events (env.PieceLister and env.Tracer), which the analysis needs", b.spec.Game)
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

// unit returns the index of the type that is worth 1.
func (b *board) unit(name string) (int, error) {
	if name != "" {
		unit, err := b.spec.PieceType(name)
		if err != nil {
			err = fmt.Errorf("%w: %w", ErrUnit, err)
		}
		return unit, err
	}
	counts := make([]int64, len(b.spec.Pieces))
	for _, piece := range b.start {
		counts[piece.Type] += int64(piece.Count)
	}
	best := 0
	for t, n := range counts {
		if n > counts[best] {
			best = t
		}
	}
	return best, nil
}

// amount returns the number of seeds taken, or 1 for a piece.
func (b *board) amount(e *env.Event) int64 {
	if b.counted[e.Victim] {
		return int64(e.Count)
	}
	return 1
}

// A Source is a data set to analyse.
type Source struct {
	Name     string // the folder, for errors
	Settings *dataset.Settings
	Count    int64 // of episodes
	// Episodes yields the episodes in ascending order of number. Each is valid until the
	// next one.
	Episodes iter.Seq2[*dataset.Episode, error]
}

// Open returns the data set in a folder. See dataset.Load for its errors.
func Open(dir string) (Source, error) {
	r, err := parquetio.Open(dir)
	if err != nil {
		return Source{}, err
	}
	m := r.Manifest()
	return Source{Name: dir, Settings: &m.Settings, Count: m.Episodes(), Episodes: r.Episodes()}, nil
}

// First returns a source of the first episodes of s, at most the given number.
func (s Source) First(episodes int64) Source {
	all := s.Episodes
	s.Count = min(s.Count, episodes)
	s.Episodes = func(yield func(*dataset.Episode, error) bool) {
		left := episodes
		if left <= 0 {
			return
		}
		for ep, err := range all {
			left--
			if !yield(ep, err) || left <= 0 {
				return
			}
		}
	}
	return s
}

// ErrSources is wrapped by the error of Analyze if the sources cannot be pooled.
var ErrSources = errors.New("data sets cannot be analysed together")

// together returns an error if sources differ in their rules or repeat a run.
func together(sources []Source) error {
	if len(sources) == 0 {
		return fmt.Errorf("%w: there are 0 data sets, must be 1 or more", ErrSources)
	}
	first, runs := &sources[0], map[string]string{}
	for i := range sources {
		s := &sources[i]
		if s.Settings.Digest != first.Settings.Digest {
			return fmt.Errorf("%w: %s has the rules %s (%s), but %s has %s (%s); all must have the same rules",
				ErrSources, first.Name, first.Settings.Variant, first.Settings.Digest, s.Name, s.Settings.Variant, s.Settings.Digest)
		}
		run := s.Settings.Run()
		if other, ok := runs[run]; ok {
			return fmt.Errorf("%w: %s and %s both hold run %s, whose games would count twice", ErrSources, other, s.Name, run)
		}
		runs[run] = s.Name
	}
	return nil
}
