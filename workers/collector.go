package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// CollectorConfig configures [Collect].
type CollectorConfig struct {
	Queue queue.Collector
	Dir   string // of the data set; created when it does not exist
	Run   string // id of the run, whose settings the queue has
	// Share is the part of the run that this collector writes, beside others that write
	// the rest into the same folder; the zero Share is all of it.
	Share queue.Share
	// Trust skips the replay of results and the audits: false results of a worker enter
	// the data set unless they cannot be read.
	Trust  bool
	Meter  Meter
	Log    *slog.Logger
	Status func(queue.Progress) // called when the progress changes; may be nil
	// Episode, unless nil, sees each episode when it is written, from one
	// goroutine. It must not keep the episode. It sees the episodes of a shard
	// again when a damaged result prevented the shard from being written.
	Episode func(*dataset.Episode)
	Tuning  Tuning
}

// ErrCancelled is wrapped by the errors of the roles of a run that an operator has
// cancelled.
var ErrCancelled = errors.New("the run was cancelled")

// Collect writes the results of a run into its data set until each job is in the data set
// or is a dead letter, or until ctx is done or the run is cancelled. Then it still writes
// the whole jobs that have arrived. After the last job, it stays until the coordinator has
// retired the run, Tuning.Settle at most. It locks the folder, and shares the lock with the
// collectors of other shares. Its progress and report are those of its share.
//
// It returns a *DeadJobsError when the run ends with dead letters, an error that wraps the
// cause of ctx when it is stopped, and one that wraps ErrCancelled.
func Collect(ctx context.Context, cfg CollectorConfig) (report Report, err error) {
	if err := cfg.Share.Validate(); err != nil {
		return Report{}, fmt.Errorf("collector: %w", err)
	}
	settings, unknown := cfg.Queue.Settings(ctx, cfg.Run)
	if errors.Is(unknown, queue.ErrNoRun) {
		settings = writtenSettings(cfg.Dir, cfg.Run)
	}
	if settings == nil {
		return Report{}, fmt.Errorf("collector: %w", unknown)
	}
	acquire := dataset.AcquireLock
	if cfg.Share.Of > 1 {
		acquire = dataset.AcquireSharedLock
	}
	lock, err := acquire(cfg.Dir)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	c, err := newCollector(lock, settings, cfg)
	if err != nil {
		return Report{}, err
	}
	if unknown != nil {
		if c.complete() {
			return c.report(), nil
		}
		return c.report(), fmt.Errorf("collector: %w; its data set in %s is not complete", unknown, cfg.Dir)
	}
	if err := c.begin(ctx); err != nil {
		return c.report(), fmt.Errorf("collector of run %s: %w", c.Run, err)
	}
	c.stays = true
	err = c.collect(ctx)
	return c.report(), err
}

// writtenSettings returns the settings of the data set of a run in a folder, or nil.
func writtenSettings(dir, run string) *dataset.Settings {
	m, err := dataset.Load(dir)
	if err != nil || m.Run != run {
		return nil
	}
	return &m.Settings
}

// collector belongs to one goroutine.
type collector struct {
	CollectorConfig
	settings *dataset.Settings
	writer   *parquetio.Writer
	inbox    queue.Inbox
	bag      mailbag      // what is received from the inbox
	jobs     dataset.Jobs // of the share that are in the data set
	dead     *deadFile
	end      int64 // number of jobs of the run, −1 until it is decided
	before   int64 // episodes in the data set at the start

	arrivals  arrivals
	order     *order    // nil means that jobs are written as they arrive
	since     time.Time // when the first of the ready jobs became ready
	published queue.Progress
	speed     rate
	slowLook  time.Time // when the last look at what changes seldom was
	stays     bool      // at the end, until the run is retired
	cancelled bool

	checkers     *checkers // nil if the workers are trusted
	reproducible bool      // the plan and a number decide an episode alone
	workers      map[string]bool
	quarantined  map[string]bool // by this collector
	failures     map[int64]int   // results that could not be used, by job
}

// newCollector opens the data set in the folder that lock holds. The caller may set
// the queue later.
func newCollector(lock *dataset.Lock, settings *dataset.Settings, cfg CollectorConfig) (_ *collector, err error) {
	cfg.Run, cfg.Meter, cfg.Log, cfg.Tuning = settings.Run(), metered(cfg.Meter), orSilent(cfg.Log), cfg.Tuning.withDefaults()
	c := &collector{
		CollectorConfig: cfg, settings: settings, end: settings.Jobs(), arrivals: arrivals{jobs: map[int64]*arrived{}},
		workers: map[string]bool{}, quarantined: map[string]bool{}, failures: map[int64]int{},
	}
	if !cfg.Trust {
		if c.checkers, err = newCheckers(settings); err != nil {
			return nil, err
		}
		// Where this machine lacks an agent, it cannot decide between two workers.
		plan, err := selfplay.Open(settings, nil)
		c.reproducible = err == nil && plan.Reproducible()
	}
	if c.writer, err = parquetio.OpenWriter(lock, settings); err != nil {
		return nil, err
	}
	if c.jobs, err = c.share(c.writer.Manifest().Jobs()); err != nil {
		return nil, err
	}
	c.before = c.written().Episodes
	if c.dead, err = openDeadFile(cfg.Dir, c.jobs, c.Share); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *collector) report() Report {
	report := c.written()
	report.Dir, report.Run, report.Complete, report.Before, report.Dead = c.Dir, c.Run, c.complete(), c.before, c.dead.list()
	return report
}

// complete reports whether every job of the share is in the data set.
func (c *collector) complete() bool { return c.end >= 0 && c.jobs.Below(c.end) == c.below(c.end) }

// begin opens the inbox and publishes what is in the data set.
func (c *collector) begin(ctx context.Context) (err error) {
	if c.inbox, err = c.Queue.Collect(ctx, c.Run, c.Share); err != nil {
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
	c.slowLook = time.Now()
	lasting, cancel := lingering(ctx, c.Tuning.Grace)
	c.bag = c.open(lasting)
	var err error
	for again := true; again && err == nil; {
		err = c.receive(ctx, lasting)
		again = c.ended()
		if err == nil {
			err = c.commit(lasting)
		}
		again = again && !c.ended() // a result is found to be false only now, and is played again
	}
	ended := c.ended()
	if ended && err == nil && c.stays {
		err = c.awaitRetirement(ctx)
	}
	if fault := c.inbox.Close(); !ended || !errors.Is(fault, queue.ErrNoRun) { // the coordinator may have forgotten it
		err = errors.Join(err, fault)
	}
	cancel()
	if c.checkers != nil {
		c.checkers.group.Wait()
	}
	switch {
	case err != nil:
		return fmt.Errorf("collector of run %s: %w", c.Run, err)
	case !ended && c.cancelled:
		return fmt.Errorf("collector of run %s: %w with %d episodes in %s", c.Run, ErrCancelled, c.written().Episodes, c.Dir)
	case !ended:
		return fmt.Errorf("stopped with %d episodes in %s: %w", c.written().Episodes, c.Dir, context.Cause(ctx))
	case c.dead.list().Below(c.end) > 0 && (c.order == nil || !c.order.over):
		return &DeadJobsError{Dir: c.Dir, Jobs: c.dead.list()}
	}
	return nil
}

// makeReady lets a job be written with one of its results.
func (c *collector) makeReady(ctx context.Context, number int64, r *result) error {
	c.arrivals.choose(number, r)
	c.dead.forget(number) // another worker has played it after all
	delete(c.failures, number)
	if c.since.IsZero() {
		c.since = time.Now()
	}
	if c.order != nil {
		err := c.order.advance(&c.arrivals, c.jobs, c.settings)
		if bad := (*falseResultError)(nil); errors.As(err, &bad) {
			err = c.refuseReady(ctx, bad)
		}
		if err != nil {
			return err
		}
	}
	if c.arrivals.ready.Plies >= c.Tuning.ShardPlies || c.arrivals.bytes >= c.Tuning.ShardBytes {
		return c.commit(ctx)
	}
	return nil
}

// refuseReady refuses a result that was made ready.
func (c *collector) refuseReady(ctx context.Context, bad *falseResultError) error {
	job := c.arrivals.jobs[bad.job]
	chosen := job.chosen
	c.arrivals.count(chosen, -1)
	job.chosen = nil
	return c.refuse(ctx, bad.job, chosen, bad.err)
}

// takeDead files a dead letter, unless the job's result has arrived otherwise.
func (c *collector) takeDead(ctx context.Context, in queue.Arrival) error {
	job := in.Dead.Job
	if held := c.arrivals.jobs[job]; c.jobs.Has(job) || c.quarantined[in.Dead.Worker] || held != nil && held.hasWhole() {
		in.Ack()
		return nil
	}
	return c.file(ctx, in.Dead, append(c.arrivals.remove(job), in.Ack))
}

// bury makes a dead letter of a job whose results cannot be used.
func (c *collector) bury(ctx context.Context, number int64, worker string, cause error, deliveries int) error {
	first, count := c.settings.Job(number)
	letter := &queue.DeadLetter{
		Run: c.Run, Job: number, First: first, Count: count,
		Error: cause.Error(), Worker: worker, Deliveries: deliveries,
	}
	c.Meter.JobDead()
	return c.file(ctx, letter, c.arrivals.remove(number))
}

// file writes a dead letter, publishes it, and only then acknowledges.
func (c *collector) file(ctx context.Context, letter *queue.DeadLetter, acks []func()) error {
	if err := c.dead.save(letter); err != nil {
		return err
	}
	c.Log.Error("a job became a dead letter", "run", c.Run, "job", letter.Job, "error", letter.Error, "file", DeadLetterPath(c.Dir, letter.Job))
	return c.publishAndAck(ctx, acks)
}
