package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// WorkerConfig configures [Work].
type WorkerConfig struct {
	Queue   WorkerQueue
	Workers int    // number of goroutines that play; 0 means one per core
	Name    string // of this process in dead letters; "" means host and process number
	// Commands are the external programs of this machine by name. Jobs that name
	// others are left to other workers.
	Commands agent.Commands
	Meter    Meter
	Log      *slog.Logger
	Tuning   Tuning
}

// Work plays the jobs of all runs in the queue until ctx is done, and then returns
// nil. It releases the jobs that are under way.
func Work(ctx context.Context, cfg WorkerConfig) error {
	cfg.Meter, cfg.Log = metered(cfg.Meter), orSilent(cfg.Log)
	return work(ctx, newPlans(cfg.Commands, cfg.Log), &cfg)
}

// work is Work with plans, which may already have those of some runs.
func work(ctx context.Context, plans *plans, cfg *WorkerConfig) error {
	cfg.Tuning = cfg.Tuning.withDefaults()
	cfg.Workers = cmp.Or(cfg.Workers, runtime.GOMAXPROCS(0))
	if cfg.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown host"
		}
		cfg.Name = fmt.Sprintf("%s/%d", host, os.Getpid())
	}
	cfg.Meter.Ready(nil)
	group, ctx := errgroup.WithContext(ctx)
	refused := new(sync.Map)
	for i := range cfg.Workers {
		w := worker{WorkerConfig: cfg, name: fmt.Sprintf("%s/%d", cfg.Name, i), plans: plans, refused: refused}
		w.play = w.newPlaying()
		group.Go(func() error {
			cfg.Meter.WorkerStarted()
			defer cfg.Meter.WorkerStopped()
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
	*WorkerConfig
	name    string // of this goroutine, in dead letters
	plans   *plans
	play    *playing
	refused *sync.Map // runs that the workers of the process refused
	row     int       // number of jobs refused in a row
}

func (w *worker) newPlaying() *playing {
	return &playing{meter: w.Meter, plans: w.plans}
}

func (w *worker) work(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, w.play.close()) }()
	for {
		held, err := w.Queue.NextJob(ctx)
		if stopped(ctx, err) {
			return nil
		}
		if err != nil {
			return err
		}
		w.Meter.JobStarted()
		start := time.Now()
		end := w.do(ctx, held)
		w.Meter.JobEnded(time.Since(start), end)
		if err := w.rest(ctx, end); err != nil {
			return nil
		}
	}
}

// do does a job, or returns it to the queue, or writes its dead letter. The worker
// survives a queue that does not accept one of these: the job is delivered again.
func (w *worker) do(ctx context.Context, held HeldJob) JobEnd {
	job, _ := held.Job()
	log := w.Log.With("run", job.Run, "job", job.Number, "delivery", held.Deliveries())
	if held.Deliveries() > 1 {
		w.Meter.JobRedelivered()
	}
	lasting, cancel := lingering(ctx, w.Tuning.Grace)
	defer cancel()
	end, err := w.try(ctx, lasting, held)
	switch {
	case err == nil:
		err = held.Done(lasting)
	case stopped(ctx, err) || lasting.Err() != nil:
		end = JobAbandoned
		err = held.Release(lasting)
	case errors.Is(err, agent.ErrNoCommand):
		end = JobRefused
		if _, warned := w.refused.LoadOrStore(job.Run, true); !warned {
			w.Log.Warn("the jobs of a run are left to other workers", "run", job.Run, "reason", err)
		}
		err = held.Release(lasting)
	case held.Deliveries() >= w.Tuning.MaxDeliveries:
		log.Error("a job failed for the last time", "error", err)
		err = w.giveUp(lasting, held, err)
	default:
		log.Warn("a job failed and will be played again", "error", err)
		err = held.Retry(lasting)
	}
	if err != nil {
		log.Warn("the queue did not accept the end of a job", "end", end, "error", err)
	}
	return end
}

// try plays a job and stores its result.
func (w *worker) try(ctx, lasting context.Context, held HeldJob) (JobEnd, error) {
	if held.Deliveries() > w.Tuning.MaxDeliveries {
		return JobFailed, errDied
	}
	parts, err := w.result(ctx, held)
	if err != nil {
		return JobFailed, err
	}
	if err := w.Queue.StoreParts(lasting, parts); err != nil {
		return JobFailed, err
	}
	return JobDone, nil
}

var errDied = errors.New("every worker that received this job died or lost its connection before it finished")

// result plays the job. An episode cannot be interrupted: when ctx is done and the
// current one takes longer than the grace, it is abandoned to its goroutine.
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
func (w *worker) giveUp(ctx context.Context, held HeldJob, cause error) error {
	job, _ := held.Job()
	letter := DeadLetter{
		Run: job.Run, Job: job.Number, First: job.First, Count: job.Count,
		Error: cause.Error(), Worker: w.name, Deliveries: held.Deliveries(),
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

// A worker that has no command for an external program releases the jobs that name
// it, and rests before it asks for the next. The rests start short, because jobs of
// other runs may be next in the queue.
const (
	shortRest = 10 * time.Millisecond
	longRest  = 5 * time.Second
)

// rest waits after a job that was refused, twice as long after each further one.
// It returns the error of ctx.
func (w *worker) rest(ctx context.Context, end JobEnd) error {
	if end != JobRefused {
		w.row = 0
		return nil
	}
	pause := min(shortRest<<min(w.row, 10), longRest)
	w.row++
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}
