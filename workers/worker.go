package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// Work plays jobs of whatever runs the queue has, until ctx is done, which is
// its only good end and gives nil. A job that is then under way is given back.
func Work(ctx context.Context, cfg WorkerConfig) error {
	cfg.Tuning = cfg.Tuning.withDefaults()
	cfg.Workers = orDefault(cfg.Workers, runtime.GOMAXPROCS(0))
	if cfg.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown host"
		}
		cfg.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	meter := metered(cfg.Meter)
	meter.Ready(nil)
	group, ctx := errgroup.WithContext(ctx)
	refused := &refusals{log: orSilent(cfg.Log)}
	for i := range cfg.Workers {
		w := worker{
			queue:    cfg.Queue,
			name:     fmt.Sprintf("%s/%d", cfg.Name, i),
			meter:    meter,
			log:      orSilent(cfg.Log),
			tuning:   cfg.Tuning,
			commands: cfg.Commands,
			refused:  refused,
		}
		w.play = w.newPlaying()
		group.Go(func() error {
			meter.WorkerStarted()
			defer meter.WorkerStopped()
			return w.work(ctx)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("worker %s: %w", cfg.Name, err)
	}
	return nil
}

// worker is one goroutine that plays jobs.
type worker struct {
	queue    Queue
	name     string
	meter    Meter
	log      *slog.Logger
	tuning   Tuning
	commands agent.Commands
	play     *playing
	refused  *refusals // of all workers of the process
	row      int       // jobs refused one after the other
}

func (w *worker) newPlaying() *playing {
	return &playing{meter: w.meter, log: w.log, commands: w.commands}
}

func (w *worker) work(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, w.play.close()) }()
	for {
		held, err := w.queue.NextJob(ctx)
		if stopped(ctx, err) {
			return nil
		}
		if err != nil {
			return err
		}
		w.meter.JobStarted()
		start := time.Now()
		end := w.settle(ctx, held)
		w.meter.JobEnded(time.Since(start), end)
		if err := w.rest(ctx, end); err != nil {
			return nil
		}
	}
}

// settle does a job, or gives it back, or writes its dead letter. What the
// queue does not take in is no end of the worker: the job is delivered again.
func (w *worker) settle(ctx context.Context, held HeldJob) JobEnd {
	job, _ := held.Job()
	log := w.log.With("run", job.Run, "job", job.Number, "delivery", held.Deliveries())
	if held.Deliveries() > 1 {
		w.meter.JobRedelivered()
	}
	lasting, cancel := lingering(ctx, w.tuning.Grace)
	defer cancel()
	end, err := w.try(ctx, lasting, held)
	switch {
	case err == nil:
		err = held.Done(lasting)
	case stopped(ctx, err) || lasting.Err() != nil:
		end = JobAbandoned
		err = held.GiveBack(lasting)
	case errors.Is(err, agent.ErrNoCommand):
		end = JobRefused
		w.refused.tell(job, err)
		err = held.GiveBack(lasting)
	case held.Deliveries() >= w.tuning.MaxDeliveries:
		log.Error("a job is given up", "error", err)
		err = w.bury(lasting, held, err)
	default:
		log.Warn("a job failed and will be tried again", "error", err)
		err = held.Retry(lasting)
	}
	if err != nil {
		log.Warn("the queue did not take in how a job ended", "end", end, "error", err)
	}
	return end
}

// try plays a job and stores its result.
func (w *worker) try(ctx, lasting context.Context, held HeldJob) (JobEnd, error) {
	if held.Deliveries() > w.tuning.MaxDeliveries {
		return JobFailed, errDied
	}
	parts, err := w.result(ctx, held)
	if err != nil {
		return JobFailed, err
	}
	if err := w.queue.StoreParts(lasting, parts); err != nil {
		return JobFailed, err
	}
	return JobDone, nil
}

var errDied = errors.New("every worker that was given this job died or lost its connection before it was done")

// result plays the job. An episode cannot be interrupted: when ctx is done and
// the one under way takes longer than the grace, it is left to itself.
func (w *worker) result(ctx context.Context, held HeldJob) ([]Part, error) {
	job, err := held.Job()
	if err != nil {
		return nil, err
	}
	type outcome struct {
		parts []Part
		err   error
	}
	play, done := w.play, make(chan outcome, 1)
	go func() {
		parts, err := play.result(ctx, job, w.name)
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
	case <-time.After(w.tuning.Grace):
		w.play = w.newPlaying() // the old one is still in use
		go func() {
			<-done
			_ = play.close() // nobody is left to be told
		}()
		return nil, ctx.Err()
	}
}

// bury writes the dead letter of a job and removes the job.
func (w *worker) bury(ctx context.Context, held HeldJob, cause error) error {
	job, _ := held.Job()
	letter := DeadLetter{
		Run: job.Run, Job: job.Number, First: job.First, Count: job.Count,
		Error: cause.Error(), Worker: w.name, Deliveries: held.Deliveries(),
	}
	if err := w.queue.StoreDeadLetter(ctx, &letter); err != nil {
		return err
	}
	w.meter.JobDead()
	return held.Done(ctx)
}

// lingering returns a context that is done only so long after ctx is: for what
// must be stored in any case.
func lingering(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, cancel)
		context.AfterFunc(lasting, func() { timer.Stop() })
	})
	return lasting, func() { stop(); cancel() }
}
