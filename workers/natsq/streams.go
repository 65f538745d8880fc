package natsq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	headerBytes      = 4 << 10 // more than the headers of a part take
	leastResultBytes = 8 << 20 // least size of the stream of results
	leastBytes       = 1 << 20 // least size of the others

	reportTTL = time.Minute // of the report of a worker process
)

// configs returns the settings of the streams and buckets, the largest first.
func (q *Queue) configs() []jetstream.StreamConfig {
	o := &q.options
	configs := []jetstream.StreamConfig{
		{
			Name:        resultsStream,
			Description: "episodes that wait for a collector",
			Subjects:    []string{resultsPrefix + ">"},
			Retention:   jetstream.WorkQueuePolicy,
			MaxBytes:    cmp.Or(o.ResultBytes, 1<<30),
			MaxMsgSize:  queue.PartBytes + headerBytes,
			Discard:     jetstream.DiscardNew,
		},
		{
			Name:                 jobsStream,
			Description:          "jobs of self-play that wait or are being played",
			Subjects:             []string{jobsPrefix + "*.*.*"},
			Retention:            jetstream.WorkQueuePolicy,
			MaxBytes:             cmp.Or(o.JobBytes, 16<<20),
			MaxMsgsPerSubject:    1,
			MaxMsgSize:           headerBytes,
			Discard:              jetstream.DiscardNew,
			DiscardNewPerSubject: true,
		},
		bucketConfig(runsBucket, "settings, progress and orders of runs of self-play", 64<<20),
		bucketConfig(workersBucket, "reports of workers", 4<<20),
	}
	configs[3].MaxAge = reportTTL
	for i := range configs {
		configs[i].Storage = jetstream.FileStorage
		configs[i].Replicas = max(1, o.Replicas)
	}
	return configs
}

// bucketConfig returns the settings of the stream of a bucket, as clients of NATS create
// it.
func bucketConfig(name, description string, size int64) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              bucketStream(name),
		Description:       description,
		Subjects:          []string{keys(name) + ">"},
		MaxBytes:          size,
		MaxMsgsPerSubject: 1,
		Discard:           jetstream.DiscardNew,
		AllowRollup:       true,
		DenyDelete:        true,
	}
}

// makeStreams creates the streams and buckets that do not exist. It refuses those with
// other settings. Without the right to look at them, or to create them, it leaves this to
// other processes.
func (q *Queue) makeStreams(ctx context.Context) error {
	for _, config := range q.configs() {
		what := "looking for stream " + config.Name
		err := q.persist(ctx, what, func(ctx context.Context) error {
			err := q.checkStream(ctx, &config)
			if denied := (*denial)(nil); errors.As(err, &denied) {
				q.options.Log.Debug("the settings of a stream are not checked", "error", err)
				return nil
			}
			var missing *missingStream
			if errors.As(err, &missing) && q.readOnly.Load() {
				q.options.Log.Warn("waiting for a coordinator", "error", err)
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

// checkStream returns an error if a stream does not exist, or has not the settings that
// the queue needs. It changes the limits that the options name.
func (q *Queue) checkStream(ctx context.Context, want *jetstream.StreamConfig) error {
	info, err := q.info(ctx, want.Name, "")
	if err != nil {
		return err
	}
	got := info.Config
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
			return fmt.Errorf("stream %s: %s is %v, must be %v for a farm; use another account or server, or remove the stream",
				want.Name, field.name, field.got, field.want)
		}
	}
	changed := got // an operator may have tuned the limits of size and time
	if q.options.Replicas > 0 {
		changed.Replicas = want.Replicas
	}
	if want.Name == jobsStream && q.options.JobBytes > 0 || want.Name == resultsStream && q.options.ResultBytes > 0 {
		changed.MaxBytes = want.MaxBytes
	}
	if changed.Replicas == got.Replicas && changed.MaxBytes == got.MaxBytes {
		return nil
	}
	if err := q.call(ctx, "STREAM.UPDATE", want.Name, changed, nil); err != nil {
		return fmt.Errorf("stream %s: changing it to %d MiB and %d replicas: %w", want.Name, changed.MaxBytes>>20, changed.Replicas, err)
	}
	return nil
}

// mend creates a stream that does not exist. It returns the given error if the user has
// no right to.
func (q *Queue) mend(ctx context.Context, missing *missingStream) error {
	if q.readOnly.Load() {
		return missing
	}
	if q.opened.Load() {
		if gone, err := q.stillGone(ctx, missing.name); !gone {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	for _, config := range q.configs() {
		if config.Name != missing.name {
			continue
		}
		err := q.createStream(ctx, &config)
		var denied *denial
		switch {
		case errors.As(err, &denied):
			q.readOnly.Store(true)
			return missing
		case errors.Is(err, nats.ErrNoResponders):
			return err // JetStream does not answer, and the stream may exist
		case err == nil:
			q.options.Log.Info("created a stream", "stream", config.Name, "bytes", config.MaxBytes, "replicas", config.Replicas)
		}
		return err
	}
	return missing
}

// stillGone reports whether a stream that existed before does not exist after a moment
// either. A server that still removes a stream, or that creates it for another process,
// may answer a request to create it and then keep a stream that does not work.
func (q *Queue) stillGone(ctx context.Context, stream string) (bool, error) {
	const removal = 300 * time.Millisecond // in which a server has removed a stream
	if err := sleep(ctx, removal+rand.N(removal)); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	if _, err := q.info(ctx, stream, ""); !errors.As(err, new(*missingStream)) {
		return false, err
	}
	return true, nil
}

// createStream creates a stream. Where the account has no room for the default size, it
// creates a smaller one. A stream that another process has just created is used.
func (q *Queue) createStream(ctx context.Context, config *jetstream.StreamConfig) error {
	create := func(call string) error {
		err := q.call(ctx, call, config.Name, config, nil)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return nil
		}
		if err != nil && !outOfStorage(err) {
			return fmt.Errorf("stream %s cannot be created: %w", config.Name, err)
		}
		return err
	}
	least, step, fixed := int64(leastBytes), int64(8), config.Name == jobsStream && q.options.JobBytes > 0
	if config.Name == resultsStream {
		least, step, fixed = leastResultBytes, 2, q.options.ResultBytes > 0
	}
	wanted := config.MaxBytes
	err := create("STREAM.CREATE")
	if !outOfStorage(err) {
		return err
	}
	for !fixed && outOfStorage(err) && config.MaxBytes > least {
		config.MaxBytes = max(least, config.MaxBytes/step)
		err = create("STREAM.CREATE")
	}
	if outOfStorage(err) {
		return &permanentError{fmt.Errorf("stream %s cannot be created with %d MiB; the account or the server needs more storage for JetStream: %w",
			config.Name, wanted>>20, err)}
	}
	if err == nil && config.Name == resultsStream && config.MaxBytes/2 >= least {
		config.MaxBytes /= 2 // the rest is for the other streams
		return create("STREAM.UPDATE")
	}
	return err
}

// outOfStorage reports whether a stream is larger than what is left of the storage of the
// account or of the server.
func outOfStorage(err error) bool {
	switch code(err) {
	case accountFull, noStorage, noResources:
		return true
	case noPeers:
		return strings.Contains(err.Error(), "insufficient storage")
	}
	return false
}
