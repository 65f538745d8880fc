package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Answers to a message that was delivered.
const (
	ack      = "+ACK"
	nak      = "-NAK"
	term     = "+TERM"
	progress = "+WPI"
)

// heldJob is a job that a worker holds.
type heldJob struct {
	queue      *Queue
	msg        *nats.Msg
	job        queue.Job
	deliveries int
	lease      *lease
}

// hold reads a message of the stream of jobs and holds it.
func (q *Queue) hold(msg *nats.Msg) (*heldJob, error) {
	job, err := parseJobSubject(msg.Subject)
	if err != nil {
		return nil, err
	}
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	if job.Kind == queue.Audit {
		var fields jobFields
		if err := strict(msg.Data, &fields); err != nil {
			return nil, fmt.Errorf("audit of job %d of run %s: %w", job.Number, job.Run, err)
		}
		job.Not = fields.Not
	} else if len(msg.Data) > 0 {
		return nil, fmt.Errorf("job %d of run %s has %d bytes, must be empty", job.Number, job.Run, len(msg.Data))
	}
	return &heldJob{
		queue: q, msg: msg, job: job, deliveries: int(meta.NumDelivered), lease: q.keeper.hold(msg.Reply, msg.Subject, true),
	}, nil
}

func (h *heldJob) Job() *queue.Job { return &h.job }

func (h *heldJob) Deliveries() int { return h.deliveries }

func (h *heldJob) Extend() { h.lease.moved.Store(true) }

func (h *heldJob) Done(ctx context.Context) error {
	defer h.queue.keeper.release(h.lease)
	limited, cancel := context.WithTimeout(ctx, h.queue.options.AckWait)
	defer cancel()
	return h.queue.persist(limited, "acknowledging "+h.msg.Subject, func(ctx context.Context) error {
		msg := nats.NewMsg(h.msg.Reply)
		msg.Data = []byte(ack)
		_, err := h.queue.request(ctx, msg)
		if !errors.Is(err, nats.ErrNoResponders) {
			return err
		}
		_, gone := h.queue.consumerInfo(ctx, jobsStream, workersConsumer+h.job.Run)
		var missing *missingStream
		if errors.Is(gone, jetstream.ErrConsumerNotFound) || errors.As(gone, &missing) {
			return nil // the run was forgotten, or the server has lost the job
		}
		return err
	})
}

func (h *heldJob) Retry(_ context.Context, pause time.Duration) error {
	defer h.queue.keeper.release(h.lease)
	delay, err := json.Marshal(struct {
		Delay time.Duration `json:"delay"`
	}{max(0, pause)})
	if err != nil {
		return err
	}
	return h.queue.conn.Publish(h.msg.Reply, append([]byte(nak+" "), delay...))
}

// Release removes the job from the stream, since JetStream counts every delivery, and a
// worker has no right to queue a job.
func (h *heldJob) Release(ctx context.Context) error { return h.Done(ctx) }
