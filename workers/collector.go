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
// the whole jobs that have arrived. It locks the folder, and shares the lock with the
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

// A mailbag receives from an inbox on its own goroutine.
type mailbag struct {
	next chan queue.Arrival
	done chan error
}

func (c *collector) open(lasting context.Context) mailbag {
	inbox, b := c.inbox, mailbag{next: make(chan queue.Arrival), done: make(chan error, 1)}
	go func() {
		for {
			arrival, err := inbox.Next(lasting)
			if err != nil {
				b.done <- err
				return
			}
			select {
			case b.next <- arrival:
			case <-lasting.Done():
				return
			}
		}
	}()
	return b
}

// receive returns when the run has ended, or ctx is done or the run is cancelled and what
// was under way has arrived, or lasting is done.
func (c *collector) receive(ctx, lasting context.Context) error {
	tick := time.NewTicker(c.Tuning.Tick)
	defer tick.Stop()
	for !c.ended() {
		next := c.bag.next
		var answers chan func(context.Context) error
		if c.checkers != nil {
			answers = c.checkers.answers
			if c.checkers.busy() {
				next = nil
			}
		}
		select {
		case arrival := <-next:
			if err := c.take(lasting, arrival); err != nil {
				return err
			}
		case answer := <-answers:
			c.checkers.pending--
			if err := answer(lasting); err != nil {
				return err
			}
		case err := <-c.bag.done:
			if lasting.Err() != nil {
				return nil
			}
			if !errors.Is(err, queue.ErrNoRun) {
				return err
			}
			if err := c.reopen(lasting, err); err != nil {
				return err
			}
			c.bag = c.open(lasting)
		case <-lasting.Done():
			return nil
		case <-tick.C:
			if err := c.look(lasting); err != nil {
				return err
			}
			if ctx.Err() == nil && !c.cancelled {
				continue
			}
			if drained, err := c.drained(lasting); drained || err != nil {
				return err
			}
		}
	}
	return nil
}

// reopen waits until a run that the queue has lost is announced again.
func (c *collector) reopen(ctx context.Context, lost error) error {
	c.Log.Warn("the queue does not know the run any more; the collector waits for its coordinator", "run", c.Run)
	c.Meter.Ready(lost)
	for deadline := time.Now().Add(c.Tuning.Patience); ; {
		inbox, err := c.Queue.Collect(ctx, c.Run, c.Share)
		if err == nil {
			err = errors.Join(c.inbox.Close())
			c.inbox = inbox
			if errors.Is(err, queue.ErrNoRun) {
				err = nil
			}
			c.Meter.Ready(nil)
			return errors.Join(err, c.publish(ctx))
		}
		if !errors.Is(err, queue.ErrNoRun) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(c.Tuning.Scout):
		}
	}
}

// ended reports whether no job of the run is missing any more once the ready jobs
// are in the data set.
func (c *collector) ended() bool {
	if c.end < 0 {
		return false
	}
	wanted := c.below(c.end)
	if c.jobs.Len()+int64(len(c.dead.jobs))+c.arrivals.ready.Jobs < wanted {
		return false
	}
	if len(c.dead.jobs) > 0 && c.checkers != nil && c.checkers.pending > 0 {
		return false // the result of a dead job may be among those that are being checked
	}
	// There may be jobs above the end, of an earlier call that wanted more.
	finished := c.jobs.Below(c.end) + c.dead.list().Below(c.end)
	for number, job := range c.arrivals.jobs {
		if job.chosen != nil && number < c.end {
			finished++
		}
	}
	return finished >= wanted
}

// drained reports whether the collector holds everything that waits for it, and has
// checked it.
func (c *collector) drained(ctx context.Context) (bool, error) {
	queued, err := c.Queue.Queued(ctx, c.Run)
	if err != nil {
		return false, err
	}
	return c.received(&queued) && (c.checkers == nil || c.checkers.pending == 0), nil
}

// received reports whether the collector holds everything that waits for it. The number of
// messages is that of all shares, so the collector of one of several holds something of
// each job of which something waits.
func (c *collector) received(queued *queue.Queued) bool {
	if c.Share.Of > 1 {
		for job := range queued.Results {
			if c.Share.Has(job) && c.arrivals.jobs[job] == nil {
				return false
			}
		}
		return true
	}
	var held int64
	for _, job := range c.arrivals.jobs {
		held += int64(len(job.acks))
	}
	return queued.Messages <= held
}

// take handles one arrival.
func (c *collector) take(ctx context.Context, in queue.Arrival) error {
	number := in.Job()
	if !c.hasJob(number) {
		c.Log.Warn("a result in the queue is removed: it belongs to no job of the run", "run", c.Run, "job", number)
		in.Ack()
		return nil
	}
	switch {
	case in.Audit != nil:
		return c.takeAudit(ctx, in)
	case in.Dead != nil:
		return c.takeDead(ctx, in)
	case c.jobs.Has(number) || c.quarantined[in.Part.Worker]:
		c.Meter.PartDropped()
		in.Ack()
		return nil
	}
	whole, err := c.arrivals.add(in.Part, in.Ack)
	if err != nil {
		c.Log.Warn("a result is dropped", "run", c.Run, "job", number, "error", err)
		return c.failed(ctx, number, in.Part.Worker, err)
	}
	if whole == nil {
		return nil
	}
	return c.check(ctx, number, whole)
}

// maxAhead is more than a coordinator ever queues above the first job of a run without an
// end that is not finished.
const maxAhead = 1 << 16

func (c *collector) hasJob(number int64) bool {
	if !c.Share.Has(number) {
		return false
	}
	if !hasJob(c.settings, number) || c.settings.Jobs() >= 0 {
		return hasJob(c.settings, number)
	}
	known := c.jobs.Len() + int64(len(c.dead.jobs)+len(c.arrivals.jobs))
	return number < known*int64(max(1, c.Share.Of))+maxAhead
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

// commit writes the ready jobs into the data set, publishes the progress, and only
// then acknowledges their parts.
func (c *collector) commit(ctx context.Context) error {
	for {
		var numbers []int64
		for number, job := range c.arrivals.jobs {
			if job.chosen != nil && (c.order == nil || number < c.order.next) {
				numbers = append(numbers, number)
			}
		}
		if len(numbers) == 0 {
			break
		}
		slices.Sort(numbers)
		shard, err := c.writer.Commit(numbers, c.arrivals.read(c.settings, numbers, c.Episode))
		if bad := (*falseResultError)(nil); errors.As(err, &bad) {
			if err := c.refuseReady(ctx, bad); err != nil {
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
		if c.end, err = c.Queue.End(ctx, c.Run); err != nil && !errors.Is(err, queue.ErrNoRun) {
			return err
		}
	}
	now := time.Now()
	if since := now.Sub(c.slowLook); since >= c.Tuning.Scout {
		c.slowLook = now
		if err := c.lookSlowly(ctx, now, since); err != nil && !errors.Is(err, queue.ErrNoRun) {
			return err
		}
	}
	if c.arrivals.ready.Jobs > 0 && now.Sub(c.since) >= c.Tuning.ShardAfter {
		return c.commit(ctx)
	}
	if c.published.Arrived != c.arrivals.ready || now.Sub(c.published.At) >= c.Tuning.Report {
		return c.publish(ctx)
	}
	return nil
}

// lookSlowly looks at the orders, and at the jobs of which something has arrived and that
// are not ready.
func (c *collector) lookSlowly(ctx context.Context, now time.Time, since time.Duration) error {
	orders, err := c.Queue.Orders(ctx, c.Run)
	if err != nil {
		return err
	}
	c.cancelled = orders.Cancelled
	if int64(len(c.arrivals.jobs)) == c.arrivals.ready.Jobs {
		return nil
	}
	queued, err := c.Queue.Queued(ctx, c.Run)
	if err != nil {
		return err
	}
	c.dropUnfinished(&queued)
	if len(queued.Jobs) > 0 {
		since = 0
	}
	return c.lookAtAudits(ctx, now, since)
}

// dropUnfinished drops the jobs of which only some parts have arrived, when the others are
// not to be expected: no worker plays the job, and everything that waits has arrived. The
// coordinator queues them again.
func (c *collector) dropUnfinished(queued *queue.Queued) {
	looks := 2 // a job may be on its way from one place to the other at one
	if c.Share.Of > 1 {
		looks = 5 // part of a job may wait behind others, see received
	}
	received := c.received(queued)
	for number, job := range c.arrivals.jobs {
		if job.chosen != nil || job.hasWhole() {
			continue
		}
		if !received || queued.Jobs[number] {
			job.looks = 0
			continue
		}
		if job.looks++; job.looks >= looks {
			c.Log.Warn("a result of which parts are missing is dropped; the job is played again", "run", c.Run, "job", number)
			c.drop(number)
		}
	}
}

// publish publishes the progress.
func (c *collector) publish(ctx context.Context) error {
	own, now := c.written(), time.Now()
	c.published = queue.Progress{
		Run: c.Run, Share: c.Share, Jobs: c.jobs, Dead: c.dead.list(),
		Episodes: own.Episodes, Plies: own.Plies, Bytes: own.Bytes, Shards: own.Shards,
		Arrived: c.arrivals.ready, At: now,
	}
	c.published.Speed = c.speed.per(now, float64(c.published.Episodes+c.published.Arrived.Episodes-c.before))
	c.Meter.CollectorLag(c.arrivals.oldest(now))
	if c.Status != nil {
		c.Status(c.published)
	}
	if err := c.Queue.PutProgress(ctx, &c.published); !errors.Is(err, queue.ErrNoRun) { // which the inbox reports
		return err
	}
	return nil
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
