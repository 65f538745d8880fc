package mend

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A Selection says which jobs Drop takes out.
type Selection struct {
	Worker string       // jobs with an episode that this worker played; empty means none
	Jobs   dataset.Jobs // these jobs
	DryRun bool         // change nothing
}

// A Dropped describes what Drop has done to a data set, or with Selection.DryRun what it
// would do.
type Dropped struct {
	Dir      string
	Settings dataset.Settings
	Jobs     dataset.Jobs // taken out
	Shards   []int64      // numbers of the shards that had them
	// Missing are the jobs of the run that the data set lacks; see Repaired.
	Missing dataset.Jobs
}

// Episodes returns the number of episodes taken out.
func (d *Dropped) Episodes() int64 { return d.Settings.Count(d.Jobs) }

// Drop takes jobs out of a data set, so that they can be played again. A shard with other
// jobs is replaced by one with the rest, one shard after the other; the episodes that stay
// do not change.
//
// A selected job that the data set does not have is an error, and so is a worker that it
// does not name. A damaged shard is a dataset.Faults, and nothing changes.
func Drop(ctx context.Context, dir string, s Selection) (_ *Dropped, err error) {
	if _, err := dataset.Load(dir); err != nil {
		return nil, err
	}
	lock, err := dataset.AcquireLock(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	reader, err := parquetio.Open(dir)
	if err != nil {
		return nil, err
	}
	m := reader.Manifest()
	d := &Dropped{Dir: dir, Settings: m.Settings}
	drops, err := d.choose(ctx, reader, s)
	if err != nil {
		return nil, err
	}
	d.Missing = m.Settings.Missing(m.Jobs().Without(d.Jobs), m.Jobs().Max()+1)
	if s.DryRun {
		return d, nil
	}
	writer, err := parquetio.OpenWriter(lock, &m.Settings)
	if err != nil {
		return nil, err
	}
	for _, drop := range drops {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		rest := drop.shard.Jobs.Without(drop.jobs)
		if err := writer.Replace(drop.shard.Number, rest, only(reader.Shard(drop.shard), rest, &m.Settings)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// A drop is a shard with the jobs to be taken out of it.
type drop struct {
	shard *dataset.Shard
	jobs  dataset.Jobs
}

// choose finds the selected jobs, and checks the shards that have them.
func (d *Dropped) choose(ctx context.Context, reader *parquetio.Reader, s Selection) ([]drop, error) {
	m := reader.Manifest()
	if unknown := s.Jobs.Without(m.Jobs()); unknown.Len() > 0 {
		return nil, fmt.Errorf("%w: %s lacks jobs %s, has jobs %s", ErrSelection, d.Dir, unknown, m.Jobs())
	}
	var drops []drop
	named := s.Worker == ""
	for i := range m.Shards {
		shard := &m.Shards[i]
		jobs := shard.Jobs.Without(shard.Jobs.Without(s.Jobs)) // those in both
		if s.Worker != "" {
			played, err := jobsOf(reader, shard, s.Worker)
			if err != nil {
				return nil, err
			}
			named = named || played.Len() > 0
			if jobs, err = jobs.Union(played.Without(jobs)); err != nil {
				return nil, err
			}
		}
		if jobs.Len() == 0 {
			continue
		}
		if err := reader.CheckShard(ctx, shard); err != nil {
			return nil, err
		}
		drops = append(drops, drop{shard, jobs})
		d.Shards = append(d.Shards, shard.Number)
		d.Jobs, _ = d.Jobs.Union(jobs) // shards have different jobs
	}
	if !named {
		return nil, fmt.Errorf("%w: no episode of %s names worker %q", ErrSelection, d.Dir, s.Worker)
	}
	return drops, nil
}

// ErrSelection is wrapped by the error of Drop for jobs and workers that the data set does
// not have.
var ErrSelection = errors.New("nothing to take out")

// jobsOf returns the jobs of a shard with an episode that a worker played.
func jobsOf(reader *parquetio.Reader, shard *dataset.Shard, worker string) (jobs dataset.Jobs, err error) {
	var numbers []int64
	for p, err := range reader.Played(shard) {
		if err != nil {
			return jobs, err
		}
		if job := p.Episode / reader.Manifest().Settings.JobEpisodes; p.Worker == worker && !slices.Contains(numbers[max(0, len(numbers)-1):], job) {
			numbers = append(numbers, job)
		}
	}
	return dataset.JobsOf(numbers...)
}
