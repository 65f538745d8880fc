package workers

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// RunConfig is what [OpenRun] needs.
type RunConfig struct {
	Dir      string           // of the data set; created when missing
	Settings dataset.Settings // of the run, usually selfplay.Plan.Settings
	// Jobs is how many jobs are to be there, from number 0 on, of a run without a
	// fixed number of episodes; 0 is by For. More that are there are left.
	Jobs     int64
	For      time.Duration  // see FarmConfig
	Commands agent.Commands // see FarmConfig

	Meter  Meter                  // nil counts nothing
	Log    *slog.Logger           // nil is silent
	Status func(Progress, Queued) // called every Tuning.Tick and at the end, one call at a time; may be nil
	// Episode sees the episodes as they are written; see CollectorConfig.
	Episode func(*dataset.Episode)
	// Each, unless nil, is handed the episodes that are not in the data set, in order
	// of number and from one goroutine, and says whether more are wanted; it does not
	// own them. The jobs that are under way when it has enough are finished, and are in
	// the data set too, up to the first that nobody could do, which is then no fault.
	// Jobs are written in order, and a dead letter ends the run.
	Each   func(*dataset.Episode) (more bool)
	Tuning Tuning
}

// A Run is a run whose folder this process has locked, for [PlayRuns]. It must be
// closed.
type Run struct {
	cfg       RunConfig
	lock      *dataset.Lock
	discard   bool       // the folder holds nothing but the lock
	collector *collector // nil while there is no data set
}

// OpenRun locks the folder of a run and looks what is there. Of a run that is not
// complete it checks that this machine can make its agents.
func OpenRun(cfg RunConfig) (run *Run, err error) {
	plan, err := selfplay.Open(&cfg.Settings, cfg.Commands)
	if err != nil {
		return nil, err
	}
	r := &Run{cfg: cfg}
	if r.lock, err = dataset.AcquireLock(cfg.Dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if _, err := dataset.Load(cfg.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		r.discard = true
	} else if err := r.makeCollector(); err != nil {
		return nil, err
	}
	if !r.Complete() {
		if err := selfplay.TryPlayer(plan); err != nil {
			return nil, err // no job would fare better
		}
	}
	return r, nil
}

func (r *Run) makeCollector() (err error) {
	r.collector, err = newCollector(r.lock, &r.cfg.Settings, CollectorConfig{
		Dir: r.cfg.Dir, Run: r.cfg.Settings.Run(), Meter: r.cfg.Meter, Log: r.cfg.Log, Episode: r.cfg.Episode, Tuning: r.cfg.Tuning,
	})
	if err != nil {
		return err
	}
	r.discard = false
	if r.cfg.Jobs > 0 {
		r.collector.end = r.cfg.Jobs
	}
	if r.cfg.Each != nil {
		r.collector.order = newOrder(r.cfg.Each)
	}
	return nil
}

// Complete reports whether all that is wanted of the run is in the data set.
func (r *Run) Complete() bool { return r.Missing() == 0 }

// Missing returns how many jobs are wanted and not in the data set, −1 where the run
// has no end.
func (r *Run) Missing() int64 {
	end := r.cfg.Settings.Jobs()
	if end < 0 && r.cfg.Jobs > 0 {
		end = r.cfg.Jobs
	}
	if end < 0 || r.collector == nil {
		return end
	}
	return end - r.collector.jobs.Below(end)
}

// Manifest returns the manifest of the data set, nil while there is none.
func (r *Run) Manifest() *dataset.Manifest {
	if r.collector == nil {
		return nil
	}
	return r.collector.writer.Manifest()
}

// Report tells what there is, once there is a data set.
func (r *Run) Report() Report {
	if r.collector == nil {
		return Report{}
	}
	return r.collector.report()
}

// Close gives the folder back, and leaves no trace of it where there is no data set.
func (r *Run) Close() error {
	if r.discard {
		return r.lock.Discard()
	}
	return r.lock.Release()
}

// begin makes the run known, one of so many on the queue, and tells what is in the
// data set, which it makes where it is missing.
func (r *Run) begin(ctx context.Context, queue Queue, runs int) error {
	if r.collector == nil {
		if err := r.makeCollector(); err != nil {
			return err
		}
	}
	r.collector.Queue = queue
	r.collector.Tuning = r.cfg.Tuning.withDefaults().shared(runs)
	if err := announce(ctx, queue, &r.cfg.Settings, r.cfg.Jobs); err != nil {
		return err
	}
	return r.collector.begin(ctx)
}

// coordinate is the run's [Coordinate] until it is stopped, which is no error: the
// collector knows when the run has ended. shared has what is of all runs.
func (r *Run) coordinate(ctx context.Context, shared CoordinatorConfig) error {
	defer shared.filled()
	cfg := shared
	cfg.Queue, cfg.Settings, cfg.Jobs, cfg.For = r.collector.Queue, r.cfg.Settings, r.cfg.Jobs, r.cfg.For
	cfg.Log, cfg.Status, cfg.Tuning = r.cfg.Log, r.cfg.Status, r.cfg.Tuning
	if r.collector.order != nil {
		cfg.ordered, cfg.enough = true, r.collector.order.enough
	}
	err := Coordinate(ctx, cfg)
	cfg.Meter.QueueDepth(0, 0)
	if dead := (*DeadJobsError)(nil); errors.As(err, &dead) || stopped(ctx, err) {
		return nil // the collector says it too
	}
	return err
}

// clear drops what the queue still has of a run that is in its data set.
func (r *Run) clear(ctx context.Context) error {
	if err := r.collector.Queue.Retire(ctx, r.collector.Run); err != nil {
		return err
	}
	return r.collector.Queue.Forget(ctx, r.collector.Run)
}

// tell tells how the run stands at the end.
func (r *Run) tell() {
	if r.cfg.Status != nil {
		r.cfg.Status(r.collector.told, Queued{})
	}
}
