package workers

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// An audit compares the result of a job with what another worker process plays.
type audit struct {
	of       *result
	since    time.Time
	idle     time.Duration // while no other job of the run waited or was played
	deciding bool          // a third play is under way
}

// chosenForAudit reports whether a job is one of those that are audited: the run and the
// number decide. There must be another worker.
func (c *collector) chosenForAudit(number int64) bool {
	if c.Trust || len(c.workers) < 2 || c.Tuning.AuditShare <= 0 {
		return false
	}
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64([]byte(c.Run), uint64(number)))
	const buckets = 1 << 20
	return float64(h.Sum64()%buckets) < c.Tuning.AuditShare*buckets
}

// requestAudit has another worker play the job, which waits for the answer.
func (c *collector) requestAudit(ctx context.Context, number int64, r *result) error {
	c.arrivals.jobs[number].audited = &audit{of: r, since: time.Now()}
	return c.Queue.RequestAudit(ctx, &queue.Job{Run: c.Run, Number: number, Kind: queue.Audit, Not: r.worker})
}

// takeAudit takes the answer of another worker.
func (c *collector) takeAudit(ctx context.Context, in queue.Arrival) error {
	answer := in.Audit
	job := c.arrivals.jobs[answer.Job]
	if job == nil || job.audited == nil || job.audited.deciding || answer.Worker == job.audited.of.worker || c.quarantined[answer.Worker] {
		in.Ack()
		return nil
	}
	job.acks = append(job.acks, in.Ack)
	of := job.audited.of
	return c.compare(ctx, answer.Job, of.worker, answer.Worker, *of.total, answer.Total)
}

// compare compares what two workers have played of a job. If that differs, this process
// plays the job too, and the worker that differs from it is quarantined.
func (c *collector) compare(ctx context.Context, number int64, worker, other string, total, otherTotal queue.Total) error {
	job := c.arrivals.jobs[number]
	if total == otherTotal {
		if job.audited != nil {
			c.Meter.Audited(AuditSame)
		}
		for _, r := range job.copies {
			if r.accepted {
				return c.makeReady(ctx, number, r)
			}
		}
	}
	if job.audited == nil {
		job.audited = &audit{since: time.Now()}
	}
	if job.audited.deciding {
		return nil
	}
	job.audited.deciding = true
	c.Meter.Audited(AuditDifferent)
	c.Log.Warn("two workers have played a job differently; it is played a third time", "run", c.Run, "job", number, "worker", worker, "other", other)
	played := map[string]queue.Total{worker: total, other: otherTotal}
	c.checkers.start(ctx, func(*checker) func(context.Context) error {
		truth, err := playTotal(ctx, c.settings, number)
		return func(ctx context.Context) error { return c.decide(ctx, number, job, played, truth, err) }
	})
	return nil
}

// decide ends a comparison of workers that differ.
func (c *collector) decide(ctx context.Context, number int64, job *arrived, played map[string]queue.Total, truth queue.Total, fault error) error {
	if c.arrivals.jobs[number] != job || job.chosen != nil {
		return nil
	}
	if fault != nil {
		c.Log.Error("a job that two workers have played differently cannot be played here; it is queued again", "run", c.Run, "job", number, "error", fault)
		c.drop(number)
		return nil
	}
	var honest *result
	for _, r := range job.copies {
		if r.accepted && *r.total == truth {
			honest = r
		}
	}
	if honest != nil {
		if err := c.makeReady(ctx, number, honest); err != nil {
			return err
		}
	} else {
		c.drop(number)
	}
	for worker, total := range played {
		if total != truth {
			if err := c.quarantine(ctx, worker, "run "+c.Run+": it played a job differently from two other processes"); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookAtAudits ends the audits that no worker answers. idle is the time since the last
// look if no other job of the run waited or was played in it.
func (c *collector) lookAtAudits(ctx context.Context, now time.Time, idle time.Duration) error {
	const busy = 20 // times the patience: other jobs are before the audit in the queue
	for number, job := range c.arrivals.jobs {
		a := job.audited
		if a == nil || a.deciding {
			continue
		}
		a.idle += idle
		if a.idle < c.Tuning.AuditPatience && now.Sub(a.since) < busy*c.Tuning.AuditPatience {
			continue
		}
		c.Meter.Audited(AuditUnanswered)
		if err := c.makeReady(ctx, number, a.of); err != nil {
			return err
		}
	}
	return nil
}
