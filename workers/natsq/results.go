package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers"
)

// partHeader is the header of a part. A message of EPISODES without it is a dead
// letter.
const partHeader = "Sandtable-Part"

// partFields is the value of partHeader; the message carries the part's data.
type partFields struct {
	Index  int            `json:"index"`
	Worker string         `json:"worker"`
	Total  *workers.Total `json:"total,omitempty"`
}

// StoreParts implements workers.Queue. It sends all parts at the same time, and then
// sends those that are not confirmed again.
func (q *Queue) StoreParts(ctx context.Context, parts []workers.Part) error {
	messages := make([]*nats.Msg, len(parts))
	futures := make([]jetstream.PubAckFuture, len(parts))
	for i := range parts {
		var err error
		if messages[i], err = partMessage(&parts[i]); err != nil {
			return err
		}
		if len(parts) > 1 {
			futures[i], _ = q.js.PublishMsgAsync(messages[i]) // on an error it is sent below
		}
	}
	for i, msg := range messages {
		if confirmed(ctx, futures[i]) {
			continue
		}
		err := q.persist(ctx, "storing "+msg.Header.Get(jetstream.MsgIDHeader), func(ctx context.Context) error {
			_, err := q.js.PublishMsg(ctx, msg)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func partMessage(part *workers.Part) (*nats.Msg, error) {
	fields, err := json.Marshal(partFields{Index: part.Index, Worker: part.Worker, Total: part.Total})
	if err != nil {
		return nil, fmt.Errorf("part %d of job %d: %w", part.Index, part.Job, err)
	}
	msg := nats.NewMsg(subject(resultsPrefix, part.Run, part.Job))
	msg.Header.Set(partHeader, string(fields))
	msg.Header.Set(jetstream.MsgIDHeader, fmt.Sprintf("%s/%d/%d", part.Run, part.Job, part.Index))
	msg.Data = part.Data
	return msg, nil
}

// confirmed waits for the confirmation of a message and reports whether it arrived.
func confirmed(ctx context.Context, future jetstream.PubAckFuture) bool {
	if future == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	select {
	case <-future.Ok():
		return true
	case <-future.Err():
	case <-ctx.Done():
	}
	return false
}

// StoreDeadLetter implements workers.Queue.
func (q *Queue) StoreDeadLetter(ctx context.Context, letter *workers.DeadLetter) error {
	data, err := json.Marshal(letter)
	if err != nil {
		return fmt.Errorf("dead letter of job %d: %w", letter.Job, err)
	}
	return q.persist(ctx, fmt.Sprintf("storing the dead letter of job %d", letter.Job), func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, subject(resultsPrefix, letter.Run, letter.Job), data)
		return err
	})
}

const (
	prefetched = 32              // parts requested ahead of the collector: 16 MiB
	heartbeat  = 2 * time.Second // of the server; two missing ones are an error
)

// Collect implements workers.Queue.
func (q *Queue) Collect(ctx context.Context, run string) (workers.Inbox, error) {
	var consumer jetstream.Consumer
	err := q.persist(ctx, "requesting the results of run "+run, func(ctx context.Context) (err error) {
		consumer, err = q.makeCollector(ctx, run)
		return err
	})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(prefetched), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return nil, fmt.Errorf("requesting the results of run %s: %w", run, err)
	}
	return &inbox{queue: q, run: run, consumer: consumer, messages: messages}, nil
}

type inbox struct {
	queue    *Queue
	run      string
	consumer jetstream.Consumer
	messages jetstream.MessagesContext
}

// Close implements workers.Inbox.
func (b *inbox) Close() error {
	b.messages.Stop()
	return nil
}

// Next implements workers.Inbox.
func (b *inbox) Next(ctx context.Context) (workers.Arrival, error) {
	for {
		msg, err := b.messages.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil:
			return workers.Arrival{}, ctx.Err()
		case errors.Is(err, jetstream.ErrConsumerDeleted):
			return workers.Arrival{}, fmt.Errorf("another collector has taken over run %s: %w", b.run, err)
		case err != nil && passing(err):
			if err := b.check(ctx); err != nil {
				return workers.Arrival{}, err
			}
			continue
		case err != nil:
			return workers.Arrival{}, fmt.Errorf("waiting for results of run %s: %w", b.run, err)
		}
		arrival, err := b.queue.arrival(msg)
		if err != nil {
			b.queue.options.Log.Error("a message that is not a result is removed", "subject", msg.Subject(), "error", err)
			_ = msg.Term() // if this fails, it is delivered again, and removed then
			continue
		}
		return arrival, nil
	}
}

// check returns an error if the consumer no longer exists.
func (b *inbox) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	_, err := b.consumer.Info(ctx)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrConsumerDoesNotExist) {
		return fmt.Errorf("another collector has taken over run %s: %w", b.run, err)
	}
	return nil // any other error may pass
}

// arrival reads a message of EPISODES and holds it.
func (q *Queue) arrival(msg jetstream.Msg) (workers.Arrival, error) {
	run, job, err := parseSubject(msg.Subject())
	if err != nil {
		return workers.Arrival{}, err
	}
	arrival := workers.Arrival{Ack: func() {
		q.keeper.release(msg)
		if err := msg.Ack(); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
			q.options.Log.Warn("a result was not acknowledged and will be delivered again", "subject", msg.Subject(), "error", err)
		}
	}}
	if header := msg.Headers().Get(partHeader); header != "" {
		var fields partFields
		if err := json.Unmarshal([]byte(header), &fields); err != nil {
			return workers.Arrival{}, fmt.Errorf("header %s: %w", partHeader, err)
		}
		arrival.Part = &workers.Part{
			Run: run, Job: job, Index: fields.Index, Data: msg.Data(), Worker: fields.Worker, Total: fields.Total,
		}
	} else {
		arrival.Dead = new(workers.DeadLetter)
		if err := json.Unmarshal(msg.Data(), arrival.Dead); err != nil {
			return workers.Arrival{}, fmt.Errorf("dead letter: %w", err)
		}
		arrival.Dead.Run, arrival.Dead.Job = run, job
	}
	q.keeper.hold(msg)
	return arrival, nil
}
