package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// PlayRuns plays what is missing of several runs side by side: each has its own
// coordinator and collector, and all share the queue and the workers of players. The
// jobs of a run are queued behind those of the runs before it, because workers make
// players anew whenever the next job is of another run; no worker waits for the end of
// a run, and no run that ends for the others. No two may have equal settings.
//
// When ctx is done the collectors are stopped last, so that they take in what the
// workers have finished.
//
// It returns the *DeadJobsError of each run that ends with dead letters, and an
// error that wraps ctx's cause, or the queue's failure, when it is stopped; calling
// it again then goes on.
func PlayRuns(ctx context.Context, runs []*Run, players WorkerConfig) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if mortal, ok := players.Queue.(Mortal); ok {
		go func() {
			select {
			case err := <-mortal.Failed():
				stop(err)
			case <-working.Done():
			}
		}()
	}
	// The collectors tell what is there before the coordinators ask.
	for i, r := range runs {
		if err := r.begin(working, players.Queue, len(runs)); err != nil {
			if stopped(working, err) {
				err = fmt.Errorf("stopped before anything was played: %w", context.Cause(working))
			}
			for _, begun := range runs[:i] {
				err = errors.Join(err, begun.collector.inbox.Close())
			}
			return err
		}
	}
	ends, err := playRuns(working, runs, players)
	if err == nil {
		err = faults(working, ends)
	}
	lasting, cancel := lingering(working, players.Tuning.withDefaults().Grace)
	defer cancel()
	for i, r := range runs {
		r.tell()
		if ends[i] == nil {
			err = errors.Join(err, r.clear(lasting))
		}
	}
	return err
}

// playRuns returns how each run ended, and the error with which a role has failed.
func playRuns(ctx context.Context, runs []*Run, players WorkerConfig) (ends []error, err error) {
	playing, stopPlaying := context.WithCancelCause(ctx)
	defer stopPlaying(nil)
	collecting, stopCollecting := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stopCollecting(nil)

	var others errgroup.Group
	role := func(work func() error) {
		others.Go(func() error {
			err := work()
			if err != nil {
				stopPlaying(err)
			}
			return err
		})
	}
	ends = make([]error, len(runs))
	depth, stall := &depths{meter: metered(players.Meter), runs: map[string][2]int64{}}, newStall()
	var collectors sync.WaitGroup
	var turn <-chan struct{}
	for i, r := range runs {
		coordinating, ended := context.WithCancelCause(playing)
		next := make(chan struct{})
		cfg := CoordinatorConfig{
			Meter: depth.of(r.cfg.Settings.Run()), stall: stall, turn: turn, filled: sync.OnceFunc(func() { close(next) }),
		}
		role(func() error { return r.coordinate(coordinating, cfg) })
		turn = next
		collectors.Go(func() {
			ends[i] = r.collector.collect(collecting)
			if dead := (*DeadJobsError)(nil); ends[i] != nil && !errors.As(ends[i], &dead) {
				stopPlaying(ends[i])
			}
			ended(errRunEnded)
		})
	}
	role(func() error { return Work(playing, players) })
	played := make(chan error, 1)
	go func() {
		err := others.Wait()
		stopCollecting(context.Cause(playing))
		played <- err
	}()
	collectors.Wait()
	stopPlaying(errRunEnded)
	err = <-played
	if cause := context.Cause(playing); err == nil && ctx.Err() == nil && cause != errRunEnded {
		err = cause // a collector's
	}
	return ends, err
}

var errRunEnded = errors.New("the run has ended")

// faults returns what went wrong by how runs ended, and the first of those that were
// merely stopped by ctx.
func faults(ctx context.Context, ends []error) error {
	var first error
	var all []error
	for _, err := range ends {
		switch {
		case err == nil:
		case !stopped(ctx, err):
			all = append(all, err)
		case first == nil:
			first = err
		}
	}
	return errors.Join(append(all, first)...)
}
