package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// Queue is a workers.Queue on JetStream. It is safe for concurrent use.
type Queue struct {
	options Options
	conn    *nats.Conn
	js      jetstream.JetStream
	jobs    jetstream.Stream
	results jetstream.Stream
	runs    jetstream.KeyValue
	keeper  *keeper
	close   sync.Once

	mu      sync.Mutex // guards workers
	workers jetstream.Consumer
}

var _ workers.Queue = (*Queue)(nil)

// Keys of the bucket are a run and one of these suffixes.
const (
	settingsKey = ".settings"
	progressKey = ".progress"
	endKey      = ".end"
)

// Close closes the connection. It may be called again.
func (q *Queue) Close() error {
	q.close.Do(func() {
		q.keeper.stop()
		// The last acknowledgements are under way; without a connection there is
		// nothing to wait for.
		if q.conn.IsConnected() {
			_ = q.conn.FlushTimeout(attempt)
		}
		q.conn.Close()
	})
	return nil
}

// PutRun implements workers.Queue.
func (q *Queue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	data, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	run, exists := settings.Run(), false
	err = q.persist(ctx, "storing the settings of run "+run, func(ctx context.Context) error {
		_, err := q.runs.Create(ctx, run+settingsKey, data)
		if exists = errors.Is(err, jetstream.ErrKeyExists); exists {
			return nil
		}
		return err
	})
	if err != nil || !exists {
		return err
	}
	stored, err := q.Settings(ctx, run)
	if err != nil {
		return err
	}
	return stored.Differs(settings)
}

// Settings implements workers.Queue.
func (q *Queue) Settings(ctx context.Context, run string) (*dataset.Settings, error) {
	settings := new(dataset.Settings)
	found, err := q.get(ctx, run+settingsKey, settings)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("%w: %s is unknown to the NATS server at %s", workers.ErrNoRun, run, q.conn.ConnectedUrlRedacted())
	}
	if got := settings.Run(); got != run {
		return nil, fmt.Errorf("the settings stored for run %s belong to run %s", run, got)
	}
	return settings, nil
}

// PutProgress implements workers.Queue.
func (q *Queue) PutProgress(ctx context.Context, progress *workers.Progress) error {
	return q.put(ctx, progress.Run+progressKey, progress)
}

// Progress implements workers.Queue.
func (q *Queue) Progress(ctx context.Context, run string) (progress workers.Progress, err error) {
	_, err = q.get(ctx, run+progressKey, &progress)
	return progress, err
}

// PutEnd implements workers.Queue.
func (q *Queue) PutEnd(ctx context.Context, run string, jobs int64) error {
	return q.put(ctx, run+endKey, jobs)
}

// End implements workers.Queue.
func (q *Queue) End(ctx context.Context, run string) (jobs int64, err error) {
	jobs = -1
	_, err = q.get(ctx, run+endKey, &jobs)
	return jobs, err
}

func (q *Queue) put(ctx context.Context, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return q.persist(ctx, "storing "+key, func(ctx context.Context) error {
		_, err := q.runs.Put(ctx, key, data)
		return err
	})
}

// get reads a value of the bucket and reports whether the key exists.
func (q *Queue) get(ctx context.Context, key string, value any) (found bool, err error) {
	var entry jetstream.KeyValueEntry
	err = q.persist(ctx, "reading "+key, func(ctx context.Context) (err error) {
		entry, err = q.runs.Get(ctx, key)
		return err
	})
	if err != nil {
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			err = nil
		}
		return false, err
	}
	if err := json.Unmarshal(entry.Value(), value); err != nil {
		return false, fmt.Errorf("%s on the NATS server: %w", key, err)
	}
	return true, nil
}

// Queued implements workers.Queue.
func (q *Queue) Queued(ctx context.Context, run string) (queued workers.Queued, err error) {
	err = q.persist(ctx, "listing the jobs of run "+run, func(ctx context.Context) (err error) {
		if queued.Jobs, _, err = waiting(ctx, q.jobs, jobsPrefix+run+".*"); err != nil {
			return err
		}
		queued.Results, queued.Messages, err = waiting(ctx, q.results, resultsPrefix+run+".*")
		return err
	})
	return queued, err
}

// waiting returns the jobs that have messages in a stream, and the number of these.
func waiting(ctx context.Context, stream jetstream.Stream, filter string) (jobs map[int64]bool, messages int64, err error) {
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, 0, err
	}
	jobs = make(map[int64]bool, len(info.State.Subjects))
	for subject, n := range info.State.Subjects {
		_, job, err := parseSubject(subject)
		if err != nil {
			return nil, 0, err
		}
		jobs[job] = true
		messages += int64(n)
	}
	return jobs, messages, nil
}

// Withdraw implements workers.Queue.
func (q *Queue) Withdraw(ctx context.Context, run string) error {
	return q.purge(ctx, q.jobs, jobsPrefix+run+".*")
}

// Purge implements workers.Queue.
func (q *Queue) Purge(ctx context.Context, run string) error {
	if err := q.Withdraw(ctx, run); err != nil {
		return err
	}
	return q.purge(ctx, q.results, resultsPrefix+run+".*")
}

func (q *Queue) purge(ctx context.Context, stream jetstream.Stream, filter string) error {
	return q.persist(ctx, "purging "+filter, func(ctx context.Context) error {
		return stream.Purge(ctx, jetstream.WithPurgeSubject(filter))
	})
}

// Forget implements workers.Queue.
func (q *Queue) Forget(ctx context.Context, run string) error {
	return q.persist(ctx, "forgetting run "+run, func(ctx context.Context) error {
		if err := q.dropCollectors(ctx, run); err != nil {
			return err
		}
		for _, key := range []string{run + settingsKey, run + progressKey, run + endKey} {
			if err := q.runs.Purge(ctx, key); err != nil {
				return err
			}
		}
		return nil
	})
}

func subject(prefix, run string, job int64) string {
	return prefix + run + "." + strconv.FormatInt(job, 10)
}

// parseSubject returns the run and the job of a subject of either stream.
func parseSubject(text string) (run string, job int64, err error) {
	tokens := strings.Split(text, ".")
	if len(tokens) == 4 {
		if job, err = strconv.ParseInt(tokens[3], 10, 64); err == nil {
			return tokens[2], job, nil
		}
	}
	return "", 0, fmt.Errorf("subject %q is not one of a farm; another program writes to its streams", text)
}
