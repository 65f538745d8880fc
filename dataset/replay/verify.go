package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// A Report describes a data set that was verified.
type Report struct {
	Manifest *dataset.Manifest // nil if it is missing or damaged
	Episodes int64             // verified, without those of faulty files
	Plies    int64
	// ContentDigest is the digest of a data set without faults (see dataset.Digest). It is
	// empty if the episodes were not read.
	ContentDigest string
	// Leftovers are files that a writer is working on or has left after a crash (see
	// parquetio.Survey). They are not faults.
	Leftovers []string
}

// Verify verifies a data set: the manifest lists each file of a shard, each file has the
// size, SHA-256, run and settings in the manifest, the episodes of each job occur exactly
// once, and each episode passes Replayer.Check. It uses the given number of goroutines,
// each of which works on one shard at a time. progress, if not nil, is called from any of
// them with the number of episodes verified since the last call.
//
// If the data are faulty, Verify returns a report and dataset.Faults in the order of
// files, shards and episodes: each faulty file once, and each faulty episode of the other
// files with its first fault. Any other error means that the data set was not verified: the
// folder is not a data set (dataset.ErrNoDataSet), the program does not know the rules, a
// file cannot be read, or ctx is done.
func Verify(ctx context.Context, dir string, goroutines int, progress func(episodes int64)) (*Report, error) {
	return verify(ctx, dir, goroutines, progress, true)
}

// VerifyFiles verifies a data set like Verify, but without its episodes.
func VerifyFiles(ctx context.Context, dir string, goroutines int) (*Report, error) {
	return verify(ctx, dir, goroutines, nil, false)
}

func verify(ctx context.Context, dir string, goroutines int, progress func(int64), content bool) (*Report, error) {
	survey, err := parquetio.Look(dir)
	if err != nil {
		return nil, err
	}
	report := &Report{Manifest: survey.Manifest, Leftovers: survey.Leftovers}
	faults := survey.Faults
	if survey.Manifest != nil {
		checked, err := CheckShards(ctx, parquetio.NewReader(dir, survey.Manifest), goroutines, progress, content)
		if err != nil {
			return nil, err
		}
		var digest dataset.Digest
		for i := range checked {
			faults = append(faults, checked[i].Faults...)
			if fault := checked[i].Misplaced; fault != nil {
				faults = append(faults, fault)
			}
			report.Episodes += checked[i].Episodes
			report.Plies += checked[i].Plies
			digest.Merge(&checked[i].Digest)
		}
		if content {
			report.ContentDigest = digest.String()
		}
	}
	if len(faults) > 0 {
		report.ContentDigest = ""
		return report, faults
	}
	return report, nil
}

// A CheckedShard is the result of checking a shard.
type CheckedShard struct {
	// Unreadable says that a file is damaged or that a row contradicts itself, so that the
	// episodes of the shard cannot be trusted.
	Unreadable bool
	Faults     dataset.Faults // in files and episodes
	// Misplaced is the first episode that is not where the manifest puts it, or nil.
	Misplaced *dataset.Fault
	Episodes  int64 // without faults
	Plies     int64
	Digest    dataset.Digest
	// Sound are the jobs whose episodes follow each other in the shard and have no fault.
	// They need not be those of the manifest.
	Sound dataset.Jobs
}

// CheckShards checks the shards of a data set and returns the results in their order. With
// content, it reads and replays the episodes.
func CheckShards(ctx context.Context, reader *parquetio.Reader, goroutines int, progress func(int64), content bool) ([]CheckedShard, error) {
	settings := &reader.Manifest().Settings
	c := &shardChecker{reader: reader, progress: progress, results: make([]CheckedShard, len(reader.Manifest().Shards))}
	group, ctx := errgroup.WithContext(ctx)
	if content {
		if _, err := New(settings); err != nil {
			return nil, fmt.Errorf("%s: %w", reader.Dir(), err)
		}
	}
	for range max(1, goroutines) {
		group.Go(func() error {
			var replayer *Replayer
			if content {
				var err error
				if replayer, err = New(settings); err != nil {
					return err
				}
			}
			for {
				i := c.next.Add(1) - 1
				if i >= int64(len(c.results)) {
					return nil
				}
				if err := c.check(ctx, replayer, &reader.Manifest().Shards[i], &c.results[i]); err != nil {
					return err
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return c.results, nil
}

// A shardChecker distributes the shards of a data set among goroutines.
type shardChecker struct {
	reader   *parquetio.Reader
	progress func(int64)
	next     atomic.Int64 // shard
	results  []CheckedShard
}

// check checks a shard. replayer is nil if its episodes need not be read.
func (c *shardChecker) check(ctx context.Context, replayer *Replayer, shard *dataset.Shard, r *CheckedShard) error {
	if err := r.note(c.reader.CheckShard(ctx, shard)); err != nil || r.Unreadable || replayer == nil {
		return err
	}
	wanted, stop := iter.Pull(c.reader.Manifest().Settings.Numbers(shard.Jobs))
	defer stop()
	const tick = 64
	seen := int64(0)
	jobs := soundJobs{settings: &c.reader.Manifest().Settings}
	for ep, err := range c.reader.Shard(shard) {
		if err != nil {
			return r.note(err)
		}
		if seen++; seen%tick == 0 {
			c.tell(tick)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if want, ok := wanted(); r.Misplaced == nil && (!ok || ep.Number != want) {
			r.Misplaced = misplaced(shard, ep.Number, want, ok)
		}
		if err := c.episode(replayer, ep); err != nil {
			var fault *dataset.Fault
			if !errors.As(err, &fault) {
				return err
			}
			jobs.add(ep.Number, false)
			r.Faults = append(r.Faults, inFile(shard, fault))
			continue
		}
		jobs.add(ep.Number, true)
		r.Digest.Add(ep)
		r.Plies += int64(ep.Plies())
		r.Episodes++
	}
	if want, missing := wanted(); missing && r.Misplaced == nil {
		r.Misplaced = misplaced(shard, dataset.None, want, true)
	}
	c.tell(seen % tick)
	r.Sound = jobs.sound
	return nil
}

// soundJobs finds the jobs whose episodes follow each other and are all true.
type soundJobs struct {
	settings *dataset.Settings
	next     int64 // episode
	left     int64 // episodes of the current job, 0 if it has ended or is not sound
	job      int64
	sound    dataset.Jobs
}

func (j *soundJobs) add(number int64, ok bool) {
	if j.left == 0 || number != j.next {
		j.left = 0
		if number < 0 || number%j.settings.JobEpisodes != 0 {
			return // in the middle of a job
		}
		j.job = number / j.settings.JobEpisodes
		if j.next, j.left = j.settings.Job(j.job); j.left < 1 {
			j.left = 0
			return // after the end of the run
		}
	}
	if !ok {
		j.left = 0
		return
	}
	j.next++
	if j.left--; j.left == 0 && !j.sound.Append(j.job) {
		again, _ := dataset.JobsOf(j.job)
		j.sound = j.sound.Without(again) // it occurs twice, or not in order
	}
}

// note records the faults of a file. Any other error is returned.
func (r *CheckedShard) note(err error) error {
	var faults dataset.Faults
	var fault *dataset.Fault
	switch {
	case errors.As(err, &faults):
		r.Faults = append(r.Faults, faults...)
	case errors.As(err, &fault):
		r.Faults = append(r.Faults, fault)
	default:
		return err
	}
	r.Unreadable = true
	return nil
}

func (c *shardChecker) episode(replayer *Replayer, ep *dataset.Episode) error {
	if run := c.reader.Manifest().Run; ep.Run != run {
		return &dataset.Fault{Episode: ep.Number, Ply: dataset.None, What: "run", Found: ep.Run, Want: run}
	}
	return replayer.Check(ep)
}

func (c *shardChecker) tell(episodes int64) {
	if c.progress != nil && episodes > 0 {
		c.progress(episodes)
	}
}

// misplaced returns the fault of an episode that is not the next one of the shard's
// jobs.
func misplaced(shard *dataset.Shard, found, want int64, more bool) *dataset.Fault {
	fault := &dataset.Fault{File: shard.Episodes.Name, Episode: found, Ply: dataset.None, What: "number of the episode",
		Found: fmt.Sprint(found), Want: fmt.Sprintf("%d, the next of jobs %s", want, shard.Jobs)}
	if found == dataset.None {
		fault.Found = "missing"
	}
	if !more {
		fault.Want = fmt.Sprintf("none, because jobs %s have no more", shard.Jobs)
	}
	return fault
}

// inFile sets the file of a fault in an episode of a shard.
func inFile(shard *dataset.Shard, fault *dataset.Fault) *dataset.Fault {
	fault.File = shard.Episodes.Name
	if fault.Ply != dataset.None {
		fault.File = shard.Steps.Name
	}
	return fault
}
