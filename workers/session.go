package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A session plays several runs side by side: each has its own coordinator and
// collector, and all share the queue and the workers. The jobs of a run are queued
// behind those of the runs before it, because workers make new players whenever
// the next job belongs to another run.
//
// Three scopes end the roles in the right order:
//
//	ctx ─── playing            workers; ends when a role or the queue fails, or all collectors have returned
//	           └─ coordinating one per run; ends when its collector has returned
//	collecting                 collectors; ends when workers and coordinators have returned
//
// So the collectors still receive what the workers finish after ctx is done.
type session struct {
	cfg    *Config
	queue  queue.Queue
	runs   []*activeRun
	status *statusMeter
}

// play returns the *DeadJobsError of each run that ends with dead letters, the
// error of a role or of the queue that fails, and the cause of ctx when it is done.
func (s *session) play(ctx context.Context) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if failer, ok := s.queue.(queue.Failer); ok {
		go func() {
			select {
			case err := <-failer.Failed():
				stop(err)
			case <-working.Done():
			}
		}()
	}
	// The collectors publish what is in the data sets before the coordinators ask.
	for i, r := range s.runs {
		if err := r.begin(working, s.queue, len(s.runs)); err != nil {
			if stopped(working, err) {
				err = fmt.Errorf("stopped before anything was played: %w", context.Cause(working))
			}
			for _, begun := range s.runs[:i] {
				err = errors.Join(err, begun.collector.inbox.Close())
			}
			return err
		}
	}
	ends, err := s.playRoles(working)
	if err == nil {
		err = faults(working, ends)
	}
	lasting, cancel := lingering(working, s.cfg.Tuning.withDefaults().Grace)
	defer cancel()
	for i, r := range s.runs {
		s.status.update(r, r.collector.published, queue.Queued{})
		if dead := (*DeadJobsError)(nil); ends[i] == nil || errors.As(ends[i], &dead) {
			err = errors.Join(err, s.queue.Forget(lasting, r.collector.Run))
		}
	}
	// A role that did not finish within the grace reports only that it was stopped, and a
	// session that ends by itself does not report why its queue will serve no other.
	if cause := context.Cause(working); cause != nil && (err != nil || ctx.Err() == nil) && !errors.Is(err, cause) {
		err = errors.Join(err, cause)
	}
	return err
}

var errRunEnded = errors.New("the run has ended")

// playRoles returns how each run ended, and the error of a role that failed.
func (s *session) playRoles(ctx context.Context) (ends []error, err error) {
	playing, stopPlaying := context.WithCancelCause(ctx)
	defer stopPlaying(nil)
	collecting, stopCollecting := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stopCollecting(nil)

	var others errgroup.Group // workers and coordinators
	role := func(work func() error) {
		others.Go(func() error {
			err := work()
			if err != nil {
				stopPlaying(err)
			}
			return err
		})
	}
	ends = make([]error, len(s.runs))
	stall := newStall()
	var collectors sync.WaitGroup
	var turn <-chan struct{}
	for i, r := range s.runs {
		coordinating, ended := context.WithCancelCause(playing)
		next := make(chan struct{})
		c := s.coordinator(r)
		c.stall, c.turn, c.filled = stall, turn, sync.OnceFunc(func() { close(next) })
		role(func() error { return s.coordinate(coordinating, r, c) })
		turn = next
		collectors.Go(func() {
			ends[i] = r.collector.collect(collecting)
			if dead := (*DeadJobsError)(nil); ends[i] != nil && !errors.As(ends[i], &dead) {
				stopPlaying(ends[i])
			}
			ended(errRunEnded)
		})
	}
	role(func() error { return s.work(playing) })
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
		err = cause // the error of a collector
	}
	return ends, err
}

// coordinator returns the coordinator of a run.
func (s *session) coordinator(r *activeRun) *coordinator {
	c := newCoordinator(CoordinatorConfig{
		Queue: s.queue, Plan: r.Plan, For: r.For, Meter: s.status, Log: s.cfg.Log, Tuning: r.tuning,
	}, r.jobs)
	c.observe = func(progress queue.Progress, queued queue.Queued) { s.status.update(r, progress, queued) }
	if order := r.collector.order; order != nil {
		c.ordered, c.enough = true, order.enough
	}
	return c
}

// coordinate runs the coordinator of a run until it is stopped, which is not an
// error: the collector knows when the run has ended.
func (s *session) coordinate(ctx context.Context, r *activeRun, c *coordinator) error {
	defer c.filled()
	err := c.coordinate(ctx)
	s.status.update(r, queue.Progress{}, queue.Queued{})
	if dead := (*DeadJobsError)(nil); errors.As(err, &dead) || stopped(ctx, err) {
		return nil // the collector reports it too
	}
	return err
}

// work runs the workers, which share the plans of the runs.
func (s *session) work(ctx context.Context) error {
	cfg := WorkerConfig{
		Queue: s.queue, Workers: s.cfg.Workers, Name: s.cfg.Name, Version: s.cfg.Version, Memory: s.cfg.Memory,
		Commands: s.cfg.Commands, KeepCrashes: s.cfg.KeepCrashes, Meter: s.status, Log: s.cfg.Log, Tuning: s.cfg.Tuning,
	}
	if s.cfg.Trust { // no other process could play meanwhile
		cfg.Tuning.RestMost = cfg.Tuning.withDefaults().Rest
	}
	roster := newRoster(cfg.withDefaults())
	for _, r := range s.runs {
		roster.keep(r.Plan)
	}
	return work(ctx, roster)
}

// faults returns the errors with which runs ended. Of the runs that ctx merely
// stopped, it includes only the first error.
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

// stopped reports whether err only says that ctx is done.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err()))
}
