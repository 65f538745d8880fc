package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// Coordinate keeps the jobs of a run flowing until all are in the data set or
// dead letters, or ctx is done. It remembers nothing: whatever is neither queued
// nor waiting for the collector nor in the published progress is queued, lowest
// number first. So it may be stopped and started at will, and a job that a
// server has lost is played again.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps ctx's cause when it is stopped.
func Coordinate(ctx context.Context, cfg CoordinatorConfig) error {
	plan, err := selfplay.Open(&cfg.Settings, nil)
	if err != nil {
		return err
	}
	if err := cfg.Settings.Validate(); err != nil {
		return err
	}
	c := coordinator{
		CoordinatorConfig: cfg,
		run:               cfg.Settings.Run(),
		end:               cfg.Settings.Jobs(),
		meter:             metered(cfg.Meter),
		log:               orSilent(cfg.Log),
		programs:          plan.Programs(),
	}
	if c.stall == nil {
		c.stall = newStall()
	}
	c.Tuning = c.Tuning.withDefaults()
	if c.open = c.end < 0; c.open && c.Jobs > 0 {
		c.end = c.Jobs
	}
	c.Tuning.Window = orDefault(c.Tuning.Window, map[bool]int{true: 128, false: 1024}[c.open])
	if err := c.coordinate(ctx); err != nil {
		return fmt.Errorf("coordinator of run %s: %w", c.run, err)
	}
	return nil
}

type coordinator struct {
	CoordinatorConfig
	run      string
	open     bool  // the run has no fixed end
	end      int64 // number of jobs of the run, −1 while it is not settled
	final    bool  // no job above the last that anybody has heard of is wanted
	low      int64 // every job below it is settled
	meter    Meter
	log      *slog.Logger
	ahead    int      // jobs that were queued or being played after the last look
	programs []string // external programs that the run needs on its workers
}

func (c *coordinator) coordinate(ctx context.Context) error {
	if err := announce(ctx, c.Queue, &c.Settings, c.Jobs); err != nil {
		return err
	}
	var closing <-chan time.Time
	if c.open && c.For > 0 {
		closing = time.After(c.For)
	}
	c.meter.Ready(nil)
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
			c.log.Info("no more jobs; those under way are finished", "run", c.run)
		case <-enough:
			closed, enough = true, nil
		case <-turn:
			turn = nil
		case <-tick.C:
		}
	}
}

// withdraw takes back what is queued, so that the workers of a shared server
// are not busy with a run that nobody conducts.
func (c *coordinator) withdraw(ctx context.Context) error {
	lasting, cancel := lingering(ctx, c.Tuning.Grace)
	defer cancel()
	if err := c.Queue.Withdraw(lasting, c.run); err != nil {
		c.log.Warn("the jobs of the run stay queued", "run", c.run, "error", err)
	}
	return context.Cause(ctx)
}

// announce makes a run known, and how many jobs are wanted of one without a fixed
// end: 0 leaves it open.
func announce(ctx context.Context, queue Queue, settings *dataset.Settings, jobs int64) error {
	if err := queue.PutRun(ctx, settings); err != nil {
		return err
	}
	if settings.Jobs() >= 0 {
		return nil
	}
	if jobs == 0 {
		jobs = -1
	}
	return queue.PutEnd(ctx, settings.Run(), jobs)
}

// look takes stock, fills the queue and reports whether the run has ended.
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
		if err := c.settleEnd(ctx, &progress, &queued); err != nil {
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
		c.log.Warn("no job gets done: are workers running, with a command for each program?",
			"run", c.run, "for", since.Round(time.Second), "programs", c.programs)
	}
	c.meter.QueueDepth(int64(len(queued.Jobs)), queued.Messages)
	if c.Status != nil {
		c.Status(progress, queued)
	}
	if c.end < 0 || progress.settled(c.end) < c.end {
		return false, nil
	}
	if progress.Dead.Below(c.end) > 0 {
		return true, &DeadJobsError{Jobs: progress.Dead}
	}
	return true, c.Queue.Retire(ctx, c.run)
}

// hasTurn reports whether the runs before this one have all their jobs queued.
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

// settleEnd ends a run without a fixed end after the last job that anybody has
// heard of.
func (c *coordinator) settleEnd(ctx context.Context, progress *Progress, queued *Queued) error {
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

// spread bounds how far jobs of an ordered run are queued above the first that is
// not done: the results between have to wait for it, in the queue and in memory.
const spread = 256

// fill queues the lowest jobs that nobody knows of, up to the window.
func (c *coordinator) fill(ctx context.Context, progress *Progress, queued *Queued) error {
	ahead, window := len(queued.Jobs), c.Tuning.Window
	if c.open {
		// Enough to be busy until the look after the next, where jobs are short.
		window += 2 * max(0, c.ahead-ahead)
	}
	isSettled := func(job int64) bool { return progress.Jobs.Has(job) || progress.Dead.Has(job) }
	if c.low > 0 && !isSettled(c.low-1) {
		c.low = 0 // another collector has begun, with less
	}
	for isSettled(c.low) {
		c.low++
	}
	end := c.end
	if c.ordered {
		first := c.low // that is not done
		for isSettled(first) || queued.Results[first] {
			first++
		}
		if end < 0 || end > first+spread {
			end = first + spread
		}
	}
	job := c.low
	for ; ahead < window && (end < 0 || job < end); job++ {
		if queued.Jobs[job] || queued.Results[job] || isSettled(job) {
			continue
		}
		if err := c.Queue.Enqueue(ctx, NewJob(&c.Settings, job)); err != nil {
			return err
		}
		queued.Jobs[job] = true
		ahead++
	}
	c.ahead = ahead
	if c.filled != nil && c.end >= 0 && job >= c.end {
		c.filled()
	}
	return nil
}

// stopped reports whether err says no more than that ctx is done.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err()))
}
