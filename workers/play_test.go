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
)

// mortalQueue fails for good when a run is made known or has ended, and ends no run
// from then on.
type mortalQueue struct {
	workers.Queue
	failed  chan error
	put     string       // the run that it fails to make known
	ended   string       // the run at whose end it fails
	garbled string       // the run whose results cannot be read
	inboxes atomic.Int64 // that are open
}

func (q *mortalQueue) Failed() <-chan error { return q.failed }

func (q *mortalQueue) fail() { q.failed <- errors.New("the disk is full") }

func (q *mortalQueue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	if settings.Run() != q.put {
		return q.Queue.PutRun(ctx, settings)
	}
	q.fail()
	<-ctx.Done()
	return ctx.Err()
}

func (q *mortalQueue) StoreParts(ctx context.Context, parts []workers.Part) error {
	if last := &parts[len(parts)-1]; last.Run == q.garbled {
		last.Total.Sum++
	}
	return q.Queue.StoreParts(ctx, parts)
}

func (q *mortalQueue) Retire(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func (q *mortalQueue) Collect(ctx context.Context, run string) (workers.Inbox, error) {
	inbox, err := q.Queue.Collect(ctx, run)
	q.inboxes.Add(1)
	return &mortalInbox{inbox, q, run}, err
}

type mortalInbox struct {
	workers.Inbox
	queue *mortalQueue
	run   string
}

func (b *mortalInbox) Close() error {
	b.queue.inboxes.Add(-1)
	if b.run == b.queue.ended {
		b.queue.fail()
	}
	return b.Inbox.Close()
}

func TestTheFailureOfAQueueIsToldWheneverItComes(t *testing.T) {
	short, long := settings(t, "ntxuva/4", "random", 0, 1), settings(t, "ntxuva/4", "greedy", 0, 1)
	for name, q := range map[string]*mortalQueue{
		"while the second run is made known": {put: long.Run()},
		"when the first run is there":        {ended: short.Run()},
		"when the first run has dead jobs":   {ended: short.Run(), garbled: short.Run()},
	} {
		t.Run(name, func(t *testing.T) {
			tuning := tuning()
			tuning.Grace = time.Second
			var runs []*workers.Run
			for _, cfg := range []workers.RunConfig{{Settings: short, Jobs: 1}, {Settings: long}} {
				cfg.Dir, cfg.Tuning = t.TempDir(), tuning
				run, err := workers.OpenRun(cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer run.Close()
				runs = append(runs, run)
			}
			queue, err := farmConfig(t.TempDir(), short).Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer queue.Close()
			q.Queue, q.failed = queue, make(chan error, 1)
			err = workers.PlayRuns(t.Context(), runs, workers.WorkerConfig{Queue: q, Workers: 2, Tuning: tuning})
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
