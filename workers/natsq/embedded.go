package natsq

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Embedded returns a function that opens a queue with its own server, which lives as long
// as the queue. It locks the server's store, and removes it when the queue is closed
// after Forget of every run that was put.
//
// No other process uses the server, so a job that is held when it starts belongs to a
// process that has died. It is delivered at once, and its deliveries count from one,
// because a person who starts a farm again expects it to try.
func Embedded(so ServerOptions, o Options) func(context.Context) (queue.Queue, error) {
	return func(ctx context.Context) (_ queue.Queue, err error) {
		q := &embeddedQueue{dir: so.Dir, runs: map[string]bool{}}
		if q.lock, err = dataset.AcquireLock(so.Dir); err != nil {
			return nil, fmt.Errorf("store of the embedded NATS server: %w", err)
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, q.Close())
			}
		}()
		if q.server, err = StartServer(ctx, so); err != nil {
			return nil, err
		}
		if q.Queue, err = q.server.Connect(ctx, o); err != nil {
			return nil, err
		}
		if err = q.reclaim(ctx); err != nil {
			return nil, err
		}
		if so.Started != nil {
			so.Started(q.server.URL())
		}
		return q, nil
	}
}

// Remote returns a function that opens a queue on a running server.
func Remote(o Options) func(context.Context) (queue.Queue, error) {
	return func(ctx context.Context) (queue.Queue, error) {
		q, err := Connect(ctx, o)
		if err != nil {
			return nil, err
		}
		return q, nil
	}
}

// reclaim removes the consumers of jobs, and with them what dead processes hold.
func (q *Queue) reclaim(ctx context.Context) error {
	return q.persist(ctx, "taking over jobs", func(ctx context.Context) error {
		names, err := q.consumers(ctx, jobsStream, workersConsumer)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := q.dropConsumer(ctx, jobsStream, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// embeddedQueue is a queue with its server.
type embeddedQueue struct {
	*Queue         // nil until it is connected
	server *Server // nil until it runs
	lock   *dataset.Lock
	dir    string
	mu     sync.Mutex
	runs   map[string]bool // that were put; whether they were forgotten
}

// Failed implements queue.Failer: a full disk does not become empty by itself, and
// only this process would wait for it.
func (q *embeddedQueue) Failed() <-chan error { return q.server.failed }

func (q *embeddedQueue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	q.note(settings.Run(), false)
	return q.Queue.PutRun(ctx, settings)
}

func (q *embeddedQueue) Forget(ctx context.Context, run string) error {
	q.note(run, true)
	return q.Queue.Forget(ctx, run)
}

func (q *embeddedQueue) note(run string, forgotten bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs[run] = forgotten
}

// empty reports whether the store holds nothing of any run.
func (q *embeddedQueue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, forgotten := range q.runs {
		if !forgotten {
			return false
		}
	}
	return len(q.runs) > 0
}

func (q *embeddedQueue) Close() error {
	var err error
	if q.Queue != nil {
		err = q.Queue.Close()
	}
	if q.server != nil {
		q.server.Close()
	}
	switch {
	case q.server == nil:
		return errors.Join(err, q.lock.Discard())
	case q.empty(): // files that are not the server's stay
		return errors.Join(err, os.RemoveAll(filepath.Join(q.dir, server.JetStreamStoreDir)), q.lock.Discard())
	}
	return errors.Join(err, q.lock.Release())
}
