package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
)

// ErrRules is wrapped by the error of Run for data sets of different rules.
var ErrRules = errors.New("the data sets have different rules")

// Run exports data sets that have the same rules into a folder, with the given number of
// goroutines. Each of them needs memory for one file of each part. progress, unless nil, is
// called with numbers of exported episodes, by several goroutines.
//
// Run locks the folder and continues an export with the same options in it. If it returns an
// error, finished files stay. A faulty episode is a *dataset.Fault.
func Run(ctx context.Context, dirs []string, out string, o Options, goroutines int, progress func(episodes int64)) (_ *Catalogue, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	e := &exporter{options: &o, out: out, progress: progress}
	if err := e.open(dirs); err != nil {
		return nil, err
	}
	lock, err := dataset.AcquireLock(out)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := e.catalogue.load(out); err != nil {
		return nil, err
	}
	if err := e.dropStale(); err != nil {
		return nil, err
	}
	for _, part := range e.parts() {
		if err := os.MkdirAll(filepath.Join(out, part.Name), 0o777); err != nil {
			return nil, err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	for range min(max(1, goroutines), max(1, len(e.todo))) {
		group.Go(func() error { return e.work(ctx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	e.catalogue.Complete = true
	return e.catalogue, e.catalogue.save(out)
}

// An exporter distributes shards among goroutines.
type exporter struct {
	options  *Options
	out      string
	progress func(int64)
	todo     []task
	next     atomic.Int64

	saving    sync.Mutex
	catalogue *Catalogue
}

// A task is a shard to export.
type task struct {
	reader *parquetio.Reader
	shard  *dataset.Shard
}

func (t *task) source() Source {
	return Source{Run: t.reader.Manifest().Run, Shard: t.shard.Number, SHA256: t.shard.Steps.SHA256}
}

// open reads the manifests of the data sets.
func (e *exporter) open(dirs []string) error {
	runs := map[string]string{}
	for _, dir := range dirs {
		reader, err := parquetio.Open(dir)
		if err != nil {
			return err
		}
		m := reader.Manifest()
		if other, ok := runs[m.Run]; ok {
			return fmt.Errorf("%s and %s are data sets of the same run, %s; sandtable dataset merge joins them", other, dir, m.Run)
		}
		runs[m.Run] = dir
		if e.catalogue == nil {
			replayer, err := replay.New(&m.Settings)
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			e.catalogue = newCatalogue(&m.Settings, replayer.Game().Spec(), e.options)
		}
		if m.Settings.Digest != e.catalogue.Digest {
			return fmt.Errorf("%w: %s has %s, %s has %s", ErrRules, dirs[0], e.catalogue.Variant, dir, m.Settings.Variant)
		}
		for i := range m.Shards {
			e.todo = append(e.todo, task{reader, &m.Shards[i]})
		}
	}
	return nil
}

// dropStale takes the shards that the data sets do not have any more out of the export.
func (e *exporter) dropStale() error {
	there, runs := map[Source]bool{}, map[string]bool{}
	for i := range e.todo {
		s := e.todo[i].source()
		there[s], runs[s.Run] = true, true
	}
	var files []string
	for run := range runs {
		files = append(files, e.catalogue.drop(run, func(s Source) bool { return there[s] })...)
	}
	if len(files) == 0 {
		return nil
	}
	if err := e.catalogue.save(e.out); err != nil {
		return err
	}
	for _, name := range files {
		if err := os.Remove(filepath.Join(e.out, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// parts returns the parts, or one without a name.
func (e *exporter) parts() []Part {
	if len(e.options.Parts) == 0 {
		return []Part{{Share: 1}}
	}
	return e.options.Parts
}

// work exports shards until none is left.
func (e *exporter) work(ctx context.Context) error {
	var w *worker
	for {
		i := e.next.Add(1) - 1
		if i >= int64(len(e.todo)) {
			return nil
		}
		t := &e.todo[i]
		e.saving.Lock()
		done := e.catalogue.has(t.source())
		e.saving.Unlock()
		if done {
			e.tell(t.shard.Episodes.Rows)
			continue
		}
		if w == nil || w.run != t.reader.Manifest().Run {
			var err error
			if w, err = newWorker(e, t.reader.Manifest()); err != nil {
				return err
			}
		}
		files, err := w.export(ctx, t)
		if err != nil {
			return err
		}
		e.saving.Lock()
		e.catalogue.add(t.source(), files)
		err = e.catalogue.save(e.out)
		e.saving.Unlock()
		if err != nil {
			return err
		}
	}
}

func (e *exporter) tell(episodes int64) {
	if e.progress != nil && episodes > 0 {
		e.progress(episodes)
	}
}
