package natsq

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers"
)

const (
	jobsStream    = "JOBS"
	resultsStream = "EPISODES"
	runsBucket    = "RUNS"

	jobsPrefix    = "sandtable.jobs."
	resultsPrefix = "sandtable.episodes."

	workersConsumer   = "workers"
	collectorConsumer = "collector-" // and the run and a random text

	headerBytes = 4 << 10 // more than the headers of a part take
)

// jobsConfig returns the settings of the stream of jobs.
func jobsConfig() *jetstream.StreamConfig {
	return &jetstream.StreamConfig{
		Name:                 jobsStream,
		Description:          "jobs of self-play that wait or are being played",
		Subjects:             []string{jobsPrefix + "*.*"},
		Retention:            jetstream.WorkQueuePolicy,
		Storage:              jetstream.FileStorage,
		MaxBytes:             256 << 20,
		MaxMsgsPerSubject:    1,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
	}
}

// resultsConfig returns the settings of the stream of results.
func resultsConfig() *jetstream.StreamConfig {
	return &jetstream.StreamConfig{
		Name:        resultsStream,
		Description: "episodes that wait for a collector",
		Subjects:    []string{resultsPrefix + "*.*"},
		Retention:   jetstream.WorkQueuePolicy,
		Storage:     jetstream.FileStorage,
		MaxBytes:    1 << 30,
		MaxMsgSize:  workers.PartBytes + headerBytes,
		Discard:     jetstream.DiscardNew,
		Duplicates:  time.Minute,
	}
}

// makeStreams creates the streams, the bucket and the consumer of the workers if they
// do not exist. It refuses streams with other settings.
func (q *Queue) makeStreams(ctx context.Context) (err error) {
	if q.jobs, err = q.makeStream(ctx, jobsConfig()); err != nil {
		return fmt.Errorf("stream %s: %w", jobsStream, err)
	}
	if q.results, err = q.makeStream(ctx, resultsConfig()); err != nil {
		return fmt.Errorf("stream %s: %w", resultsStream, err)
	}
	q.runs, err = q.js.KeyValue(ctx, runsBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		q.runs, err = q.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket:      runsBucket,
			Description: "settings and progress of runs of self-play",
			Storage:     jetstream.FileStorage,
			MaxBytes:    64 << 20,
		})
		if err != nil { // see makeStream
			if runs, again := q.js.KeyValue(ctx, runsBucket); again == nil {
				q.runs, err = runs, nil
			}
		}
	}
	if err != nil {
		return fmt.Errorf("bucket %s: %w", runsBucket, err)
	}
	return q.makeWorkers(ctx)
}

// makeStream returns a stream, which it creates if it does not exist. If another process
// has just created it, the server reports that it exists, or that there is no room for a
// second one.
func (q *Queue) makeStream(ctx context.Context, config *jetstream.StreamConfig) (jetstream.Stream, error) {
	stream, err := q.existing(ctx, config)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return stream, err
	}
	if stream, err = q.js.CreateStream(ctx, *config); err == nil {
		return stream, nil
	}
	if stream, again := q.existing(ctx, config); !errors.Is(again, jetstream.ErrStreamNotFound) {
		return stream, again
	}
	return nil, fmt.Errorf("it cannot be created with up to %d MiB: %w", config.MaxBytes>>20, err)
}

// existing returns an existing stream if it has the settings that the queue needs.
func (q *Queue) existing(ctx context.Context, want *jetstream.StreamConfig) (jetstream.Stream, error) {
	stream, err := q.js.Stream(ctx, want.Name)
	if err != nil {
		return nil, err
	}
	got := stream.CachedInfo().Config
	for _, field := range []struct {
		name      string
		got, want any
	}{
		{"subjects", fmt.Sprint(got.Subjects), fmt.Sprint(want.Subjects)},
		{"retention", got.Retention, want.Retention},
		{"storage", got.Storage, want.Storage},
		{"discard", got.Discard, want.Discard},
		{"discard_new_per_subject", got.DiscardNewPerSubject, want.DiscardNewPerSubject},
		{"max_msgs_per_subject", max(got.MaxMsgsPerSubject, 0), want.MaxMsgsPerSubject},
		{"max_msg_size", max(got.MaxMsgSize, 0), want.MaxMsgSize},
	} {
		if field.got != field.want {
			return nil, fmt.Errorf("%s is %v, must be %v for a farm; use another account or server, or remove the stream",
				field.name, field.got, field.want)
		}
	}
	return stream, nil // an operator may have tuned the limits of size and time
}

// makeWorkers creates the consumer that all workers share.
func (q *Queue) makeWorkers(ctx context.Context) error {
	consumer, err := q.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable:       workersConsumer,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       q.options.AckWait,
		MaxDeliver:    -1, // see doc.go
		MaxAckPending: -1, // one for each worker, however many there are
		MaxWaiting:    1 << 16,
	})
	if err != nil {
		return fmt.Errorf("consumer %s: %w", workersConsumer, err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.workers = consumer
	return nil
}

// makeCollector creates a consumer of a run's results in place of the earlier ones,
// under a new name: an earlier collector that still runs must not find it.
func (q *Queue) makeCollector(ctx context.Context, run string) (jetstream.Consumer, error) {
	if err := q.dropCollectors(ctx, run); err != nil {
		return nil, err
	}
	return q.results.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable:       collectorPrefix(run) + rand.Text(),
		FilterSubject: resultsPrefix + run + ".*",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       q.options.AckWait,
		MaxDeliver:    -1,
		// With a bound, parts of unfinished jobs could use it up, and the parts
		// that finish them would never be delivered.
		MaxAckPending:     -1,
		InactiveThreshold: 24 * time.Hour,
	})
}

// dropCollectors removes the consumers of a run's results.
func (q *Queue) dropCollectors(ctx context.Context, run string) error {
	names := q.results.ConsumerNames(ctx)
	for name := range names.Name() {
		if !strings.HasPrefix(name, collectorPrefix(run)) {
			continue
		}
		if err := q.results.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
	}
	return names.Err()
}

func collectorPrefix(run string) string { return collectorConsumer + run + "-" }
