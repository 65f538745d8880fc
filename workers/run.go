package workers

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A Run is a plan, and the data set into which [Farm.Play] plays it.
type Run struct {
	Dir  string // of the data set; created when it does not exist
	Plan *selfplay.Plan
	// Episodes is the number of episodes wanted, from number 0 on, when the
	// plan does not fix it; whole jobs are played. A later call may ask for more.
	// 0 means no limit.
	Episodes int64
	// For is how long a run without a number of episodes gets new jobs; those
	// under way are finished. 0 means until the context is done.
	For time.Duration
	// Episode, unless nil, sees each episode when it is written, from one
	// goroutine; see CollectorConfig.Episode.
	Episode func(*dataset.Episode)
}

// wantedJobs returns how many jobs the given number of episodes takes, unless the
// settings fix their number; −1 when there is no limit.
func wantedJobs(settings *dataset.Settings, episodes int64) int64 {
	if settings.Episodes > 0 || episodes == 0 {
		return settings.Jobs()
	}
	return (episodes + settings.JobEpisodes - 1) / settings.JobEpisodes
}

// hasJob reports whether a run with the given settings can have a job of a number.
func hasJob(settings *dataset.Settings, number int64) bool {
	const most = 1 << 40 // jobs of a run without an end; their episodes have numbers
	if jobs := settings.Jobs(); jobs >= 0 {
		return 0 <= number && number < jobs
	}
	return 0 <= number && number < most
}

// portable returns the settings of a plan that jobs can carry.
func portable(plan *selfplay.Plan) (dataset.Settings, error) {
	settings := plan.Settings()
	if err := plan.Portable(); err != nil {
		return settings, err
	}
	return settings, settings.Validate()
}

// An activeRun is a run whose folder this process has locked. It must be closed.
type activeRun struct {
	Run
	settings  dataset.Settings // of the plan
	jobs      int64            // wanted, −1 without a limit
	cfg       *Config
	tuning    Tuning
	each      func(*dataset.Episode) (more bool) // see order; may be nil
	lock      *dataset.Lock
	discard   bool       // the folder holds nothing but the lock
	collector *collector // nil until there is a data set
}

// open locks the folder of a run and opens its data set, if it exists. For a run
// that is not complete, it checks that this machine can make the agents.
func (f *Farm) open(run *Run, each func(*dataset.Episode) (more bool), tuning Tuning) (_ *activeRun, err error) {
	settings, err := portable(run.Plan)
	if err != nil {
		return nil, err
	}
	r := &activeRun{Run: *run, settings: settings, cfg: &f.cfg, each: each, tuning: tuning}
	if r.jobs = wantedJobs(&r.settings, r.Episodes); r.jobs < 0 {
		r.tuning.Window = cmp.Or(r.tuning.Window, f.cfg.Workers+f.cfg.Workers/2+1)
	}
	if r.lock, err = dataset.AcquireLock(run.Dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if _, err := dataset.Load(run.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		r.discard = true
	} else if err := r.makeCollector(); err != nil {
		return nil, err
	}
	if !r.complete() {
		if err := selfplay.TryPlayer(run.Plan); err != nil {
			return nil, err // no job could be played
		}
	}
	return r, nil
}

func (r *activeRun) makeCollector() (err error) {
	r.collector, err = newCollector(r.lock, &r.settings, CollectorConfig{
		Dir: r.Dir, Trust: r.cfg.Trust, Meter: r.cfg.Meter, Log: r.cfg.Log, Episode: r.Episode, Tuning: r.tuning,
	})
	if err != nil {
		return err
	}
	r.discard = false
	r.collector.end = r.jobs
	if r.each != nil {
		r.collector.order = newOrder(r.each)
	}
	return nil
}

// complete reports whether all jobs that are wanted are in the data set.
func (r *activeRun) complete() bool { return r.missing() == 0 }

// missing returns how many of the jobs that are wanted are not in the data set, −1
// when there is no limit.
func (r *activeRun) missing() int64 {
	if r.jobs < 0 || r.collector == nil {
		return r.jobs
	}
	return r.jobs - r.collector.jobs.Below(r.jobs)
}

// wanted returns how many episodes are wanted and how many of them are not in the
// data set; both are 0 when there is no limit.
func (r *activeRun) wanted() (total, remaining int64) {
	if total = r.settings.Episodes; total > 0 {
		return total, total - r.report().Episodes
	}
	return r.Episodes, max(0, min(r.Episodes, r.missing()*r.settings.JobEpisodes))
}

// report returns the zero Report until there is a data set.
func (r *activeRun) report() Report {
	if r.collector == nil {
		return Report{}
	}
	return r.collector.report()
}

// close unlocks the folder, and leaves no trace of the lock when there is no data
// set.
func (r *activeRun) close() error {
	if r.discard {
		return r.lock.Discard()
	}
	return r.lock.Release()
}

// begin announces the run on the queue, which it shares with the given number of
// runs, and publishes what is in the data set, which it creates when it does not
// exist.
func (r *activeRun) begin(ctx context.Context, q queue.Queue, runs int) error {
	if r.collector == nil {
		if err := r.makeCollector(); err != nil {
			return err
		}
	}
	r.collector.Queue = q
	r.collector.Tuning = r.collector.Tuning.shared(runs)
	if err := announce(ctx, q, &r.settings, r.jobs); err != nil {
		return err
	}
	return r.collector.begin(ctx)
}
