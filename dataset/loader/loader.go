package loader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
)

// A Loader is a stream of positions. One goroutine at a time may call its methods.
type Loader struct {
	options Options
	dirs    []string
	game    env.Game
	digest  string // of the rules
	shape   shape
	workers []*worker
	latest  *view // of the next block that is planned

	// The place in the stream.
	current, next *block // nil before the first row is asked for
	offset        int    // rows of current that were taken
	start         place  // of current
	untouched     bool   // no row was asked for and no state restored
	prepared      Sizes  // of the batch that Fill writes; no rows if there is none

	ctx    context.Context // of the goroutines that fill blocks
	cancel context.CancelFunc
	fills  sync.WaitGroup

	// Only the goroutine that fills a block uses these.
	pool   *pool
	loaded []*shard
	rand   env.Rand
}

// A place is the beginning of a block in the stream, with what the block and the one after
// it see of the data sets.
type place struct {
	number, draw uint64
	views        [2]*view
}

// Open opens one or several data sets of one rule set. It reads their manifests; the games
// are read when the first batch is prepared. The caller must close the loader.
func Open(dirs []string, options Options) (*Loader, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		return nil, errors.New("a loader needs at least one data set")
	}
	l := &Loader{options: options, dirs: dirs}
	v, err := l.look(nil)
	if err != nil {
		return nil, err
	}
	settings := &v.sources[0].reader.Manifest().Settings
	variant, err := games.FromRules(settings.Rules, settings.Digest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Clean(dirs[0]), err)
	}
	l.game, l.digest = variant.Game, settings.Digest
	spec := l.game.Spec()
	l.shape = shape{words: spec.ObservationBitWords(), scalars: spec.ObservationScalars(), spec: spec}
	if options.Shuffle > math.MaxInt32/spec.MaxLegal {
		return nil, fmt.Errorf("shuffle is %d, must be at most %d in %s", options.Shuffle, math.MaxInt32/spec.MaxLegal, spec.Name)
	}
	for range options.threads() {
		l.workers = append(l.workers, newWorker(l.game, &l.options, &l.shape))
	}
	l.latest, l.untouched = v, true
	l.start = place{views: [2]*view{v, v}}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l, nil
}

// Game returns the game of the data sets.
func (l *Loader) Game() env.Game { return l.game }

// look reads the manifests. It keeps the shards of the last view, unless nil, and its
// weights.
func (l *Loader) look(last *view) (*view, error) {
	v := &view{}
	if last != nil {
		v.weights, v.fresh = last.weights, last.fresh
	}
	digest := ""
	for i, dir := range l.dirs {
		dir = filepath.Clean(dir)
		reader, err := parquetio.Open(dir)
		if err != nil {
			return nil, err
		}
		m := reader.Manifest()
		if digest == "" {
			digest = m.Settings.Digest
		}
		if m.Settings.Digest != digest {
			return nil, fmt.Errorf("%s has the rules of %s (%s), must have those of %s (%s)",
				dir, m.Settings.Variant, m.Settings.Digest, filepath.Clean(l.dirs[0]), digest)
		}
		s := &source{index: int32(i), reader: reader}
		known := map[string]*shard{}
		if last != nil {
			for _, old := range last.sources[i].shards {
				known[old.Steps.SHA256+old.Episodes.SHA256] = old
			}
		}
		for _, entry := range m.Shards {
			one := known[entry.Steps.SHA256+entry.Episodes.SHA256]
			if one == nil || one.Number != entry.Number {
				one = &shard{Shard: entry, source: s}
			}
			s.shards = append(s.shards, one)
		}
		v.sources = append(v.sources, s)
	}
	return v, nil
}

// Refresh reads the manifests again. It returns the number of episodes of all data sets.
// It is an error if the options limit the epochs, because their order would change.
func (l *Loader) Refresh() (episodes int64, err error) {
	if l.options.Epochs > 0 {
		return 0, errors.New("a loader with epochs cannot be refreshed; open another one")
	}
	v, err := l.look(l.latest)
	if err != nil {
		return 0, err
	}
	if digest := v.sources[0].reader.Manifest().Settings.Digest; digest != l.digest {
		return 0, fmt.Errorf("%s has the rules %s, had %s when the loader was opened", filepath.Clean(l.dirs[0]), digest, l.digest)
	}
	l.see(v)
	return v.episodes(), nil
}

// see makes v what the next block that is planned sees.
func (l *Loader) see(v *view) {
	l.latest = v
	if l.untouched {
		l.start.views = [2]*view{v, v}
	}
}

// Episodes returns the numbers of all episodes with the indices of their data sets, oldest
// first.
func (l *Loader) Episodes() (sets []int32, numbers []int64) {
	for _, source := range l.latest.sources {
		settings := &source.reader.Manifest().Settings
		for _, s := range source.shards {
			for n := range settings.Numbers(s.Jobs) {
				sets, numbers = append(sets, source.index), append(numbers, n)
			}
		}
	}
	return sets, numbers
}

// SetWeights sets the weights with which episodes are drawn, in the order of Episodes. An
// episode of weight 0 is not drawn. Episodes that Refresh finds later have the greatest of
// the weights. An empty list makes all weights equal.
func (l *Loader) SetWeights(weights []float64) error {
	v := &view{sources: l.latest.sources}
	if len(weights) > 0 {
		if l.options.Epochs > 0 {
			return errors.New("a loader with epochs draws every episode equally often and has no weights")
		}
		if n := v.episodes(); int64(len(weights)) != n {
			return fmt.Errorf("there are %d weights, must be %d, one for each episode", len(weights), n)
		}
		v.weights = map[*shard][]float64{}
		for i, w := range weights {
			if !(w >= 0) || math.IsInf(w, 1) {
				return fmt.Errorf("weight %d is %v, must be a number of 0 or more", i, w)
			}
			v.fresh = max(v.fresh, w)
		}
		if v.fresh == 0 {
			return errors.New("all weights are 0")
		}
		weights = append([]float64(nil), weights...)
		for _, source := range v.sources {
			for _, s := range source.shards {
				v.weights[s] = weights[:s.Episodes.Rows:s.Episodes.Rows]
				weights = weights[s.Episodes.Rows:]
			}
		}
	}
	l.see(v)
	return nil
}

// Prepare waits until the next batch of at most rows rows can be filled, and returns its
// sizes. A batch has fewer rows only at the end of the stream, after which the error is
// io.EOF. If ctx is done first, the error is its cause, and the batch can be prepared
// later. An error in the data names the file and the episode; it ends the stream.
func (l *Loader) Prepare(ctx context.Context, rows int) (Sizes, error) {
	l.prepared = Sizes{}
	if rows < 1 || rows > l.options.Shuffle {
		return l.prepared, fmt.Errorf("a batch of %d rows; it must have from 1 to %d, the option shuffle", rows, l.options.Shuffle)
	}
	if l.ctx.Err() != nil {
		return l.prepared, errors.New("the loader is closed")
	}
	l.begin()
	if err := l.current.wait(ctx); err != nil {
		return l.prepared, err
	}
	if l.offset > l.current.rows {
		return l.prepared, fmt.Errorf("loader state: offset is %d, must be at most %d, the rows of block %d", l.offset, l.current.rows, l.current.number)
	}
	var sizes Sizes
	l.current.add(&sizes, l.offset, min(rows, l.current.rows-l.offset))
	if sizes.Rows < rows && !l.current.last {
		if err := l.next.wait(ctx); err != nil {
			return l.prepared, err
		}
		l.next.add(&sizes, 0, min(rows-sizes.Rows, l.next.rows))
	}
	if sizes.Rows == 0 {
		return sizes, io.EOF
	}
	l.prepared = sizes
	return sizes, nil
}

// Fill writes the batch that Prepare has prepared. The arrays must have the lengths that
// Sizes asks for.
func (l *Loader) Fill(b *Batch) error {
	if l.prepared.Rows == 0 {
		return errors.New("a batch must be prepared before it is filled")
	}
	if err := b.check(l.prepared, &l.shape); err != nil {
		return err
	}
	b.LegalOffsets[0], b.NextOffsets[0] = 0, 0
	var at Sizes
	left := l.prepared.Rows
	l.prepared = Sizes{}
	for to := 0; left > 0; {
		rows := min(left, l.current.rows-l.offset)
		l.current.copyTo(b, to, l.offset, rows, &at, &l.shape)
		l.offset += rows
		to += rows
		left -= rows
		if l.offset == l.current.rows && !l.current.last {
			l.advance()
		}
	}
	return nil
}

// Next prepares and fills a batch, and gives its arrays the right lengths.
func (l *Loader) Next(ctx context.Context, rows int, b *Batch) error {
	sizes, err := l.Prepare(ctx, rows)
	if err != nil {
		return err
	}
	b.resize(sizes, &l.shape)
	return l.Fill(b)
}

// Close ends the loader and waits for its goroutines. It may be called twice.
func (l *Loader) Close() {
	l.cancel()
	l.fills.Wait()
}

// begin starts to fill the first blocks unless that was done.
func (l *Loader) begin() {
	if l.current != nil {
		return
	}
	l.untouched = false
	l.current = &block{number: l.start.number, first: l.start.draw, view: l.start.views[0]}
	l.next = &block{number: l.start.number + 1, view: l.start.views[1]}
	l.fill(l.current, nil)
	l.fill(l.next, l.current)
}

// advance makes the next block the current one, and reuses the memory of the old one for
// the block after it.
func (l *Loader) advance() {
	old := l.current
	l.current, l.next, l.offset = l.next, old, 0
	l.start = place{number: l.current.number, draw: old.draw, views: [2]*view{l.current.view, l.latest}}
	old.number, old.view = l.current.number+1, l.latest
	l.fill(old, l.current)
}

// fill starts to fill a block, after the one before it unless nil.
func (l *Loader) fill(b, before *block) {
	ctx, end := l.ctx, &outcome{done: make(chan struct{})}
	var earlier *outcome
	if before != nil {
		earlier = before.outcome
	}
	b.outcome = end
	l.fills.Go(func() {
		defer close(end.done)
		if earlier != nil {
			<-earlier.done
			if end.err = earlier.err; end.err != nil || earlier.last {
				b.rows, end.last = 0, true
				return
			}
			b.first = earlier.draw
		}
		end.err = l.make(ctx, b)
		end.draw, end.last = b.end, b.exhausted
	})
}

// make reads the shards of a block, plans it and replays its draws.
func (l *Loader) make(ctx context.Context, b *block) error {
	if l.pool == nil || l.pool.view != b.view {
		if err := l.gather(ctx, b.view); err != nil {
			return err
		}
	}
	l.pool.plan(b, &l.options, &l.rand)
	b.allot(l.shape.words, l.shape.scalars)
	errs := make([]error, len(l.workers))
	failed := make([]int, len(l.workers))
	var next atomic.Int64
	var stop atomic.Bool
	var wait sync.WaitGroup
	for i, w := range l.workers {
		wait.Go(func() {
			w.begin(b)
			for !stop.Load() {
				at := int(next.Add(1) - 1)
				if at >= len(b.draws) {
					return
				}
				err := w.replay(&b.draws[at])
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					errs[i], failed[i] = err, at
					stop.Store(true)
				}
			}
		})
	}
	wait.Wait()
	// The error of the earliest draw does not depend on the number of goroutines: when it was
	// taken, so were all draws before it.
	first := -1
	for i := range errs {
		if errs[i] != nil && (first < 0 || failed[i] < failed[first]) {
			first = i
		}
	}
	if first >= 0 {
		return errs[first]
	}
	return nil
}

// gather makes the pool that of a view, and forgets the games that it does not need.
func (l *Loader) gather(ctx context.Context, v *view) error {
	shards, episodes, plies := v.window(l.options.Window)
	needed := map[*shard]bool{}
	for _, s := range shards {
		needed[s] = true
	}
	for _, s := range l.loaded {
		if !needed[s] {
			s.games = nil
		}
	}
	l.pool, l.loaded = nil, shards
	if err := load(ctx, shards, &l.options, l.shape.spec.StartText); err != nil {
		return err
	}
	pool, err := newPool(v, shards, episodes, plies, &l.options)
	l.pool = pool
	return err
}

// episodes returns the number of episodes of all data sets.
func (v *view) episodes() (n int64) {
	for s := range v.shards {
		n += s.Episodes.Rows
	}
	return n
}

// Settings returns the settings of the first data set, whose rules are those of all.
func (l *Loader) Settings() *dataset.Settings {
	return &l.latest.sources[0].reader.Manifest().Settings
}
