package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// CoordinatorConfig configures [Coordinate].
type CoordinatorConfig struct {
	Queue    queue.Coordinator
	Plan     *selfplay.Plan
	Episodes int64         // see Run.Episodes
	For      time.Duration // see Run.For
	Meter    Meter
	Log      *slog.Logger
	Status   func(queue.Progress) // called at every look, see Tuning.Tick; may be nil
	Tuning   Tuning
}

// Coordinate queues the jobs of a run until all are in the data set or are dead
// letters, or until ctx is done or the run is cancelled. It keeps no state: it queues
// every job that is neither queued nor waiting for the collector nor in the published
// progress, lowest number first. So it can be stopped and started at any time, and a job
// that a server has lost is played again. When the run has ended, the queue forgets it.
//
// It returns a *DeadJobsError when the run ends with dead letters, an error that wraps the
// cause of ctx when it is stopped, and one that wraps ErrCancelled.
func Coordinate(ctx context.Context, cfg CoordinatorConfig) error {
	settings, err := portable(cfg.Plan)
	if err != nil {
		return err
	}
	c := newCoordinator(cfg, wantedJobs(&settings, cfg.Episodes))
	c.observe = func(progress queue.Progress, queued queue.Queued) {
		c.Meter.QueueDepth(int64(len(queued.Jobs)), queued.Messages)
		if cfg.Status != nil {
			cfg.Status(progress)
		}
	}
	err = c.coordinate(ctx)
	if dead := (*DeadJobsError)(nil); err != nil && !errors.As(err, &dead) {
		return err
	}
	lasting, cancel := lingering(ctx, c.Tuning.Grace)
	defer cancel()
	return errors.Join(err, c.Queue.Retire(lasting, c.run))
}

type coordinator struct {
	CoordinatorConfig
	settings dataset.Settings
	run      string
	jobs     int64                              // wanted, −1 without a limit
	observe  func(queue.Progress, queue.Queued) // called after each look

	// Of a session:
	stall   *stall          // of the runs that share the workers
	ordered bool            // results are written in order
	enough  <-chan struct{} // closed when no more jobs are wanted; nil means never
	turn    <-chan struct{} // closed when jobs may be queued; nil means at once
	filled  func()          // called, perhaps repeatedly, when all jobs have been queued

	end    int64 // number of jobs of the run, −1 until it is decided
	final  bool  // end is the last job that any role knows of
	low    int64 // every job below it needs nothing more
	ahead  int   // jobs that were queued or being played after the last look
	orders queue.Orders

	begun  time.Time
	first  time.Time           // when the progress was published that was found at the start
	fresh  bool                // another has been published since
	issued map[int64]time.Time // when jobs were queued first that are not in the data set
	tail   tail
}

// newCoordinator returns a coordinator that belongs to no session. The caller sets
// observe.
func newCoordinator(cfg CoordinatorConfig, jobs int64) *coordinator {
	settings := cfg.Plan.Settings()
	cfg.Meter, cfg.Log, cfg.Tuning = metered(cfg.Meter), orSilent(cfg.Log), cfg.Tuning.withDefaults()
	c := &coordinator{
		CoordinatorConfig: cfg, settings: settings, run: settings.Run(), jobs: jobs, end: jobs,
		stall: newStall(), filled: func() {}, issued: map[int64]time.Time{}, tail: newTail(),
	}
	window := 1024
	if c.open() {
		window = 128
	}
	c.Tuning.Window = cmp.Or(c.Tuning.Window, window)
	return c
}

// open reports whether the settings do not fix the number of episodes.
func (c *coordinator) open() bool { return c.settings.Jobs() < 0 }

func (c *coordinator) coordinate(ctx context.Context) error {
	if err := c.conduct(ctx); err != nil {
		return fmt.Errorf("coordinator of run %s: %w", c.run, err)
	}
	return nil
}

func (c *coordinator) conduct(ctx context.Context) error {
	if err := c.forgetEarlier(ctx); err != nil {
		return err
	}
	if err := announce(ctx, c.Queue, &c.settings, c.jobs); err != nil {
		return err
	}
	c.begun = time.Now()
	var closing <-chan time.Time
	if c.open() && c.For > 0 {
		closing = time.After(c.For)
	}
	c.Meter.Ready(nil)
	next := time.NewTimer(0)
	defer next.Stop()
	closed, enough, turn := false, c.enough, c.turn
	for {
		looked := time.Now()
		done, err := c.look(ctx, closed)
		if errors.Is(err, queue.ErrNoRun) {
			if retired, err := c.retired(ctx); retired || err != nil {
				return err
			}
			c.Log.Warn("the queue does not know the run any more; it is announced again", "run", c.run)
			done, err = false, announce(ctx, c.Queue, &c.settings, c.jobs)
		}
		if done || err != nil && !stopped(ctx, err) {
			return err
		}
		next.Reset(pause(c.Tuning.Tick, time.Since(looked)))
		select {
		case <-ctx.Done():
			return c.withdraw(ctx)
		case <-closing:
			closed = true
			c.Log.Info("no more jobs are queued; those under way are finished", "run", c.run)
		case <-enough:
			closed, enough = true, nil
		case <-turn:
			turn = nil
		case <-next.C:
		}
	}
}

// withdraw removes the queued jobs, so that the workers of a shared server do not
// play a run that has no coordinator.
func (c *coordinator) withdraw(ctx context.Context) error {
	lasting, cancel := lingering(ctx, c.Tuning.Grace)
	defer cancel()
	if err := c.Queue.Withdraw(lasting, c.run); err != nil {
		c.Log.Warn("the jobs of the run stay queued", "run", c.run, "error", err)
	}
	return context.Cause(ctx)
}

// announce publishes the settings of a run, and the number of jobs, −1 without a
// limit, when the settings do not fix it.
func announce(ctx context.Context, q queue.Coordinator, settings *dataset.Settings, jobs int64) error {
	if err := q.PutRun(ctx, settings); err != nil {
		return err
	}
	if settings.Jobs() >= 0 {
		return nil
	}
	return q.PutEnd(ctx, settings.Run(), jobs)
}

// look reads the state of the run, fills the queue and reports whether the run has
// ended.
func (c *coordinator) look(ctx context.Context, closed bool) (done bool, err error) {
	queued, err := c.Queue.Queued(ctx, c.run)
	if err != nil {
		return false, err
	}
	progress, err := c.Queue.Progress(ctx, c.run)
	if err != nil {
		return false, err
	}
	if err := c.obey(ctx); err != nil {
		return true, err
	}
	c.noteFresh(&progress)
	c.noteCommitted(&progress)
	// Nothing above a dead job of an ordered run can be written.
	if closed || c.ordered && progress.Dead.Len() > 0 {
		if err := c.decideEnd(ctx, &progress, &queued); err != nil {
			return false, err
		}
	}
	if !c.hasTurn() {
		return false, nil
	}
	if !c.orders.Paused {
		if err := c.fill(ctx, &progress, &queued); err != nil {
			return false, err
		}
		c.warn(&progress, &queued)
	}
	c.observe(progress, queued)
	done = c.finished(&progress) && (c.fresh || time.Since(c.begun) >= c.Tuning.Settle)
	c.meterState(&progress, &queued, done)
	if !done {
		return false, nil
	}
	return true, c.deadJobs(&progress)
}

// finished reports whether all jobs of the run are in the data set or dead.
func (c *coordinator) finished(progress *queue.Progress) bool {
	return c.end >= 0 && progress.Finished(c.end) >= c.end
}

func (c *coordinator) deadJobs(progress *queue.Progress) error {
	if progress.Dead.Below(c.end) > 0 {
		return &DeadJobsError{Jobs: progress.Dead}
	}
	return nil
}

// recent is the age of a progress up to which it may be that of a run that this
// coordinator has retired in an earlier life.
const recent = time.Minute

// forgetEarlier forgets the run if it has ended a while ago: it is played again, into another
// data set.
func (c *coordinator) forgetEarlier(ctx context.Context) error {
	progress, err := c.Queue.Progress(ctx, c.run)
	if err != nil || !c.finished(&progress) || time.Since(progress.At) < recent {
		return err
	}
	return c.Queue.Forget(ctx, c.run)
}

// retired reports whether another coordinator of the run has ended it.
func (c *coordinator) retired(ctx context.Context) (bool, error) {
	progress, err := c.Queue.Progress(ctx, c.run)
	if err != nil || !c.finished(&progress) {
		return false, err
	}
	c.Log.Info("another coordinator has ended the run", "run", c.run)
	return true, c.deadJobs(&progress)
}

// obey follows the orders of an operator.
func (c *coordinator) obey(ctx context.Context) error {
	orders, err := c.Queue.Orders(ctx, c.run)
	if err != nil {
		return err
	}
	before := c.orders
	c.orders = orders
	switch {
	case orders.Cancelled:
		c.Meter.RunState(RunReport{Run: c.run, Variant: c.settings.Variant, Ended: true})
		return errors.Join(ErrCancelled, c.Queue.Withdraw(ctx, c.run))
	case orders.Paused && !before.Paused:
		c.Log.Info("the run is paused: workers finish the jobs that they hold", "run", c.run)
		return c.Queue.Withdraw(ctx, c.run)
	case !orders.Paused && before.Paused:
		c.Log.Info("the run goes on", "run", c.run)
	}
	return nil
}

// noteFresh notes whether a collector has published a progress since the start. The one
// that is found at the start may be that of an earlier collector, into another data set.
func (c *coordinator) noteFresh(progress *queue.Progress) {
	switch {
	case c.first.IsZero():
		c.first = progress.At
	case !progress.At.Equal(c.first):
		c.fresh = true
	}
	if c.first.IsZero() && progress.Run == "" {
		c.fresh = true // there was none
	}
}

// noteCommitted reports the jobs that have reached the data set since the last look.
func (c *coordinator) noteCommitted(progress *queue.Progress) {
	for job, at := range c.issued {
		if progress.Jobs.Has(job) {
			c.Meter.JobCommitted(time.Since(at))
		} else if !progress.Dead.Has(job) {
			continue
		}
		delete(c.issued, job)
	}
}

// hasTurn reports whether all jobs of the runs before this one have been queued.
func (c *coordinator) hasTurn() bool {
	if c.turn == nil {
		return true
	}
	select {
	case <-c.turn:
		return true
	default:
		return false
	}
}

// decideEnd ends a run without a fixed end after the last job that any role knows
// of. Jobs are queued without gaps, so a number far above the number of known jobs
// is not that of a job.
func (c *coordinator) decideEnd(ctx context.Context, progress *queue.Progress, queued *queue.Queued) error {
	if c.final {
		return nil
	}
	known := progress.Jobs.Len() + progress.Dead.Len() + int64(len(queued.Jobs)+len(queued.Results))
	end := int64(0)
	note := func(job int64) {
		if job < known+int64(c.Tuning.Window) {
			end = max(end, job+1)
		}
	}
	for _, jobs := range []dataset.Jobs{progress.Jobs, progress.Dead} {
		for _, last := range jobs.Ranges() {
			note(last)
		}
	}
	for _, jobs := range []map[int64]bool{queued.Jobs, queued.Results} {
		for job := range jobs {
			note(job)
		}
	}
	if err := c.Queue.PutEnd(ctx, c.run, end); err != nil {
		return err
	}
	c.end, c.final = end, true
	return nil
}

// maxSpread bounds how far above the first unfinished job the jobs of an ordered
// run are queued: the results between have to wait for it, in the queue and in
// memory.
const maxSpread = 256

// fill queues the lowest jobs that no role knows of, up to the window, and at the end jobs
// that are being played once more.
func (c *coordinator) fill(ctx context.Context, progress *queue.Progress, queued *queue.Queued) error {
	ahead, window := len(queued.Jobs), c.Tuning.Window
	if c.open() {
		// Enough work until the look after the next, when jobs are short.
		window += 2 * max(0, c.ahead-ahead)
	}
	isFinished := func(job int64) bool { return progress.Jobs.Has(job) || progress.Dead.Has(job) }
	if c.low > 0 && !isFinished(c.low-1) {
		c.low = 0 // a new collector has fewer jobs
	}
	c.low = unfinished(c.low, progress)
	end := c.end
	if c.ordered {
		first := c.low // that has not been played
		for isFinished(first) || queued.Results[first] {
			first++
		}
		if end < 0 || end > first+maxSpread {
			end = first + maxSpread
		}
	}
	var missing []*queue.Job
	job := c.low
	for ; ahead < window && (end < 0 || job < end); job++ {
		if queued.Jobs[job] || queued.Results[job] || isFinished(job) {
			continue
		}
		missing = append(missing, &queue.Job{Run: c.run, Number: job})
		if _, again := c.issued[job]; !again {
			c.issued[job] = time.Now()
		}
		queued.Jobs[job] = true
		queued.Waiting++
		ahead++
	}
	if err := c.Queue.Enqueue(ctx, missing...); err != nil {
		return err
	}
	c.ahead = ahead
	if c.end < 0 || job < c.end {
		return nil
	}
	c.filled()
	for _, job := range c.tail.again(queued, c.Tuning.AgainAfter) {
		c.Log.Debug("a job that is being played is queued once more, for workers that are idle", "run", c.run, "job", job)
		if err := c.Queue.Enqueue(ctx, &queue.Job{Run: c.run, Number: job, Kind: queue.Again}); err != nil {
			return err
		}
	}
	return nil
}

// unfinished returns the first job from a number on that is not finished.
func unfinished(job int64, progress *queue.Progress) int64 {
	for before := int64(-1); before != job; {
		before = job
		for _, jobs := range []dataset.Jobs{progress.Jobs, progress.Dead} {
			for first, last := range jobs.Ranges() {
				if first <= job && job <= last {
					job = last + 1
				}
			}
		}
	}
	return job
}

// warn logs that nothing moves, and why that may be.
func (c *coordinator) warn(progress *queue.Progress, queued *queue.Queued) {
	since, long := c.stall.long(c.run, progress, queued, c.Tuning.Patience)
	if !long {
		return
	}
	since = since.Round(time.Second)
	if len(queued.Jobs) > 0 {
		c.Log.Warn("no job has been finished for a while: are workers running, with a command for each program?",
			"run", c.run, "for", since, "programs", c.Plan.Programs(), "waiting", queued.Waiting, "idle workers", queued.Idle)
		return
	}
	c.Log.Warn("results wait and nothing takes them: is a collector of the run running?", "run", c.run, "for", since, "messages", queued.Messages)
}

// meterState reports the state of the run to the meter.
func (c *coordinator) meterState(progress *queue.Progress, queued *queue.Queued, done bool) {
	planned := RunCount{Jobs: c.end, Episodes: -1}
	if c.end >= 0 {
		planned.Episodes = c.end * c.settings.JobEpisodes
		if c.settings.Episodes > 0 {
			planned.Episodes = min(planned.Episodes, c.settings.Episodes)
		}
	}
	c.Meter.RunState(RunReport{
		Run: c.run, Variant: c.settings.Variant, Planned: planned,
		Done:    RunCount{progress.Jobs.Len(), progress.Episodes},
		Arrived: RunCount{progress.Arrived.Jobs, progress.Arrived.Episodes},
		Dead:    progress.Dead.Len(), Waiting: queued.Waiting,
		Workers: max(0, int64(len(queued.Jobs))-queued.Waiting) + queued.Idle,
		Limit:   c.orders.Workers, Progress: progress.At, Paused: c.orders.Paused, Ended: done,
	})
}
