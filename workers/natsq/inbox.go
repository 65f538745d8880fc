package natsq

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	prefetched = 32               // parts requested ahead of the collector: 16 MiB
	heartbeat  = 2 * time.Second  // of the server; two missing ones are an error
	abandoned  = 10 * time.Minute // after which the server removes the consumer of a collector that does not ask
)

// inbox is the consumer of the results of a share of a run. The owner's key holds the
// random part of its name: a later collector of the share stores its own, removes the
// consumer, and makes another. So a collector whose consumer is missing knows whether to
// make it again.
type inbox struct {
	queue  *Queue
	run    string
	share  queue.Share
	limits limits
	token  string

	bucket   time.Time // when the bucket was created that held the owner's key
	guarded  context.Context
	unguard  func()
	mu       sync.Mutex // guards messages
	closed   bool
	messages jetstream.MessagesContext
}

// Collect implements queue.Collector.
func (q *Queue) Collect(ctx context.Context, run string, share queue.Share) (queue.Inbox, error) {
	if err := share.Validate(); err != nil {
		return nil, err
	}
	settings, err := q.Settings(ctx, run)
	if err != nil {
		return nil, err
	}
	b := &inbox{queue: q, run: run, share: share, limits: limits{settings.Jobs(), settings.Job}, token: rand.Text()}
	if b.limits.jobs < 0 {
		b.limits.jobs = maxJob
	}
	b.guarded, b.unguard = q.denials.watch(context.Background(), keyAPI("CONSUMER.MSG.NEXT", resultsStream)+"."+b.consumer())
	err = q.persist(ctx, b.what(), func(ctx context.Context) error {
		var err error
		if b.bucket, err = q.bucketCreated(ctx); err != nil {
			return err
		}
		if err := q.putKey(ctx, runsBucket, b.ownerKey(), nil, []byte(b.token)); err != nil {
			return err
		}
		return b.open(ctx)
	})
	if err != nil {
		b.unguard()
		return nil, err
	}
	return b, nil
}

func (b *inbox) what() string {
	if b.share.Of > 1 {
		return fmt.Sprintf("requesting the results of share %v of run %s", b.share, b.run)
	}
	return "requesting the results of run " + b.run
}

func (b *inbox) ownerKey() string { return b.run + "." + shareKey(ownerKey, b.share) }

// prefix returns the common part of the names of the consumers of a share.
func (b *inbox) prefix() string {
	return fmt.Sprintf("%s%s-%d-%d-", collectorConsumer, b.run, b.share.Index, max(1, b.share.Of))
}

func (b *inbox) consumer() string { return b.prefix() + b.token }

// open removes the consumers of earlier collectors, and creates this one.
func (b *inbox) open(ctx context.Context) error {
	if err := b.dropOthers(ctx); err != nil {
		return err
	}
	config := &jetstream.ConsumerConfig{
		Durable:    b.consumer(),
		AckPolicy:  jetstream.AckExplicitPolicy,
		AckWait:    b.queue.options.AckWait,
		MaxDeliver: -1,
		// With a bound, parts of unfinished jobs could use it up, and the parts
		// that finish them would never be delivered.
		MaxAckPending:     -1,
		InactiveThreshold: abandoned,
	}
	if b.share.Of <= 1 {
		config.FilterSubject = resultsPrefix + b.run + ".>"
	} else {
		for slice := b.share.Index; slice < queue.Shares; slice += b.share.Of {
			config.FilterSubjects = append(config.FilterSubjects, fmt.Sprintf("%s%s.%d.>", resultsPrefix, b.run, slice))
		}
	}
	q := b.queue
	if err := q.makeConsumer(ctx, resultsStream, config); err != nil {
		return err
	}
	var messages jetstream.MessagesContext
	err := q.guard(ctx, keyAPI("CONSUMER.INFO", resultsStream)+"."+b.consumer(), func(ctx context.Context) error {
		consumer, err := q.js.Consumer(ctx, resultsStream, b.consumer())
		if err == nil {
			messages, err = consumer.Messages(jetstream.PullMaxMessages(prefetched), jetstream.PullHeartbeat(heartbeat))
		}
		return err
	})
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.messages != nil {
		b.messages.Stop()
	}
	b.messages = messages
	if b.closed {
		messages.Stop()
	}
	return nil
}

// dropOthers removes the consumers of earlier collectors of the share, and those of other
// shares with the same jobs that no collector uses.
func (b *inbox) dropOthers(ctx context.Context) error {
	q := b.queue
	names, err := q.consumers(ctx, resultsStream, collectorConsumer+b.run+"-")
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == b.consumer() {
			continue
		}
		if !strings.HasPrefix(name, b.prefix()) {
			var other queue.Share
			var token string
			n, err := fmt.Sscanf(strings.TrimPrefix(name, collectorConsumer+b.run+"-"), "%d-%d-%s", &other.Index, &other.Of, &token)
			if n == 3 && err == nil && !overlap(b.share, other) {
				continue
			}
			info, err := q.consumerInfo(ctx, resultsStream, name)
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if info.NumWaiting > 0 {
				return &permanentError{fmt.Errorf("a collector receives share %v of run %s, which has jobs in common with share %v", other, b.run, b.share)}
			}
		}
		if err := q.dropConsumer(ctx, resultsStream, name); err != nil {
			return err
		}
	}
	return nil
}

// Close implements queue.Inbox.
func (b *inbox) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.messages.Stop()
	b.unguard()
	return nil
}

func (b *inbox) iterator() jetstream.MessagesContext {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.messages
}

// Next implements queue.Inbox.
func (b *inbox) Next(ctx context.Context) (queue.Arrival, error) {
	for {
		msg, err := b.next(ctx)
		switch {
		case ctx.Err() != nil:
			return queue.Arrival{}, ctx.Err()
		case err != nil && (passing(err) || errors.Is(err, jetstream.ErrConsumerDeleted)):
			if err := b.queue.persist(ctx, b.what(), b.check); err != nil {
				return queue.Arrival{}, err
			}
			continue
		case err != nil:
			return queue.Arrival{}, fmt.Errorf("waiting for results of run %s: %w", b.run, err)
		}
		arrival, err := b.limits.arrival(msg.Subject(), msg.Headers(), msg.Data())
		if err != nil {
			b.queue.options.Log.Error("a message that is not a result is removed", "subject", msg.Subject(), "error", err)
			_ = msg.Term() // if this fails, it is delivered again, and removed then
			continue
		}
		lease := b.queue.keeper.hold(msg.Reply(), msg.Subject(), false)
		arrival.Ack = func() {
			b.queue.keeper.release(lease)
			if err := msg.Ack(); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
				b.queue.options.Log.Warn("a result was not acknowledged and will be delivered again", "subject", msg.Subject(), "error", err)
			}
		}
		return arrival, nil
	}
}

// next waits for a message. It ends when the server denies the request for it.
func (b *inbox) next(ctx context.Context) (jetstream.Msg, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.guarded, cancel)()
	msg, err := b.iterator().Next(jetstream.NextContext(ctx))
	if denied := (*denial)(nil); err != nil && errors.As(context.Cause(b.guarded), &denied) {
		return nil, denied
	}
	return msg, err
}

// check makes the consumer again if it does not exist. Its error is that of a collector
// that has been replaced, or of a run that was forgotten, if that is why.
func (b *inbox) check(ctx context.Context) error {
	q := b.queue
	_, err := q.consumerInfo(ctx, resultsStream, b.consumer())
	if !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrConsumerDoesNotExist) {
		return err
	}
	created, err := q.bucketCreated(ctx)
	if err != nil {
		return err
	}
	owner, err := q.get(ctx, runsBucket, b.ownerKey())
	if err != nil {
		return err
	}
	switch {
	case owner != nil && string(owner.data) != b.token:
		return &permanentError{fmt.Errorf("run %s: %w", b.run, queue.ErrTakenOver)}
	case owner == nil && created.Equal(b.bucket):
		return &permanentError{q.unknown(b.run)}
	case owner == nil:
		settings, err := q.get(ctx, runsBucket, b.run+"."+settingsKey)
		if err != nil {
			return err
		}
		if settings == nil {
			return &lost{b.run}
		}
		// Only one of several collectors creates the key.
		err = q.putKey(ctx, runsBucket, b.ownerKey(), nats.Header{jetstream.ExpectedLastSubjSeqHeader: {"0"}}, []byte(b.token))
		if isTaken(err) {
			return &lost{b.run} // looks again who it is
		}
		if err != nil {
			return err
		}
		b.bucket = created
	}
	q.options.Log.Warn("the consumer of a collector did not exist and is made again", "run", b.run)
	return b.open(ctx)
}
