package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
)

// CollectorConfig configures [Collect].
type CollectorConfig struct {
	Queue  CollectorQueue
	Dir    string // of the data set; created when it does not exist
	Run    string // id of the run, whose settings the queue has
	Meter  Meter
	Log    *slog.Logger
	Status func(Progress) // called when the progress changes; may be nil
	// Episode, unless nil, sees each episode when it is written, from one
	// goroutine. It must not keep the episode. It sees the episodes of a shard
	// again when a damaged result prevented the shard from being written.
	Episode func(*dataset.Episode)
	Tuning  Tuning
}

// Collect writes the results of a run into its data set until each job is in the
// data set or is a dead letter, or until ctx is done. Then it still writes the
// whole jobs that have arrived. It locks the folder.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps the cause of ctx when it is stopped.
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
	settings *dataset.Settings
	writer   *parquetio.Writer
	inbox    Inbox
	jobs     dataset.Jobs // in the data set
	dead     *deadFile
	end      int64 // number of jobs of the run, −1 until it is decided
	before   int64 // episodes in the data set at the start

	arrivals  arrivals
	order     *order    // nil means that jobs are written as they arrive
	since     time.Time // when the first of the whole jobs became whole
	published Progress  // last
}

// newCollector opens the data set in the folder that lock holds. The caller may set
// the queue later.
func newCollector(lock *dataset.Lock, settings *dataset.Settings, cfg CollectorConfig) (_ *collector, err error) {
	cfg.Run, cfg.Meter, cfg.Log, cfg.Tuning = settings.Run(), metered(cfg.Meter), orSilent(cfg.Log), cfg.Tuning.withDefaults()
	c := &collector{
		CollectorConfig: cfg, settings: settings, end: settings.Jobs(), arrivals: arrivals{jobs: map[int64]*arrived{}},
	}
	if c.writer, err = parquetio.OpenWriter(lock, settings); err != nil {
		return nil, err
	}
	manifest := c.writer.Manifest()
	c.jobs, c.before = manifest.Jobs(), manifest.Episodes()
	if c.dead, err = openDeadFile(cfg.Dir, c.jobs); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *collector) report() Report {
	m := c.writer.Manifest()
	return Report{
		Dir: c.Dir, Run: c.Run, Complete: c.complete(),
		Before: c.before, Episodes: m.Episodes(), Plies: m.Steps(), Shards: int64(len(m.Shards)), Bytes: m.Bytes(),
		Dead: c.dead.list(),
	}
}

// complete reports whether every job of the run is in the data set.
func (c *collector) complete() bool { return c.end >= 0 && c.jobs.Below(c.end) == c.end }

// begin opens the inbox and publishes what is in the data set.
func (c *collector) begin(ctx context.Context) (err error) {
	if c.inbox, err = c.Queue.Collect(ctx, c.Run); err != nil {
		return err
	}
	if err := c.publish(ctx); err != nil {
		return errors.Join(err, c.inbox.Close())
	}
	return nil
}

// collect receives results, after begin, until the run has ended or ctx is done.
func (c *collector) collect(ctx context.Context) error {
	c.Meter.Ready(nil)
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
	case c.dead.list().Below(c.end) > 0 && (c.order == nil || !c.order.over):
		return &DeadJobsError{Dir: c.Dir, Jobs: c.dead.list()}
	}
	return nil
}

// receive returns when the run has ended, or ctx is done and what was under way
// has arrived, or lasting is done.
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

// ended reports whether no job of the run is missing any more once the whole jobs
// are in the data set.
func (c *collector) ended() bool {
	if c.end < 0 || c.jobs.Len()+int64(len(c.dead.jobs))+c.arrivals.whole.Jobs < c.end {
		return false
	}
	// There may be jobs above the end, of an earlier call that wanted more.
	finished := c.jobs.Below(c.end) + c.dead.list().Below(c.end)
	for number, job := range c.arrivals.jobs {
		if job.whole && number < c.end {
			finished++
		}
	}
	return finished >= c.end
}

// drained reports whether the collector holds everything that waits for it.
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

// take handles one arrival.
func (c *collector) take(ctx context.Context, in Arrival) error {
	if number := in.number(); !c.hasJob(number) {
		c.Log.Warn("a result in the queue belongs to no job of the run", "run", c.Run, "job", number)
		in.Ack()
		return nil
	}
	if in.Dead != nil {
		return c.takeDead(ctx, in)
	}
	job := in.Part.Job
	if c.jobs.Has(job) {
		c.Meter.PartDropped()
		in.Ack()
		return nil
	}
	whole, err := c.arrivals.add(in.Part, in.Ack)
	if err != nil {
		return c.giveUp(ctx, &badResultError{job, err})
	}
	if !whole {
		return nil
	}
	delete(c.dead.jobs, job) // another worker has played it after all
	if c.since.IsZero() {
		c.since = time.Now()
	}
	if c.order != nil {
		err := c.order.advance(&c.arrivals, c.jobs, c.settings)
		if bad := (*badResultError)(nil); errors.As(err, &bad) {
			err = c.giveUp(ctx, bad)
		}
		if err != nil {
			return err
		}
	}
	if c.arrivals.whole.Plies >= c.Tuning.ShardPlies || c.arrivals.bytes >= c.Tuning.ShardBytes {
		return c.commit(ctx)
	}
	return nil
}

func (c *collector) hasJob(number int64) bool {
	_, count := c.settings.Job(number)
	return number >= 0 && count > 0
}

// takeDead files a dead letter, unless the job's result has arrived otherwise.
func (c *collector) takeDead(ctx context.Context, in Arrival) error {
	job := in.Dead.Job
	if held := c.arrivals.jobs[job]; c.jobs.Has(job) || held != nil && held.whole {
		in.Ack()
		return nil
	}
	return c.file(ctx, in.Dead, append(c.arrivals.remove(job), in.Ack))
}

// giveUp makes a dead letter of a job whose result cannot be used.
func (c *collector) giveUp(ctx context.Context, bad *badResultError) error {
	first, count := c.settings.Job(bad.job)
	letter := &DeadLetter{
		Run: c.Run, Job: bad.job, First: first, Count: count,
		Error: bad.Error(), Worker: c.arrivals.jobs[bad.job].worker, Deliveries: 1,
	}
	c.Meter.JobDead()
	return c.file(ctx, letter, c.arrivals.remove(bad.job))
}

// file writes a dead letter, publishes it, and only then acknowledges.
func (c *collector) file(ctx context.Context, letter *DeadLetter, acks []func()) error {
	if err := c.dead.save(letter); err != nil {
		return err
	}
	c.Log.Error("a job became a dead letter", "run", c.Run, "job", letter.Job, "error", letter.Error, "file", DeadLetterPath(c.Dir, letter.Job))
	return c.publishAndAck(ctx, acks)
}

// commit writes the whole jobs into the data set, publishes the progress, and only
// then acknowledges their parts.
func (c *collector) commit(ctx context.Context) error {
	for {
		var numbers []int64
		for number, job := range c.arrivals.jobs {
			if job.whole && (c.order == nil || number < c.order.next) {
				numbers = append(numbers, number)
			}
		}
		if len(numbers) == 0 {
			break
		}
		slices.Sort(numbers)
		shard, err := c.writer.Commit(numbers, c.arrivals.read(c.settings, numbers, c.Episode))
		if bad := (*badResultError)(nil); errors.As(err, &bad) {
			if err := c.giveUp(ctx, bad); err != nil {
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

// committed follows up a shard that is safe on disk.
func (c *collector) committed(ctx context.Context, shard *dataset.Shard) (err error) {
	if c.jobs, err = c.jobs.Union(shard.Jobs); err != nil {
		return err
	}
	c.Meter.ShardCommitted(shard.Episodes.Rows, shard.Steps.Rows, shard.Episodes.Bytes+shard.Steps.Bytes)
	c.Log.Debug("shard written", "run", c.Run, "shard", shard.Number, "episodes", shard.Episodes.Rows, "plies", shard.Steps.Rows)
	var acks []func()
	for number := range shard.Jobs.All() {
		acks = append(acks, c.arrivals.remove(number)...)
		if err := removeDeadLetter(c.Dir, number); err != nil {
			return err
		}
	}
	return c.publishAndAck(ctx, acks)
}

// look does what is due by the clock.
func (c *collector) look(ctx context.Context) (err error) {
	if c.settings.Jobs() < 0 {
		if c.end, err = c.Queue.End(ctx, c.Run); err != nil {
			return err
		}
	}
	if c.arrivals.whole.Jobs > 0 && time.Since(c.since) >= c.Tuning.ShardAfter {
		return c.commit(ctx)
	}
	if c.published.Arrived != c.arrivals.whole {
		return c.publish(ctx)
	}
	return nil
}

// publish publishes the progress.
func (c *collector) publish(ctx context.Context) error {
	m := c.writer.Manifest()
	c.published = Progress{
		Run: c.Run, Jobs: c.jobs, Dead: c.dead.list(),
		Episodes: m.Episodes(), Plies: m.Steps(), Bytes: m.Bytes(), Shards: int64(len(m.Shards)),
		Arrived: c.arrivals.whole,
	}
	if c.Status != nil {
		c.Status(c.published)
	}
	return c.Queue.PutProgress(ctx, &c.published)
}

func (c *collector) publishAndAck(ctx context.Context, acks []func()) error {
	if err := c.publish(ctx); err != nil {
		return err
	}
	for _, ack := range acks {
		ack()
	}
	return nil
}
