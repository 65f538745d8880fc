package workers

import (
	"context"
	"errors"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A mailbag receives from an inbox on its own goroutine.
type mailbag struct {
	next chan queue.Arrival
	done chan error
}

func (c *collector) open(lasting context.Context) mailbag {
	inbox, b := c.inbox, mailbag{next: make(chan queue.Arrival), done: make(chan error, 1)}
	go func() {
		for {
			arrival, err := inbox.Next(lasting)
			if err != nil {
				b.done <- err
				return
			}
			select {
			case b.next <- arrival:
			case <-lasting.Done():
				return
			}
		}
	}()
	return b
}

// receive returns when the run has ended, or ctx is done or the run is cancelled and what
// was under way has arrived, or lasting is done.
func (c *collector) receive(ctx, lasting context.Context) error {
	due := time.NewTimer(c.Tuning.Tick)
	defer due.Stop()
	for !c.ended() {
		next := c.bag.next
		var answers chan func(context.Context) error
		if c.checkers != nil {
			answers = c.checkers.answers
			if c.checkers.busy() {
				next = nil
			}
		}
		select {
		case arrival := <-next:
			if err := c.take(lasting, arrival); err != nil {
				return err
			}
		case answer := <-answers:
			c.checkers.pending--
			if err := answer(lasting); err != nil {
				return err
			}
		case err := <-c.bag.done:
			if lasting.Err() != nil {
				return nil
			}
			if !errors.Is(err, queue.ErrNoRun) {
				return err
			}
			if err := c.reopen(lasting, err); err != nil {
				return err
			}
			c.bag = c.open(lasting)
		case <-lasting.Done():
			return nil
		case <-due.C:
			begun := time.Now()
			if err := c.look(lasting); err != nil {
				return err
			}
			if ctx.Err() != nil || c.cancelled {
				if drained, err := c.drained(lasting); drained || err != nil {
					return err
				}
			}
			due.Reset(pause(c.Tuning.Tick, time.Since(begun)))
		}
	}
	return nil
}

// awaitRetirement repeats the last progress and removes late results until the queue does
// not know the run any more: the coordinator ends by the progress, so that one must be
// right when no collector is left to correct it.
func (c *collector) awaitRetirement(ctx context.Context) error {
	late, again := time.NewTimer(c.Tuning.Settle), time.NewTicker(c.Tuning.Report)
	defer late.Stop()
	defer again.Stop()
	for {
		select {
		case arrival := <-c.bag.next:
			arrival.Ack()
		case err := <-c.bag.done:
			if errors.Is(err, queue.ErrNoRun) || errors.Is(err, queue.ErrTakenOver) {
				return nil
			}
			return err
		case <-again.C:
			if err := c.publish(ctx); err != nil && !stopped(ctx, err) {
				return err
			}
		case <-ctx.Done():
			return nil
		case <-late.C:
			return nil
		}
	}
}

// reopen waits until a run that the queue has lost is announced again.
func (c *collector) reopen(ctx context.Context, lost error) error {
	c.Log.Warn("the queue does not know the run any more; the collector waits for its coordinator", "run", c.Run)
	c.Meter.Ready(lost)
	for deadline := time.Now().Add(c.Tuning.Patience); ; {
		inbox, err := c.Queue.Collect(ctx, c.Run, c.Share)
		if err == nil {
			err = errors.Join(c.inbox.Close())
			c.inbox = inbox
			if errors.Is(err, queue.ErrNoRun) {
				err = nil
			}
			c.Meter.Ready(nil)
			return errors.Join(err, c.publish(ctx))
		}
		if !errors.Is(err, queue.ErrNoRun) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(c.Tuning.Scout):
		}
	}
}

// ended reports whether no job of the run is missing any more once the ready jobs
// are in the data set.
func (c *collector) ended() bool {
	if c.end < 0 {
		return false
	}
	wanted := c.below(c.end)
	if c.jobs.Len()+int64(len(c.dead.jobs))+c.arrivals.ready.Jobs < wanted {
		return false
	}
	if len(c.dead.jobs) > 0 && c.checkers != nil && c.checkers.pending > 0 {
		return false // the result of a dead job may be among those that are being checked
	}
	// There may be jobs above the end, of an earlier call that wanted more.
	finished := c.jobs.Below(c.end) + c.dead.list().Below(c.end)
	for number, job := range c.arrivals.jobs {
		if job.chosen != nil && number < c.end {
			finished++
		}
	}
	return finished >= wanted
}

// drained reports whether the collector holds everything that waits for it, and has
// checked it.
func (c *collector) drained(ctx context.Context) (bool, error) {
	queued, err := c.Queue.Queued(ctx, c.Run)
	if err != nil {
		return false, err
	}
	return c.received(&queued) && (c.checkers == nil || c.checkers.pending == 0), nil
}

// received reports whether the collector holds everything that waits for it. The number of
// messages is that of all shares, so the collector of one of several holds something of
// each job of which something waits.
func (c *collector) received(queued *queue.Queued) bool {
	if c.Share.Of > 1 {
		for job := range queued.Results {
			if c.Share.Has(job) && c.arrivals.jobs[job] == nil {
				return false
			}
		}
		return true
	}
	var held int64
	for _, job := range c.arrivals.jobs {
		held += int64(len(job.acks))
	}
	return queued.Messages <= held
}

// take handles one arrival.
func (c *collector) take(ctx context.Context, in queue.Arrival) error {
	number := in.Job()
	if !c.hasJob(number) {
		c.Log.Warn("a result in the queue is removed: it belongs to no job of the run", "run", c.Run, "job", number)
		in.Ack()
		return nil
	}
	switch {
	case in.Audit != nil:
		return c.takeAudit(ctx, in)
	case in.Dead != nil:
		return c.takeDead(ctx, in)
	case c.jobs.Has(number) || c.quarantined[in.Part.Worker]:
		c.Meter.PartDropped()
		in.Ack()
		return nil
	}
	whole, err := c.arrivals.add(in.Part, in.Ack)
	if err != nil {
		c.Log.Warn("a result is dropped", "run", c.Run, "job", number, "error", err)
		return c.failed(ctx, number, in.Part.Worker, err)
	}
	if whole == nil {
		return nil
	}
	return c.check(ctx, number, whole)
}

// maxAhead is more than a coordinator ever queues above the first job of a run without an
// end that is not finished.
const maxAhead = 1 << 16

func (c *collector) hasJob(number int64) bool {
	if !c.Share.Has(number) {
		return false
	}
	if !hasJob(c.settings, number) || c.settings.Jobs() >= 0 {
		return hasJob(c.settings, number)
	}
	known := c.jobs.Len() + int64(len(c.dead.jobs)+len(c.arrivals.jobs))
	return number < known*int64(max(1, c.Share.Of))+maxAhead
}
