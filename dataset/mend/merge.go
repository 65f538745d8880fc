package mend

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A Merged describes what Merge has done.
type Merged struct {
	Run      string
	Settings dataset.Settings
	Jobs     dataset.Jobs // added to the data set
	// Known are the jobs that the data set had before another source with the same content.
	Known    int64
	Episodes int64 // of the merged data set
	Complete bool  // the merged data set has every job of its run
}

// ErrMixed is wrapped by the error of Merge for data sets of different runs.
var ErrMixed = errors.New("the data sets are not of one run")

// Merge adds the jobs of data sets of one run to the data set in out, which it creates or
// continues. The number of a job decides: a job that several data sets have is taken once,
// and its episodes must be the same in all of them. If they are not, the error is a
// *dataset.Fault. The sources do not change. A process that is killed leaves a data set that
// another call completes. progress, unless nil, is called with numbers of episodes.
//
// Merge checks every source shard as CheckShard does. It does not replay the games.
func Merge(ctx context.Context, dirs []string, out string, progress func(episodes int64)) (_ *Merged, err error) {
	var sources []*parquetio.Reader
	for _, dir := range dirs {
		source, err := parquetio.Open(dir)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
		if err := mixed(dirs[0], dir, &sources[0].Manifest().Settings, &source.Manifest().Settings); err != nil {
			return nil, err
		}
	}
	settings := &sources[0].Manifest().Settings
	if m, err := dataset.Load(out); err == nil {
		if err := mixed(out, dirs[0], &m.Settings, settings); err != nil {
			return nil, err
		}
	}
	lock, err := dataset.AcquireLock(out)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	writer, err := parquetio.OpenWriter(lock, settings)
	if err != nil {
		return nil, err
	}
	m := &Merged{Run: settings.Run(), Settings: *settings}
	for _, source := range sources {
		for i := range source.Manifest().Shards {
			shard := &source.Manifest().Shards[i]
			if err := m.add(ctx, writer, out, source, shard); err != nil {
				return nil, err
			}
			if progress != nil {
				progress(shard.Episodes.Rows)
			}
		}
	}
	m.Episodes, m.Complete = writer.Manifest().Episodes(), writer.Manifest().Complete
	return m, nil
}

// mixed returns an error unless two data sets are of one run.
func mixed(there, here string, a, b *dataset.Settings) error {
	if a.Digest != b.Digest {
		return fmt.Errorf("%w: the rules of %s are %s, those of %s are %s", ErrMixed, there, a.Variant, here, b.Variant)
	}
	if err := a.Differs(b); err != nil {
		return fmt.Errorf("%w: %s and %s: %w", ErrMixed, there, here, err)
	}
	return nil
}

// add adds the jobs of a shard that the data set lacks, and compares the others.
func (m *Merged) add(ctx context.Context, writer *parquetio.Writer, out string, source *parquetio.Reader, shard *dataset.Shard) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := source.CheckShard(ctx, shard); err != nil {
		return fmt.Errorf("%s: %w", source.Dir(), err)
	}
	missing := shard.Jobs.Without(writer.Manifest().Jobs())
	if known := shard.Jobs.Without(missing); known.Len() > 0 {
		if err := sameJobs(parquetio.NewReader(out, writer.Manifest()), source, shard, known); err != nil {
			return err
		}
		m.Known += known.Len()
	}
	if missing.Len() == 0 {
		return nil
	}
	if _, err := writer.Commit(slices.Collect(missing.All()), only(source.Shard(shard), missing, &m.Settings)); err != nil {
		return fmt.Errorf("%s: %w", source.Dir(), err)
	}
	m.Jobs, _ = m.Jobs.Union(missing) // it has none of them
	return nil
}

// sameJobs returns a fault unless jobs of a shard have the same episodes in the data set.
func sameJobs(merged, source *parquetio.Reader, shard *dataset.Shard, jobs dataset.Jobs) error {
	settings := &source.Manifest().Settings
	want := map[int64]string{}
	for i := range merged.Manifest().Shards {
		there := &merged.Manifest().Shards[i]
		both := there.Jobs.Without(there.Jobs.Without(jobs))
		if both.Len() == 0 {
			continue
		}
		for ep, err := range only(merged.Shard(there), both, settings) {
			if err != nil {
				return fmt.Errorf("%s: %w", merged.Dir(), err)
			}
			want[ep.Number] = digestOf(ep)
		}
	}
	for ep, err := range only(source.Shard(shard), jobs, settings) {
		if err != nil {
			return fmt.Errorf("%s: %w", source.Dir(), err)
		}
		if found := digestOf(ep); found != want[ep.Number] {
			return fmt.Errorf("%s: %w", source.Dir(), &dataset.Fault{
				File: shard.Episodes.Name, Episode: ep.Number, Ply: dataset.None, What: "digest of the episode",
				Found: found, Want: want[ep.Number] + ", that of the same episode in " + merged.Dir(),
			})
		}
	}
	return nil
}

func digestOf(ep *dataset.Episode) string {
	var d dataset.Digest
	d.Add(ep)
	return d.String()
}
