package workers

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// falseResultError reports that the result of a job is not what the job must give.
type falseResultError struct {
	job int64
	err error
}

func (e *falseResultError) Error() string { return e.err.Error() }
func (e *falseResultError) Unwrap() error { return e.err }

// resultReader reads whole results in memory that it reuses.
type resultReader struct {
	ep     dataset.Episode
	buffer []byte
}

// read passes the episodes of a whole result of a job to each, until that returns an
// error. It checks that they are those of the job.
func (r *resultReader) read(settings *dataset.Settings, number int64, c *result, each func(*dataset.Episode) error) (err error) {
	first, count := settings.Job(number)
	run := settings.Run()
	data := c.parts[0]
	if c.last > 0 {
		r.buffer = c.join(r.buffer[:0])
		data = r.buffer
	}
	var plies int64
	for number := first; number < first+count; number++ {
		if len(data) == 0 {
			return fmt.Errorf("its result ends before episode %d", number)
		}
		if data, err = dataset.ReadEpisode(data, &r.ep); err != nil {
			return fmt.Errorf("episode %d of its result cannot be read: %w", number, err)
		}
		if r.ep.Run != run || r.ep.Number != number {
			return fmt.Errorf("its result has episode %d of run %s in place of episode %d", r.ep.Number, r.ep.Run, number)
		}
		r.ep.Worker = c.worker
		plies += int64(r.ep.Plies())
		if err := each(&r.ep); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return fmt.Errorf("its result has more data after episode %d", first+count-1)
	}
	if c.total.Episodes != count || c.total.Plies != plies {
		return fmt.Errorf("its result has %d episodes and %d plies, and says that it has %d and %d", count, plies, c.total.Episodes, c.total.Plies)
	}
	return nil
}

// checkers replay results on all cores. Their answers are functions for the goroutine of
// the collector.
type checkers struct {
	settings *dataset.Settings
	free     chan *checker
	answers  chan func(context.Context) error
	pending  int // answers that have not been taken; of the collector's goroutine
	group    sync.WaitGroup
}

// A checker replays results, one after the other.
type checker struct {
	reader   resultReader
	replayer *replay.Replayer // made for the first result
}

// newCheckers fails if this program plays the rules of the settings differently.
func newCheckers(settings *dataset.Settings) (*checkers, error) {
	replayer, err := replay.New(settings)
	if err != nil {
		return nil, err
	}
	n := runtime.GOMAXPROCS(0)
	c := &checkers{settings: settings, free: make(chan *checker, n), answers: make(chan func(context.Context) error)}
	c.free <- &checker{replayer: replayer}
	for range n - 1 {
		c.free <- &checker{}
	}
	return c, nil
}

// busy reports whether enough results are waiting to be checked, so that no more are taken.
func (c *checkers) busy() bool { return c.pending >= 4*cap(c.free) }

// start does something on a free checker. The answer is dropped when ctx is done.
func (c *checkers) start(ctx context.Context, do func(*checker) func(context.Context) error) {
	c.pending++
	c.group.Go(func() {
		var own *checker
		select {
		case own = <-c.free:
		case <-ctx.Done():
			return
		}
		answer := do(own)
		c.free <- own
		select {
		case c.answers <- answer:
		case <-ctx.Done():
		}
	})
}

// replay checks every episode of a whole result. A panic of an engine is an error.
func (c *checker) replay(settings *dataset.Settings, job int64, r *result) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			c.replayer, err = nil, fmt.Errorf("it does not replay: panic: %v\n%s", fault, debug.Stack())
		}
	}()
	if c.replayer == nil {
		if c.replayer, err = replay.New(settings); err != nil {
			return err
		}
	}
	return c.reader.read(settings, job, r, func(ep *dataset.Episode) error {
		if err := c.replayer.Check(ep); err != nil {
			return fmt.Errorf("it does not replay: %w", err)
		}
		return nil
	})
}

// playTotal plays a job of a reproducible plan, to see what its result must be.
func playTotal(ctx context.Context, settings *dataset.Settings, number int64) (total queue.Total, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	plan, err := selfplay.Open(settings, nil)
	if err != nil {
		return total, err
	}
	if need, have := plan.Memory(), machineMemory(); have > 0 && need > have/2 {
		return total, fmt.Errorf("the agents need about %d MiB of the %d MiB of this machine", need>>20, have>>20)
	}
	first, count := settings.Job(number)
	var data []byte
	err = selfplay.PlayAll(ctx, plan, settings.Run(), first, count, 1, func(ep *dataset.Episode) error {
		data = dataset.AppendEpisode(data[:0], ep)
		total.Sum = checksum(total.Sum, data)
		total.Episodes, total.Plies = total.Episodes+1, total.Plies+int64(ep.Plies())
		return nil
	})
	return total, err
}

// check replays a whole result, unless the collector trusts its workers.
func (c *collector) check(ctx context.Context, number int64, r *result) error {
	if c.Trust {
		return c.accept(ctx, number, r)
	}
	c.checkers.start(ctx, func(own *checker) func(context.Context) error {
		begun := time.Now()
		err := own.replay(c.settings, number, r)
		c.Meter.ResultChecked(time.Since(begun), err == nil)
		return func(ctx context.Context) error {
			if job := c.arrivals.jobs[number]; job == nil || !job.has(r) {
				return nil // it is not wanted any more
			}
			if err != nil {
				return c.refuse(ctx, number, r, err)
			}
			return c.accept(ctx, number, r)
		}
	})
	return nil
}

// accept takes in a result that replays. Whether it is ready depends on the other copies
// and on the audit of the job.
func (c *collector) accept(ctx context.Context, number int64, r *result) error {
	r.accepted = true
	job := c.arrivals.jobs[number]
	c.workers[r.worker] = true
	if !c.reproducible {
		return c.makeReady(ctx, number, r)
	}
	for _, other := range job.copies {
		if other != r && (other.accepted || other.whole && *other.total != *r.total) {
			return c.compare(ctx, number, other.worker, r.worker, *other.total, *r.total)
		}
	}
	if c.chosenForAudit(number) {
		return c.requestAudit(ctx, number, r)
	}
	return c.makeReady(ctx, number, r)
}

// refuse drops a false result, quarantines its worker, and has the job played again.
func (c *collector) refuse(ctx context.Context, number int64, r *result, cause error) error {
	c.Log.Error("a false result is dropped", "run", c.Run, "job", number, "worker", r.worker, "error", cause)
	c.arrivals.jobs[number].forget(r)
	if err := c.quarantine(ctx, r.worker, fmt.Sprintf("run %s, job %d: %v", c.Run, number, cause)); err != nil {
		return err
	}
	return c.failed(ctx, number, r.worker, cause)
}

// failed counts a result that could not be used. The job is played again unless another
// copy is held, and becomes a dead letter when that has happened too often.
func (c *collector) failed(ctx context.Context, number int64, worker string, cause error) error {
	c.failures[number]++
	if n := c.failures[number]; n >= c.Tuning.MaxDeliveries {
		delete(c.failures, number)
		return c.bury(ctx, number, worker, cause, n)
	}
	if job := c.arrivals.jobs[number]; job != nil && len(job.copies) == 0 && job.chosen == nil {
		c.drop(number)
	}
	return nil
}

// drop acknowledges what has arrived of a job, so that the coordinator queues it again.
func (c *collector) drop(number int64) {
	for _, ack := range c.arrivals.remove(number) {
		ack()
	}
}

// quarantine has a worker take no more jobs, and drops its results that are not in the
// data set.
func (c *collector) quarantine(ctx context.Context, worker, reason string) error {
	if c.quarantined[worker] {
		return nil
	}
	if err := c.Queue.Quarantine(ctx, worker, reason); err != nil {
		return err
	}
	c.quarantined[worker] = true
	c.Meter.WorkerQuarantined()
	c.Log.Error("a worker is quarantined", "run", c.Run, "worker", worker, "reason", reason)
	for number, job := range c.arrivals.jobs {
		if job.chosen != nil && job.chosen.worker == worker || slices.ContainsFunc(job.copies, func(r *result) bool { return r.worker == worker }) {
			c.drop(number)
		}
	}
	return nil
}
