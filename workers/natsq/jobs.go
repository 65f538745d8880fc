package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers"
)

const (
	pollJobs = 2 * time.Second        // how long one request for a job waits
	pollRoom = 200 * time.Millisecond // how long a worker waits before it looks for room again
)

// deliveriesHeader is a header of a released job: the number of its earlier
// deliveries, without those that ended in a release.
const deliveriesHeader = "Sandtable-Deliveries"

// Enqueue implements workers.Queue.
func (q *Queue) Enqueue(ctx context.Context, job *workers.Job) error {
	data, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("job %d: %w", job.Number, err)
	}
	msg := nats.NewMsg(subject(jobsPrefix, job.Run, job.Number))
	msg.Data = data
	return q.enqueue(ctx, msg)
}

func (q *Queue) enqueue(ctx context.Context, msg *nats.Msg) error {
	return q.persist(ctx, "queueing "+msg.Subject, func(ctx context.Context) error {
		_, err := q.js.PublishMsg(ctx, msg)
		if isQueued(err) {
			return nil
		}
		return err
	})
}

// NextJob implements workers.Queue.
func (q *Queue) NextJob(ctx context.Context) (workers.HeldJob, error) {
	for {
		if err := q.awaitRoom(ctx); err != nil {
			return nil, err
		}
		msg, err := q.fetch(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && msg == nil:
			continue
		case errors.Is(err, jetstream.ErrConsumerDeleted), errors.Is(err, jetstream.ErrConsumerNotFound):
			if err := q.persist(ctx, "requesting jobs", q.makeWorkers); err != nil {
				return nil, err
			}
			continue
		case err != nil && passing(err):
			if err := sleep(ctx, pollRoom); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, fmt.Errorf("requesting a job: %w", err)
		}
		held, err := q.hold(msg)
		if err != nil {
			q.options.Log.Error("a message that is not a job is removed", "subject", msg.Subject(), "error", err)
			_ = msg.Term() // if this fails, it is delivered again, and removed then
			continue
		}
		return held, nil
	}
}

// awaitRoom waits until the results that wait for collectors leave room.
func (q *Queue) awaitRoom(ctx context.Context) error {
	const patience = 10 * time.Second // after which it logs what it waits for
	complain := time.Now().Add(patience)
	for {
		var info *jetstream.StreamInfo
		err := q.persist(ctx, "looking for room", func(ctx context.Context) (err error) {
			info, err = q.results.Info(ctx)
			return err
		})
		if err != nil || int64(info.State.Bytes) < q.options.ResultBytes {
			return err
		}
		if time.Now().After(complain) {
			q.options.Log.Warn("no jobs are played until collectors have received the waiting results; is a collector running?",
				"bytes", info.State.Bytes, "runs", q.uncollected(ctx))
			complain = time.Now().Add(6 * patience)
		}
		if err := sleep(ctx, pollRoom); err != nil {
			return err
		}
	}
}

// uncollected lists the runs with results that wait, for a warning.
func (q *Queue) uncollected(ctx context.Context) []string {
	info, err := q.results.Info(ctx, jetstream.WithSubjectFilter(resultsPrefix+"*.*"))
	if err != nil {
		return nil
	}
	runs := map[string]bool{}
	for subject := range info.State.Subjects {
		if run, _, err := parseSubject(subject); err == nil {
			runs[run] = true
		}
	}
	return slices.Sorted(maps.Keys(runs))
}

// fetch returns the next message of JOBS, or nil when none arrives within pollJobs.
func (q *Queue) fetch(ctx context.Context) (jetstream.Msg, error) {
	q.mu.Lock()
	consumer := q.workers
	q.mu.Unlock()
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(pollJobs))
	if err != nil {
		return nil, err
	}
	select {
	case msg := <-batch.Messages():
		if msg == nil {
			return nil, batch.Error()
		}
		return msg, nil
	case <-ctx.Done():
		// A job that is under way goes to another worker without delay.
		go func() {
			for msg := range batch.Messages() {
				q.refuse(msg)
			}
		}()
		return nil, ctx.Err()
	}
}

// refuse releases a job that arrived too late.
func (q *Queue) refuse(msg jetstream.Msg) {
	ctx, cancel := context.WithTimeout(context.Background(), attempt)
	defer cancel()
	held, err := q.hold(msg)
	if err == nil {
		err = held.Release(ctx)
	}
	if err != nil {
		q.options.Log.Debug("a job is delivered again after the ack wait", "subject", msg.Subject(), "error", err)
	}
}

// heldJob is a job that a worker holds.
type heldJob struct {
	queue      *Queue
	msg        jetstream.Msg
	job        workers.Job
	err        error // why the job cannot be read
	deliveries int
}

// hold reads a message of JOBS and holds it.
func (q *Queue) hold(msg jetstream.Msg) (*heldJob, error) {
	run, number, err := parseSubject(msg.Subject())
	if err != nil {
		return nil, err
	}
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	h := &heldJob{queue: q, msg: msg, deliveries: int(meta.NumDelivered)}
	if before := msg.Headers().Get(deliveriesHeader); before != "" {
		n, err := strconv.Atoi(before)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", deliveriesHeader, err)
		}
		h.deliveries += n
	}
	if err := json.Unmarshal(msg.Data(), &h.job); err != nil {
		h.err = fmt.Errorf("job %d of run %s cannot be read: %w", number, run, err)
	} else if h.job.Run != run || h.job.Number != number {
		h.err = fmt.Errorf("job %d of run %s was queued as job %d of run %s", h.job.Number, h.job.Run, number, run)
	}
	h.job.Run, h.job.Number = run, number
	q.keeper.hold(msg)
	return h, nil
}

func (h *heldJob) Job() (*workers.Job, error) { return &h.job, h.err }

func (h *heldJob) Deliveries() int { return h.deliveries }

func (h *heldJob) Done(ctx context.Context) error {
	defer h.queue.keeper.release(h.msg)
	limited, cancel := context.WithTimeout(ctx, h.queue.options.AckWait)
	defer cancel()
	return h.queue.persist(limited, "acknowledging "+h.msg.Subject(), func(ctx context.Context) error {
		err := h.msg.DoubleAck(ctx)
		if errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
			return nil
		}
		return err
	})
}

func (h *heldJob) Retry(context.Context) error {
	defer h.queue.keeper.release(h.msg)
	return h.msg.NakWithDelay(h.queue.options.RetryDelay)
}

// Release queues the job again with the number of earlier deliveries, since JetStream
// counts every delivery. Between the two steps the job is not in the queue; if the
// second one fails, the coordinator queues it.
func (h *heldJob) Release(ctx context.Context) error {
	if err := h.Done(ctx); err != nil {
		return err
	}
	msg := nats.NewMsg(h.msg.Subject())
	msg.Data = h.msg.Data()
	msg.Header.Set(deliveriesHeader, strconv.Itoa(h.deliveries-1))
	return h.queue.enqueue(ctx, msg)
}
