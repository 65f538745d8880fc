package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// jobFields is the content of the message of an audit. Other messages of jobs are empty:
// their subject says everything.
type jobFields struct {
	Not string `json:"not,omitempty"`
}

// Enqueue implements queue.Coordinator.
func (q *Queue) Enqueue(ctx context.Context, jobs ...*queue.Job) error {
	messages := make([]*nats.Msg, len(jobs))
	for i, job := range jobs {
		msg, err := jobMessage(job)
		if err != nil {
			return err
		}
		messages[i] = msg
	}
	if len(messages) > 1 {
		messages = q.publishAhead(ctx, messages)
	}
	for _, msg := range messages {
		err := q.persist(ctx, "queueing "+msg.Subject, func(ctx context.Context) error {
			err := q.publish(ctx, jobsStream, msg)
			if isQueued(err) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func jobMessage(job *queue.Job) (*nats.Msg, error) {
	if job.Number < 0 || job.Number >= maxJob || job.Kind > queue.Audit {
		return nil, fmt.Errorf("job %d of kind %v cannot be queued; the number must be 0 to %d", job.Number, job.Kind, int64(maxJob-1))
	}
	msg := nats.NewMsg(jobSubject(job))
	if job.Kind == queue.Audit {
		data, err := json.Marshal(jobFields{job.Not})
		if err != nil {
			return nil, fmt.Errorf("job %d: %w", job.Number, err)
		}
		msg.Data = data
	}
	return msg, nil
}

// publishAhead sends messages of jobs without waiting for the answer to each before the
// next, and returns those of which it does not learn that they are queued.
func (q *Queue) publishAhead(ctx context.Context, messages []*nats.Msg) (rest []*nats.Msg) {
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answers := make([]jetstream.PubAckFuture, len(messages))
	for i, msg := range messages {
		answer, err := q.js.PublishMsgAsync(&nats.Msg{Subject: msg.Subject, Header: msg.Header, Data: msg.Data}, jetstream.WithRetryAttempts(0))
		if err != nil {
			return append(rest, messages...) // the same error or its cause comes again
		}
		answers[i] = answer
	}
	for i, answer := range answers {
		select {
		case <-answer.Ok():
		case err := <-answer.Err():
			if !isQueued(err) {
				rest = append(rest, messages[i])
			}
		case <-limited.Done():
			rest = append(rest, messages[i])
		}
	}
	return rest
}

// RequestAudit implements queue.Collector.
func (q *Queue) RequestAudit(ctx context.Context, job *queue.Job) error {
	if job.Kind != queue.Audit {
		return fmt.Errorf("job %d is of kind %v, must be an audit", job.Number, job.Kind)
	}
	return q.Enqueue(ctx, job)
}

// Queued implements queue.Coordinator and queue.Collector.
func (q *Queue) Queued(ctx context.Context, run string) (queued queue.Queued, err error) {
	err = q.persist(ctx, "listing the jobs of run "+run, func(ctx context.Context) (err error) {
		queued, err = q.queued(ctx, run)
		return err
	})
	if q.ours(run) != nil {
		q.housekeep(ctx)
	}
	return queued, err
}

func (q *Queue) queued(ctx context.Context, run string) (queue.Queued, error) {
	queued := queue.Queued{Jobs: map[int64]bool{}, Audits: map[int64]bool{}, Results: map[int64]bool{}}
	jobs, err := q.info(ctx, jobsStream, jobsPrefix+run+".*.*")
	if err != nil {
		return queued, err
	}
	consumer, err := q.consumerInfo(ctx, jobsStream, workersConsumer+run)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return queued, err
	}
	if err := q.keepRun(ctx, run, err == nil); err != nil {
		return queued, err
	}
	results, err := q.info(ctx, resultsStream, resultsPrefix+run+".>")
	if err != nil {
		return queued, err
	}
	for subject, n := range jobs.State.Subjects {
		queued.Waiting += int64(n)
		job, err := parseJobSubject(subject)
		switch {
		case err != nil:
			q.removeForeign(ctx, jobsStream, subject, err)
		case job.Kind == queue.Audit:
			queued.Audits[job.Number] = true
		default:
			queued.Jobs[job.Number] = true
		}
	}
	for subject, n := range results.State.Subjects {
		_, job, audit, err := parseResultSubject(subject)
		if err != nil {
			continue // the collector removes it
		}
		queued.Messages += int64(n)
		if !audit {
			queued.Results[job] = true
		}
	}
	queued.Waiting, queued.Idle = max(0, queued.Waiting-int64(consumer.NumAckPending)), int64(consumer.NumWaiting)
	return queued, nil
}

// removeForeign removes the messages of a subject that is not a farm's.
func (q *Queue) removeForeign(ctx context.Context, stream, subject string, reason error) {
	q.options.Log.Error("foreign messages are removed", "subject", subject, "error", reason)
	if err := q.purge(ctx, stream, subject); err != nil {
		q.options.Log.Debug("foreign messages stay", "subject", subject, "error", err)
	}
}

// Withdraw implements queue.Coordinator.
func (q *Queue) Withdraw(ctx context.Context, run string) error {
	return q.persist(ctx, "withdrawing the jobs of run "+run, func(ctx context.Context) error {
		return q.purge(ctx, jobsStream, jobsPrefix+run+".*.*")
	})
}
