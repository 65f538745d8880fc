package workers

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// CoordinatorConfig configures [Coordinate].
type CoordinatorConfig struct {
	Queue    CoordinatorQueue
	Plan     *selfplay.Plan
	Episodes int64         // see Run.Episodes
	For      time.Duration // see Run.For
	Meter    Meter
	Log      *slog.Logger
	Status   func(Progress) // called every Tuning.Tick; may be nil
	Tuning   Tuning
}

// Coordinate queues the jobs of a run until all are in the data set or are dead
// letters, or until ctx is done. It keeps no state: it queues every job that is
// neither queued nor waiting for the collector nor in the published progress,
// lowest number first. So it can be stopped and started at any time, and a job that
// a server has lost is played again.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps the cause of ctx when it is stopped.
func Coordinate(ctx context.Context, cfg CoordinatorConfig) error {
	settings, err := portable(cfg.Plan)
	if err != nil {
		return err
	}
	c := newCoordinator(cfg, wantedJobs(&settings, cfg.Episodes))
	c.observe = func(progress Progress, queued Queued) {
		c.Meter.QueueDepth(int64(len(queued.Jobs)), queued.Messages)
		if cfg.Status != nil {
			cfg.Status(progress)
		}
	}
	return c.coordinate(ctx)
}

type coordinator struct {
	CoordinatorConfig
	settings dataset.Settings
	run      string
	jobs     int64                  // wanted, −1 without a limit
	observe  func(Progress, Queued) // called after each look

	// Of a session:
	stall   *stall          // of the runs that share the workers
	ordered bool            // results are written in order
	enough  <-chan struct{} // closed when no more jobs are wanted; nil means never
	turn    <-chan struct{} // closed when jobs may be queued; nil means at once
	filled  func()          // called, perhaps repeatedly, when all jobs have been queued

	end   int64 // number of jobs of the run, −1 until it is decided
	final bool  // end is the last job that any role knows of
	low   int64 // every job below it needs nothing more
	ahead int   // jobs that were queued or being played after the last look
}

// newCoordinator returns a coordinator that belongs to no session. The caller sets
// observe.
func newCoordinator(cfg CoordinatorConfig, jobs int64) *coordinator {
	settings := cfg.Plan.Settings()
	cfg.Meter, cfg.Log, cfg.Tuning = metered(cfg.Meter), orSilent(cfg.Log), cfg.Tuning.withDefaults()
	c := &coordinator{
		CoordinatorConfig: cfg, settings: settings, run: settings.Run(), jobs: jobs, end: jobs, stall: newStall(), filled: func() {},
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
	if err := announce(ctx, c.Queue, &c.settings, c.jobs); err != nil {
		return err
	}
	var closing <-chan time.Time
	if c.open() && c.For > 0 {
		closing = time.After(c.For)
	}
	c.Meter.Ready(nil)
	tick := time.NewTicker(c.Tuning.Tick)
	defer tick.Stop()
	closed, enough, turn := false, c.enough, c.turn
	for {
		done, err := c.look(ctx, closed)
		if done || err != nil && !stopped(ctx, err) {
			return err
		}
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
		case <-tick.C:
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
func announce(ctx context.Context, queue CoordinatorQueue, settings *dataset.Settings, jobs int64) error {
	if err := queue.PutRun(ctx, settings); err != nil {
		return err
	}
	if settings.Jobs() >= 0 {
		return nil
	}
	return queue.PutEnd(ctx, settings.Run(), jobs)
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
	// Nothing above a dead job of an ordered run can be written.
	if closed || c.ordered && progress.Dead.Len() > 0 {
		if err := c.decideEnd(ctx, &progress, &queued); err != nil {
			return false, err
		}
	}
	if !c.hasTurn() {
		return false, nil
	}
	if err := c.fill(ctx, &progress, &queued); err != nil {
		return false, err
	}
	if since, long := c.stall.long(c.run, &progress, &queued, c.Tuning.Patience); long {
		c.Log.Warn("no job has been finished for a while: are workers running, with a command for each program?",
			"run", c.run, "for", since.Round(time.Second), "programs", c.Plan.Programs())
	}
	c.observe(progress, queued)
	if c.end < 0 || progress.finished(c.end) < c.end {
		return false, nil
	}
	if progress.Dead.Below(c.end) > 0 {
		return true, &DeadJobsError{Jobs: progress.Dead}
	}
	return true, c.Queue.Purge(ctx, c.run)
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
// of.
func (c *coordinator) decideEnd(ctx context.Context, progress *Progress, queued *Queued) error {
	if c.final {
		return nil
	}
	end := max(progress.Jobs.Max(), progress.Dead.Max()) + 1
	for _, jobs := range []map[int64]bool{queued.Jobs, queued.Results} {
		for job := range jobs {
			end = max(end, job+1)
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

// fill queues the lowest jobs that no role knows of, up to the window.
func (c *coordinator) fill(ctx context.Context, progress *Progress, queued *Queued) error {
	ahead, window := len(queued.Jobs), c.Tuning.Window
	if c.open() {
		// Enough work until the look after the next, when jobs are short.
		window += 2 * max(0, c.ahead-ahead)
	}
	isFinished := func(job int64) bool { return progress.Jobs.Has(job) || progress.Dead.Has(job) }
	if c.low > 0 && !isFinished(c.low-1) {
		c.low = 0 // a new collector has fewer jobs
	}
	for isFinished(c.low) {
		c.low++
	}
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
	job := c.low
	for ; ahead < window && (end < 0 || job < end); job++ {
		if queued.Jobs[job] || queued.Results[job] || isFinished(job) {
			continue
		}
		if err := c.Queue.Enqueue(ctx, NewJob(&c.settings, job)); err != nil {
			return err
		}
		queued.Jobs[job] = true
		ahead++
	}
	c.ahead = ahead
	if c.end >= 0 && job >= c.end {
		c.filled()
	}
	return nil
}

// A stall is a time in which no job of the runs that share workers is finished.
type stall struct {
	mu       sync.Mutex
	finished map[string]int64 // by run: jobs that need nothing more or have results
	moved    time.Time        // when one of them changed last
	warned   time.Duration
}

func newStall() *stall { return &stall{finished: map[string]int64{}, moved: time.Now()} }

// long reports whether it is time to warn that jobs of the run wait or are being
// played and no job of any run has been finished, and for how long: after the
// patience, and after twice as long each time.
func (s *stall) long(run string, progress *Progress, queued *Queued, patience time.Duration) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	finished := progress.Jobs.Len() + progress.Dead.Len() + int64(len(queued.Results))
	if finished != s.finished[run] || len(queued.Jobs) == 0 {
		s.finished[run], s.moved, s.warned = finished, time.Now(), 0
		return 0, false
	}
	since := time.Since(s.moved)
	if since < max(patience, 2*s.warned) {
		return 0, false
	}
	s.warned = since
	return since, true
}
