package workers

import (
	"context"
	"errors"
	"runtime"
)

// Farm plays a run into its data set with all roles in this process, and
// continues where the data set ends. It locks the folder before it opens the
// queue. A run that is complete is left as it is.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps ctx's cause when it is stopped; calling it again then goes on. The
// report holds in any case, unless the farm could not begin.
func Farm(ctx context.Context, cfg FarmConfig) (report Report, err error) {
	cfg.Workers = orDefault(cfg.Workers, runtime.GOMAXPROCS(0))
	if cfg.Settings.Episodes == 0 {
		cfg.Tuning.Window = orDefault(cfg.Tuning.Window, cfg.Workers+cfg.Workers/2+1)
	}
	status := &farmStatus{Meter: metered(cfg.Meter), tell: cfg.Status, total: cfg.Settings.Episodes}
	run, err := OpenRun(RunConfig{
		Dir: cfg.Dir, Settings: cfg.Settings, For: cfg.For, Commands: cfg.Commands,
		Meter: cfg.Meter, Log: cfg.Log, Status: status.update, Episode: cfg.Episode, Tuning: cfg.Tuning,
	})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	if run.Complete() {
		return run.Report(), nil
	}
	status.before = run.Report().Episodes
	queue, err := cfg.Open(ctx)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, queue.Close()) }()
	err = PlayRuns(ctx, []*Run{run}, WorkerConfig{
		Queue: queue, Workers: cfg.Workers, Commands: cfg.Commands, Meter: status, Log: cfg.Log, Tuning: cfg.Tuning,
	})
	return run.Report(), err
}
