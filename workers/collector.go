package workers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// Collect writes the results of a run into its data set until all its jobs are
// there or dead letters, or ctx is done; what has arrived whole is then written.
// It locks the folder.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps ctx's cause when it is stopped.
func Collect(ctx context.Context, cfg CollectorConfig) (report Report, err error) {
	settings, err := cfg.Queue.Settings(ctx, cfg.Run)
	if err != nil {
		return Report{}, fmt.Errorf("collector: %w", err)
	}
	lock, err := dataset.AcquireLock(cfg.Dir)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	c, err := newCollector(lock, settings, cfg)
	if err != nil {
		return Report{}, err
	}
	if err := c.begin(ctx); err != nil {
		return c.report(), fmt.Errorf("collector of run %s: %w", c.Run, err)
	}
	err = c.collect(ctx)
	return c.report(), err
}

// collector belongs to one goroutine.
type collector struct {
	CollectorConfig
	meter  Meter
	log    *slog.Logger
	writer *parquetio.Writer
	inbox  Inbox
	jobs   dataset.Jobs // in the data set
	dead   map[int64]bool
	end    int64 // number of jobs of the run, −1 while it is not settled
	before int64 // episodes that were there when it began

	arrivals arrivals
	order    *order    // nil: jobs are written as they come
	since    time.Time // when the first of the whole jobs became whole
	told     Progress  // published last
}

// newCollector opens the data set in the folder that lock holds. cfg.Queue may
// be set later.
func newCollector(lock *dataset.Lock, settings *dataset.Settings, cfg CollectorConfig) (*collector, error) {
	c := &collector{
		CollectorConfig: cfg,
		meter:           metered(cfg.Meter),
		log:             orSilent(cfg.Log),
		dead:            map[int64]bool{},
		end:             settings.Jobs(),
		arrivals:        arrivals{jobs: map[int64]*arrived{}},
	}
	c.Tuning = c.Tuning.withDefaults()
	var err error
	if c.writer, err = parquetio.OpenWriter(lock, settings); err != nil {
		return nil, err
	}
	manifest := c.writer.Manifest()
	for _, shard := range manifest.Shards {
		if c.jobs, err = c.jobs.Union(shard.Jobs); err != nil {
			return nil, fmt.Errorf("%s: %w", cfg.Dir, err)
		}
	}
	c.before = manifest.Episodes()
	letters, err := DeadLetters(cfg.Dir)
	if err != nil {
		return nil, err
	}
	for _, letter := range letters {
		if c.jobs.Has(letter.Job) {
			if err := removeDeadLetter(cfg.Dir, letter.Job); err != nil {
				return nil, err
			}
			continue
		}
		c.dead[letter.Job] = true
	}
	return c, nil
}

func (c *collector) report() Report {
	m := c.writer.Manifest()
	return Report{
		Dir: c.Dir, Run: c.Run, Complete: c.complete(),
		Before: c.before, Episodes: m.Episodes(), Plies: m.Steps(), Shards: int64(len(m.Shards)), Bytes: m.Bytes(),
		Dead: c.deadJobs(),
	}
}

// complete reports whether every job of the run is in the data set.
func (c *collector) complete() bool { return c.end >= 0 && c.jobs.Below(c.end) == c.end }

func (c *collector) deadJobs() dataset.Jobs {
	jobs, err := dataset.JobsOf(slices.Collect(maps.Keys(c.dead))...)
	if err != nil {
		return dataset.Jobs{} // the keys of a map differ, and no letter of a negative job is taken in
	}
	return jobs
}

// begin opens the inbox and tells what is in the data set.
func (c *collector) begin(ctx context.Context) (err error) {
	if c.inbox, err = c.Queue.Collect(ctx, c.Run); err != nil {
		return err
	}
	if err := c.tell(ctx); err != nil {
		return errors.Join(err, c.inbox.Close())
	}
	return nil
}

// collect takes results in, after begin, until the run has ended or ctx is done.
func (c *collector) collect(ctx context.Context) error {
	c.meter.Ready(nil)
	lasting, cancel := lingering(ctx, c.Tuning.Grace)
	err := c.receive(ctx, lasting)
	ended := c.ended()
	if err == nil {
		err = c.commit(lasting)
	}
	err = errors.Join(err, c.inbox.Close())
	cancel()
	switch {
	case err != nil:
		return fmt.Errorf("collector of run %s: %w", c.Run, err)
	case !ended:
		return fmt.Errorf("stopped with %d episodes in %s: %w", c.writer.Manifest().Episodes(), c.Dir, context.Cause(ctx))
	case c.deadJobs().Below(c.end) > 0 && (c.order == nil || !c.order.over):
		return &DeadJobsError{Dir: c.Dir, Jobs: c.deadJobs()}
	}
	return nil
}

// receive returns when the run has ended, or ctx is done and what was on its
// way is here, or lasting is done.
func (c *collector) receive(ctx, lasting context.Context) error {
	next, done := make(chan Arrival), make(chan error, 1)
	go func() {
		for {
			arrival, err := c.inbox.Next(lasting)
			if err != nil {
				done <- err
				return
			}
			select {
			case next <- arrival:
			case <-lasting.Done():
				return
			}
		}
	}()
	tick := time.NewTicker(c.Tuning.Tick)
	defer tick.Stop()
	for !c.ended() {
		select {
		case arrival := <-next:
			if err := c.take(lasting, arrival); err != nil {
				return err
			}
		case err := <-done:
			if lasting.Err() != nil {
				return nil
			}
			return err
		case <-lasting.Done():
			return nil
		case <-tick.C:
			if err := c.look(lasting); err != nil {
				return err
			}
			if ctx.Err() == nil {
				continue
			}
			if drained, err := c.drained(lasting); drained || err != nil {
				return err
			}
		}
	}
	return nil
}

// ended reports whether every job of the run is settled once what is whole is
// in the data set.
func (c *collector) ended() bool {
	if c.end < 0 || c.jobs.Len()+int64(len(c.dead))+c.arrivals.whole < c.end {
		return false
	}
	// There may be jobs above the end, of an earlier time when more were wanted.
	settled := c.jobs.Below(c.end) + c.deadJobs().Below(c.end)
	for number, job := range c.arrivals.jobs {
		if job.whole && number < c.end {
			settled++
		}
	}
	return settled >= c.end
}

// drained reports whether everything that waits for the collector is in its hands.
func (c *collector) drained(ctx context.Context) (bool, error) {
	queued, err := c.Queue.Queued(ctx, c.Run)
	if err != nil {
		return false, err
	}
	var held int64
	for _, job := range c.arrivals.jobs {
		held += int64(len(job.acks))
	}
	return queued.Messages <= held, nil
}

// take takes one arrival in.
func (c *collector) take(ctx context.Context, in Arrival) error {
	if number := in.number(); !c.hasJob(number) {
		c.log.Warn("the queue holds a result that is none of this run", "run", c.Run, "job", number)
		in.Ack()
		return nil
	}
	if in.Dead != nil {
		return c.takeDead(ctx, in)
	}
	job := in.Part.Job
	if c.jobs.Has(job) {
		c.meter.PartDropped()
		in.Ack()
		return nil
	}
	whole, err := c.arrivals.add(in.Part, in.Ack)
	if err != nil {
		return c.bury(ctx, job, err)
	}
	if !whole {
		return nil
	}
	delete(c.dead, job) // somebody has done it after all
	if c.since.IsZero() {
		c.since = time.Now()
	}
	if c.order != nil {
		if err := c.advance(ctx); err != nil {
			return err
		}
	}
	if c.arrivals.plies >= c.Tuning.ShardPlies || c.arrivals.bytes >= c.Tuning.ShardBytes {
		return c.commit(ctx)
	}
	return nil
}

func (c *collector) hasJob(number int64) bool {
	_, count := c.writer.Manifest().Settings.Job(number)
	return number >= 0 && count > 0
}

// commit writes what is whole into the data set, tells of it, and only then
// acknowledges it.
func (c *collector) commit(ctx context.Context) error {
	for {
		var numbers []int64
		for number, job := range c.arrivals.jobs {
			if job.whole && c.writable(number) {
				numbers = append(numbers, number)
			}
		}
		if len(numbers) == 0 {
			break
		}
		slices.Sort(numbers)
		settings := &c.writer.Manifest().Settings
		shard, err := c.writer.Commit(numbers, watched(c.arrivals.read(settings, numbers), c.Episode))
		var bad *badResultError
		if errors.As(err, &bad) {
			if err := c.bury(ctx, bad.job, bad.err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := c.committed(ctx, &shard); err != nil {
			return err
		}
	}
	c.since = time.Time{}
	return nil
}

// watched shows episodes to watch, unless it is nil, on their way.
func watched(episodes iter.Seq2[*dataset.Episode, error], watch func(*dataset.Episode)) iter.Seq2[*dataset.Episode, error] {
	if watch == nil {
		return episodes
	}
	return func(yield func(*dataset.Episode, error) bool) {
		for ep, err := range episodes {
			if err == nil {
				watch(ep)
			}
			if !yield(ep, err) {
				return
			}
		}
	}
}

func (c *collector) committed(ctx context.Context, shard *dataset.Shard) (err error) {
	if c.jobs, err = c.jobs.Union(shard.Jobs); err != nil {
		return err
	}
	c.meter.ShardCommitted(shard.Episodes.Rows, shard.Steps.Rows, shard.Episodes.Bytes+shard.Steps.Bytes)
	c.log.Debug("shard written", "run", c.Run, "shard", shard.Number, "episodes", shard.Episodes.Rows, "plies", shard.Steps.Rows)
	var acks []func()
	for number := range shard.Jobs.All() {
		acks = append(acks, c.arrivals.remove(number)...)
		if err := removeDeadLetter(c.Dir, number); err != nil {
			return err
		}
	}
	if err := c.tell(ctx); err != nil {
		return err
	}
	for _, ack := range acks {
		ack()
	}
	return nil
}

// look does what is due by the clock.
func (c *collector) look(ctx context.Context) (err error) {
	if c.writer.Manifest().Settings.Jobs() < 0 {
		if c.end, err = c.Queue.End(ctx, c.Run); err != nil {
			return err
		}
	}
	if c.arrivals.whole > 0 && time.Since(c.since) >= c.Tuning.ShardAfter {
		return c.commit(ctx)
	}
	if c.told.Arrived != c.arrived() {
		return c.tell(ctx)
	}
	return nil
}

func (c *collector) arrived() Arrived {
	return Arrived{Jobs: c.arrivals.whole, Episodes: c.arrivals.episodes, Plies: c.arrivals.plies}
}

// tell publishes the progress.
func (c *collector) tell(ctx context.Context) error {
	m := c.writer.Manifest()
	c.told = Progress{
		Run: c.Run, Jobs: c.jobs, Dead: c.deadJobs(),
		Episodes: m.Episodes(), Plies: m.Steps(), Bytes: m.Bytes(), Shards: int64(len(m.Shards)),
		Arrived: c.arrived(),
	}
	if c.Status != nil {
		c.Status(c.told)
	}
	return c.Queue.PutProgress(ctx, &c.told)
}
