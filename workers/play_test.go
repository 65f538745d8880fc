package workers_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// failingQueue fails permanently when a run is announced or has ended, and ends no run
// from then on.
type failingQueue struct {
	queue.Queue
	failed  chan error
	put     string       // the run whose announcement makes it fail
	ended   string       // the run whose end makes it fail
	garbled string       // the run whose results cannot be read
	stuck   string       // the run whose progress is not accepted once the queue has failed
	broken  atomic.Bool  // it has failed
	inboxes atomic.Int64 // that are open
}

func (q *failingQueue) Failed() <-chan error { return q.failed }

func (q *failingQueue) fail() {
	q.broken.Store(true)
	q.failed <- errors.New("the disk is full")
}

func (q *failingQueue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	if settings.Run() != q.put {
		return q.Queue.PutRun(ctx, settings)
	}
	q.fail()
	<-ctx.Done()
	return ctx.Err()
}

func (q *failingQueue) StoreResult(ctx context.Context, parts []queue.Part) error {
	if last := &parts[len(parts)-1]; last.Run == q.garbled {
		last.Total.Sum++
	}
	return q.Queue.StoreResult(ctx, parts)
}

func (q *failingQueue) PutProgress(ctx context.Context, progress *queue.Progress) error {
	if progress.Run != q.stuck || !q.broken.Load() {
		return q.Queue.PutProgress(ctx, progress)
	}
	<-ctx.Done()
	return ctx.Err()
}

func (q *failingQueue) Forget(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func (q *failingQueue) Collect(ctx context.Context, run string, share queue.Share) (queue.Inbox, error) {
	inbox, err := q.Queue.Collect(ctx, run, share)
	q.inboxes.Add(1)
	return &failingInbox{inbox, q, run}, err
}

type failingInbox struct {
	queue.Inbox
	queue *failingQueue
	run   string
}

func (b *failingInbox) Close() error {
	b.queue.inboxes.Add(-1)
	if b.run == b.queue.ended {
		b.queue.fail()
	}
	return b.Inbox.Close()
}

func TestThePermanentFailureOfAQueueIsReportedWheneverItComes(t *testing.T) {
	short, long := settings(t, "ntxuva/4", "random", 0, 1), settings(t, "ntxuva/4", "greedy", 0, 1)
	for name, q := range map[string]*failingQueue{
		"while the second run is announced":     {put: long.Run()},
		"when the first run is in its data set": {ended: short.Run()},
		"when the first run has dead jobs":      {ended: short.Run(), garbled: short.Run()},
		"and stops the second collector":        {ended: short.Run(), stuck: long.Run()},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := newFarm(t.TempDir(), short).Config
			cfg.Tuning.Grace = time.Second
			open := cfg.Open
			cfg.Open = func(ctx context.Context) (queue queue.Queue, err error) {
				q.failed = make(chan error, 1)
				q.Queue, err = open(ctx)
				return q, err
			}
			farm := workers.New(cfg)
			_, err := farm.Play(t.Context(), nil,
				workers.Run{Dir: t.TempDir(), Plan: plan(t, short), Episodes: 1}, workers.Run{Dir: t.TempDir(), Plan: plan(t, long)})
			var dead *workers.DeadJobsError
			if err == nil || !strings.Contains(err.Error(), "the disk is full") || errors.As(err, &dead) != (q.garbled != "") {
				t.Errorf("error is %v", err)
			}
			if n := q.inboxes.Load(); n != 0 {
				t.Errorf("%d inboxes are open", n)
			}
		})
	}
}
