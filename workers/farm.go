package workers

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
)

// Farm plays a run into its data set with all roles in this process, and
// continues where the data set ends. It locks the folder before it opens the
// queue. A run that is complete is left as it is.
//
// It returns a *DeadJobsError when the run ends with dead letters, and an error
// that wraps ctx's cause when it is stopped; calling it again then goes on. The
// report holds in any case, unless the farm could not begin.
func Farm(ctx context.Context, cfg FarmConfig) (report Report, err error) {
	plan, err := selfplay.FromSettings(&cfg.Settings, cfg.Commands)
	if err != nil {
		return Report{}, err
	}
	lock, err := dataset.AcquireLock(cfg.Dir)
	if err != nil {
		return Report{}, err
	}
	giveBack := lock.Release
	defer func() { err = errors.Join(err, giveBack()) }()

	collecting := CollectorConfig{
		Dir: cfg.Dir, Run: cfg.Settings.Run(), Meter: cfg.Meter, Log: cfg.Log, Episode: cfg.Episode, Tuning: cfg.Tuning,
	}
	var c *collector
	if _, err := dataset.Load(cfg.Dir); errors.Is(err, dataset.ErrNoDataSet) {
		giveBack = lock.Discard // until there is a data set
	} else if c, err = newCollector(lock, &cfg.Settings, collecting); err != nil {
		return Report{}, err
	} else if c.writer.Manifest().Complete {
		return c.report(), nil
	}
	if err := selfplay.TryPlayer(plan); err != nil {
		return Report{}, err // no job would fare better
	}
	queue, err := cfg.Open(ctx)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, queue.Close()) }()
	if c == nil {
		if c, err = newCollector(lock, &cfg.Settings, collecting); err != nil {
			return Report{}, err
		}
		giveBack = lock.Release
	}
	c.Queue = queue
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if mortal, ok := c.Queue.(Mortal); ok {
		go func() {
			select {
			case err := <-mortal.Failed():
				stop(err)
			case <-working.Done():
			}
		}()
	}
	if err := farm(working, cfg, c); err != nil {
		return c.report(), err
	}
	return c.report(), queue.Retire(ctx, c.Run)
}

// farm runs the roles. The collector knows when the run has ended; when ctx is
// done it is stopped last, so that it takes in what the workers have finished.
func farm(ctx context.Context, cfg FarmConfig, c *collector) error {
	cfg.Workers = orDefault(cfg.Workers, runtime.GOMAXPROCS(0))
	if cfg.Settings.Episodes == 0 {
		cfg.Tuning.Window = orDefault(cfg.Tuning.Window, cfg.Workers+cfg.Workers/2+1)
	}
	status := &farmStatus{Meter: c.meter, tell: cfg.Status, total: cfg.Settings.Episodes, before: c.before}
	// The collector tells what is there before the coordinator asks.
	if err := announce(ctx, c.Queue, &cfg.Settings); err != nil {
		return err
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	playing, stopPlaying := context.WithCancelCause(ctx)
	defer stopPlaying(nil)
	collecting, stopCollecting := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stopCollecting(nil)

	var players errgroup.Group
	players.Go(func() error {
		err := Coordinate(playing, CoordinatorConfig{
			Queue: c.Queue, Settings: cfg.Settings, For: cfg.For,
			Meter: c.meter, Log: cfg.Log, Status: status.update, Tuning: cfg.Tuning,
		})
		if dead := (*DeadJobsError)(nil); errors.As(err, &dead) || stopped(playing, err) {
			return nil // the collector says it too
		}
		if err != nil {
			stopPlaying(err)
		}
		return err
	})
	players.Go(func() error {
		err := Work(playing, WorkerConfig{
			Queue: c.Queue, Workers: cfg.Workers, Commands: cfg.Commands, Meter: status, Log: cfg.Log, Tuning: cfg.Tuning,
		})
		if err != nil {
			stopPlaying(err)
		}
		return err
	})
	played := make(chan error, 1)
	go func() {
		err := players.Wait()
		stopCollecting(context.Cause(playing))
		played <- err
	}()
	err := c.collect(collecting)
	stopPlaying(errRunEnded)
	playErr := <-played
	status.update(c.told, Queued{})
	if playErr != nil {
		return playErr
	}
	return err
}

var errRunEnded = errors.New("the run has ended")
