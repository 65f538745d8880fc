package workers

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// commit writes the ready jobs into the data set, publishes the progress, and only
// then acknowledges their parts.
func (c *collector) commit(ctx context.Context) error {
	for {
		var numbers []int64
		for number, job := range c.arrivals.jobs {
			if job.chosen != nil && (c.order == nil || number < c.order.next) {
				numbers = append(numbers, number)
			}
		}
		if len(numbers) == 0 {
			break
		}
		slices.Sort(numbers)
		shard, err := c.writer.Commit(numbers, c.arrivals.read(c.settings, numbers, c.Episode))
		if bad := (*falseResultError)(nil); errors.As(err, &bad) {
			if err := c.refuseReady(ctx, bad); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := c.committed(ctx, &shard); err != nil {
			return err
		}
	}
	c.since = time.Time{}
	return nil
}

// committed follows up a shard that is safe on disk.
func (c *collector) committed(ctx context.Context, shard *dataset.Shard) (err error) {
	if c.jobs, err = c.jobs.Union(shard.Jobs); err != nil {
		return err
	}
	c.Meter.ShardCommitted(shard.Episodes.Rows, shard.Steps.Rows, shard.Episodes.Bytes+shard.Steps.Bytes)
	c.Log.Debug("shard written", "run", c.Run, "shard", shard.Number, "episodes", shard.Episodes.Rows, "plies", shard.Steps.Rows)
	var acks []func()
	for number := range shard.Jobs.All() {
		acks = append(acks, c.arrivals.remove(number)...)
		if err := removeDeadLetter(c.Dir, number); err != nil {
			return err
		}
	}
	return c.publishAndAck(ctx, acks)
}

// look does what is due by the clock.
func (c *collector) look(ctx context.Context) (err error) {
	if c.settings.Jobs() < 0 {
		if c.end, err = c.Queue.End(ctx, c.Run); err != nil && !errors.Is(err, queue.ErrNoRun) {
			return err
		}
	}
	now := time.Now()
	if since := now.Sub(c.slowLook); since >= c.Tuning.Scout {
		c.slowLook = now
		if err := c.lookSlowly(ctx, now, since); err != nil && !errors.Is(err, queue.ErrNoRun) {
			return err
		}
	}
	if c.arrivals.ready.Jobs > 0 && now.Sub(c.since) >= c.Tuning.ShardAfter {
		return c.commit(ctx)
	}
	if c.published.Arrived != c.arrivals.ready || now.Sub(c.published.At) >= c.Tuning.Report {
		return c.publish(ctx)
	}
	return nil
}

// lookSlowly looks at the orders, and at the jobs of which something has arrived and that
// are not ready.
func (c *collector) lookSlowly(ctx context.Context, now time.Time, since time.Duration) error {
	orders, err := c.Queue.Orders(ctx, c.Run)
	if err != nil {
		return err
	}
	c.cancelled = orders.Cancelled
	if int64(len(c.arrivals.jobs)) == c.arrivals.ready.Jobs {
		return nil
	}
	queued, err := c.Queue.Queued(ctx, c.Run)
	if err != nil {
		return err
	}
	c.dropUnfinished(&queued)
	if len(queued.Jobs) > 0 {
		since = 0
	}
	return c.lookAtAudits(ctx, now, since)
}

// dropUnfinished drops the jobs of which only some parts have arrived, when the others are
// not to be expected: no worker plays the job, and everything that waits has arrived. The
// coordinator queues them again.
func (c *collector) dropUnfinished(queued *queue.Queued) {
	looks := 2 // a job may be on its way from one place to the other at one
	if c.Share.Of > 1 {
		looks = 5 // part of a job may wait behind others, see received
	}
	received := c.received(queued)
	for number, job := range c.arrivals.jobs {
		if job.chosen != nil || job.hasWhole() {
			continue
		}
		if !received || queued.Jobs[number] {
			job.looks = 0
			continue
		}
		if job.looks++; job.looks >= looks {
			c.Log.Warn("a result of which parts are missing is dropped; the job is played again", "run", c.Run, "job", number)
			c.drop(number)
		}
	}
}

// publish publishes the progress.
func (c *collector) publish(ctx context.Context) error {
	own, now := c.written(), time.Now()
	c.published = queue.Progress{
		Run: c.Run, Share: c.Share, Jobs: c.jobs, Dead: c.dead.list(),
		Episodes: own.Episodes, Plies: own.Plies, Bytes: own.Bytes, Shards: own.Shards,
		Arrived: c.arrivals.ready, At: now,
	}
	c.published.Speed = c.speed.per(now, float64(c.published.Episodes+c.published.Arrived.Episodes-c.before))
	c.Meter.CollectorLag(c.arrivals.oldest(now))
	if c.Status != nil {
		c.Status(c.published)
	}
	if err := c.Queue.PutProgress(ctx, &c.published); !errors.Is(err, queue.ErrNoRun) { // which the inbox reports
		return err
	}
	return nil
}

func (c *collector) publishAndAck(ctx context.Context, acks []func()) error {
	if err := c.publish(ctx); err != nil {
		return err
	}
	for _, ack := range acks {
		ack()
	}
	return nil
}
