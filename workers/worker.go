package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// WorkerConfig configures [Work].
type WorkerConfig struct {
	Queue   queue.Worker
	Workers int    // number of goroutines that play; 0 means one per core
	Name    string // of this process, unique; "" means host and process number
	Version string // of the program, for reports
	// Memory is the most bytes that the agents may need; 0 means what the machine or its
	// control group has. The process does not play a run whose agents need more.
	Memory int64
	// Commands are the external programs of this machine by name. Runs that need others
	// are left to other workers.
	Commands agent.Commands
	// KeepCrashes makes a game that an external program lost because it crashed a
	// result. Otherwise the game fails its job.
	KeepCrashes bool
	Meter       Meter
	Log         *slog.Logger
	Tuning      Tuning
}

func (cfg *WorkerConfig) withDefaults() *WorkerConfig {
	c := *cfg
	c.Meter, c.Log, c.Tuning = metered(c.Meter), orSilent(c.Log), c.Tuning.withDefaults()
	c.Workers = cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	c.Memory = cmp.Or(c.Memory, machineMemory())
	if c.Name == "" {
		c.Name = fmt.Sprintf("%s/%d", hostname(), os.Getpid())
	}
	return &c
}

func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown host"
	}
	return host
}

// Work plays the jobs of all runs in the queue that this machine can play, until ctx is
// done, and then returns nil. It releases the jobs that are under way.
func Work(ctx context.Context, cfg WorkerConfig) error {
	return work(ctx, newRoster(cfg.withDefaults()))
}

// work is Work with a roster, which may already have some runs.
func work(ctx context.Context, r *roster) error {
	state := &queue.WorkerState{
		Name: r.Name, Host: hostname(), Version: r.Version, Cores: runtime.NumCPU(),
		Workers: r.Workers, Memory: r.Memory, Started: time.Now(),
	}
	// A process that is quarantined must know it before it takes a job.
	if err := r.publish(ctx, state); err != nil {
		if stopped(ctx, err) {
			return nil
		}
		return fmt.Errorf("worker %s: %w", r.Name, err)
	}
	r.Meter.Ready(nil)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return r.scout(ctx) })
	group.Go(func() error { return r.keepReporting(ctx, state) })
	for i := range r.Workers {
		w := worker{roster: r, index: i, play: r.newPlaying()}
		group.Go(func() error {
			r.Meter.WorkerStarted()
			defer r.Meter.WorkerStopped()
			return w.work(ctx)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("worker %s: %w", r.Name, err)
	}
	return nil
}

// keepReporting publishes the state of the process until ctx is done.
func (r *roster) keepReporting(ctx context.Context, state *queue.WorkerState) error {
	tick := time.NewTicker(r.Tuning.Report)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := r.publish(ctx, state); err != nil && !stopped(ctx, err) {
			return err
		}
	}
}

// worker is one goroutine that plays jobs.
type worker struct {
	*roster
	index int
	play  *playing
	run   string    // of the last job
	since time.Time // when the first job of that run in a row was taken
}

func (w *worker) work(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, w.play.close()) }()
	for ctx.Err() == nil {
		runs, trials, changed := w.offer(w.index, w.run, time.Since(w.since) > w.Tuning.Turn)
		if len(runs) == 0 {
			select {
			case <-ctx.Done():
			case <-changed:
			case <-time.After(w.Tuning.Scout): // a rest may be over
			}
			continue
		}
		held, err := w.Queue.NextJob(ctx, runs)
		run := ""
		if held != nil {
			run = held.Job().Run
		}
		plan := w.taken(run, trials)
		switch {
		case stopped(ctx, err):
			return nil
		case errors.Is(err, queue.ErrNoRun):
			if err := w.look(ctx); err != nil && !stopped(ctx, err) {
				return err
			}
			continue
		case err != nil:
			return err
		case held == nil:
			continue
		}
		if run != w.run || time.Since(w.since) > w.Tuning.Turn {
			w.run, w.since = run, time.Now()
		}
		w.do(ctx, held, plan)
	}
	return nil
}

// do does a job, or returns it to the queue, or writes its dead letter. The worker
// survives a queue that does not accept one of these: the job is delivered again, or the
// coordinator queues it again.
func (w *worker) do(ctx context.Context, held queue.HeldJob, plan *selfplay.Plan) {
	job, begun := held.Job(), time.Now()
	lasting, cancel := lingering(ctx, w.Tuning.Grace)
	defer cancel()
	log := w.Log.With("run", job.Run, "job", job.Number, "delivery", held.Deliveries())
	if plan == nil { // the run was forgotten since it was offered
		if err := held.Release(lasting); err != nil {
			log.Warn("the queue did not accept that a job is given up", "error", err)
		}
		return
	}
	w.Meter.JobStarted()
	if held.Deliveries() > 1 {
		w.Meter.JobRedelivered()
	}
	end, err := w.try(ctx, lasting, held, plan)
	switch {
	case stopped(ctx, err) || err != nil && lasting.Err() != nil:
		end = JobAbandoned
	case end == JobDone:
		w.score.done.Add(1)
	case end == JobFailed:
		w.score.failed.Add(1)
	}
	fault := end
	if err == errDied {
		fault = JobAbandoned // not that of this process
	}
	rest, suspect := w.left(job, begun, fault)
	if suspect && end == JobFailed && err != errDied && held.Deliveries() >= w.Tuning.MaxDeliveries {
		err = &suspectError{err}
	}
	if err := w.finish(lasting, held, plan, end, err, rest); err != nil {
		log.Warn("the queue did not accept the end of a job", "end", end, "error", err)
	}
	w.Meter.JobEnded(time.Since(begun), end)
}

// finish ends the use of a job. A failed job comes back before the rest of
// this process is over, so that another process gets it first.
func (w *worker) finish(ctx context.Context, held queue.HeldJob, plan *selfplay.Plan, end JobEnd, cause error, rest time.Duration) error {
	const longest = 10 * time.Second
	job := held.Job()
	log := w.Log.With("run", job.Run, "job", job.Number, "delivery", held.Deliveries(), "rest", rest)
	stored, suspect := (*storeError)(nil), (*suspectError)(nil)
	switch {
	case end == JobDone:
		return held.Done(ctx)
	case cause == errNotMine:
		return held.Retry(ctx, w.Tuning.Scout)
	case end == JobAbandoned:
		return held.Release(ctx)
	case errors.As(cause, &stored):
		log.Warn("the result of a job could not be stored", "error", cause)
		return held.Release(ctx)
	case errors.Is(cause, agent.ErrProgram):
		log.Warn("an external program of this machine does not start; its job is left to other workers", "error", cause)
		return held.Release(ctx)
	case job.Kind == queue.Audit && held.Deliveries() >= w.Tuning.MaxDeliveries:
		log.Warn("an audit failed for the last time", "error", cause)
		return held.Done(ctx)
	case errors.As(cause, &suspect):
		log.Warn("a job failed like others in this process, and is left to other workers", "error", cause)
		return held.Release(ctx)
	case held.Deliveries() >= w.Tuning.MaxDeliveries:
		log.Error("a job failed for the last time", "error", cause)
		return w.giveUp(ctx, held, plan, cause)
	}
	log.Warn("a job failed and will be played again", "error", cause)
	return held.Retry(ctx, min(rest/2, longest))
}

// A storeError is an error of the queue, not of the job.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

// A suspectError is the last failure of a job in a process that may be at fault itself.
type suspectError struct{ error }

func (e *suspectError) Unwrap() error { return e.error }

// try plays a job and stores its result.
func (w *worker) try(ctx, lasting context.Context, held queue.HeldJob, plan *selfplay.Plan) (JobEnd, error) {
	job := held.Job()
	if settings := plan.Settings(); !hasJob(&settings, job.Number) {
		w.Log.Warn("a job in the queue is removed: the run has no such job", "run", job.Run, "job", job.Number)
		return JobDone, nil
	}
	if job.Kind == queue.Audit && job.Not == w.Name {
		return JobAbandoned, errNotMine
	}
	if job.Kind != queue.Audit && held.Deliveries() > w.Tuning.MaxDeliveries {
		return JobFailed, errDied
	}
	parts, err := w.result(ctx, held, plan)
	if err != nil {
		return JobFailed, err
	}
	if job.Kind == queue.Audit {
		err = w.Queue.StoreAudit(lasting, &queue.AuditResult{Run: job.Run, Job: job.Number, Worker: w.Name, Total: *parts[len(parts)-1].Total})
	} else {
		err = w.Queue.StoreResult(lasting, parts)
	}
	if err != nil {
		return JobFailed, &storeError{err}
	}
	return JobDone, nil
}

var errDied = errors.New("every worker that received this job died or lost its connection before it finished")

var errNotMine = errors.New("the audit is for another process")

// result plays the job. When ctx is done and the current episode takes longer than the
// grace, because its agent cannot be interrupted, it is abandoned to its goroutine.
func (w *worker) result(ctx context.Context, held queue.HeldJob, plan *selfplay.Plan) ([]queue.Part, error) {
	type outcome struct {
		parts []queue.Part
		err   error
	}
	play, done := w.play, make(chan outcome, 1)
	go func() {
		parts, err := play.result(ctx, plan, held)
		done <- outcome{parts, err}
	}()
	select {
	case out := <-done:
		return out.parts, out.err
	case <-ctx.Done():
	}
	select {
	case out := <-done:
		return out.parts, out.err
	case <-time.After(w.Tuning.Grace):
		w.play = w.newPlaying() // the earlier one is still in use
		go func() {
			<-done
			_ = play.close() // there is no caller left for the error
		}()
		return nil, ctx.Err()
	}
}

// giveUp writes the dead letter of a job and removes the job.
func (w *worker) giveUp(ctx context.Context, held queue.HeldJob, plan *selfplay.Plan, cause error) error {
	job, settings := held.Job(), plan.Settings()
	first, count := settings.Job(job.Number)
	letter := queue.DeadLetter{
		Run: job.Run, Job: job.Number, First: first, Count: count,
		Error: cause.Error(), Worker: w.Name, Deliveries: held.Deliveries(),
	}
	if err := w.Queue.StoreDeadLetter(ctx, &letter); err != nil {
		return err
	}
	w.Meter.JobDead()
	return held.Done(ctx)
}

// lingering returns a context that is done the grace after ctx is, for what must be
// stored in any case.
func lingering(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, cancel)
		context.AfterFunc(lasting, func() { timer.Stop() })
	})
	return lasting, func() { stop(); cancel() }
}
