package workers_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// memoryQueue is a queue in memory. It delivers each job and each result until it is
// acknowledged, again when the inbox is opened again.
type memoryQueue struct {
	// fault, unless nil, is called with the name of each call of the queue, of a
	// held job and of an inbox, and with the run. The call returns its error, if any.
	fault func(call, run string) error

	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	runs    map[string]*memoryRun
	jobs    []*memoryJob
	open    int // inboxes
}

type memoryRun struct {
	settings *dataset.Settings
	progress workers.Progress
	end      int64
	results  []*memoryResult
}

type memoryJob struct {
	queue      *memoryQueue
	job        workers.Job
	broken     error // what Job returns
	deliveries int
	held       bool
}

type memoryResult struct {
	part  *workers.Part
	dead  *workers.DeadLetter
	held  bool
	acked bool
}

func newMemoryQueue() *memoryQueue {
	return &memoryQueue{changed: make(chan struct{}), runs: map[string]*memoryRun{}}
}

// run returns a run, which it makes when it is new. The queue is locked.
func (q *memoryQueue) run(id string) *memoryRun {
	r := q.runs[id]
	if r == nil {
		r = &memoryRun{end: -1}
		q.runs[id] = r
	}
	return r
}

// do does something with a run, unless the call is to fail.
func (q *memoryQueue) do(call, run string, do func(*memoryRun)) error {
	if q.fault != nil {
		if err := q.fault(call, run); err != nil {
			return err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	do(q.run(run))
	close(q.changed)
	q.changed = make(chan struct{})
	return nil
}

// wait tries something at each change until it succeeds.
func (q *memoryQueue) wait(ctx context.Context, call, run string, try func() bool) error {
	for ctx.Err() == nil {
		q.mu.Lock()
		done, changed := try(), q.changed
		q.mu.Unlock()
		if done {
			return q.do(call, run, func(*memoryRun) {})
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func (q *memoryQueue) PutRun(_ context.Context, settings *dataset.Settings) error {
	return q.do("PutRun", settings.Run(), func(r *memoryRun) { r.settings = settings })
}

func (q *memoryQueue) PutEnd(_ context.Context, run string, jobs int64) error {
	return q.do("PutEnd", run, func(r *memoryRun) { r.end = jobs })
}

func (q *memoryQueue) Enqueue(_ context.Context, job *workers.Job) error {
	return q.do("Enqueue", job.Run, func(*memoryRun) { q.jobs = append(q.jobs, &memoryJob{queue: q, job: *job}) })
}

func (q *memoryQueue) Queued(_ context.Context, run string) (all workers.Queued, err error) {
	all = workers.Queued{Jobs: map[int64]bool{}, Results: map[int64]bool{}}
	err = q.do("Queued", run, func(r *memoryRun) {
		for _, j := range q.jobs {
			if j.job.Run == run {
				all.Jobs[j.job.Number] = true
			}
		}
		for _, result := range r.results {
			if !result.acked {
				all.Results[result.number()] = true
				all.Messages++
			}
		}
	})
	return all, err
}

func (r *memoryResult) number() int64 {
	if r.dead != nil {
		return r.dead.Job
	}
	return r.part.Job
}

func (q *memoryQueue) Progress(_ context.Context, run string) (progress workers.Progress, err error) {
	err = q.do("Progress", run, func(r *memoryRun) { progress = r.progress })
	return progress, err
}

func (q *memoryQueue) Withdraw(_ context.Context, run string) error {
	return q.do("Withdraw", run, func(*memoryRun) { q.withdraw(run) })
}

func (q *memoryQueue) withdraw(run string) {
	q.jobs = slices.DeleteFunc(q.jobs, func(j *memoryJob) bool { return j.job.Run == run })
}

func (q *memoryQueue) Purge(_ context.Context, run string) error {
	return q.do("Purge", run, func(r *memoryRun) {
		q.withdraw(run)
		r.results = nil
	})
}

func (q *memoryQueue) Forget(_ context.Context, run string) error {
	return q.do("Forget", run, func(*memoryRun) { delete(q.runs, run) })
}

func (q *memoryQueue) Close() error { return q.do("Close", "", func(*memoryRun) {}) }

func (q *memoryQueue) NextJob(ctx context.Context) (held workers.HeldJob, err error) {
	err = q.wait(ctx, "NextJob", "", func() bool {
		for _, j := range q.jobs {
			if !j.held {
				j.held = true
				j.deliveries++
				held = j
				return true
			}
		}
		return false
	})
	return held, err
}

func (q *memoryQueue) StoreParts(_ context.Context, parts []workers.Part) error {
	return q.do("StoreParts", parts[0].Run, func(r *memoryRun) {
		for _, part := range parts {
			part.Data = slices.Clone(part.Data)
			r.results = append(r.results, &memoryResult{part: &part})
		}
	})
}

func (q *memoryQueue) StoreDeadLetter(_ context.Context, letter *workers.DeadLetter) error {
	return q.do("StoreDeadLetter", letter.Run, func(r *memoryRun) { r.results = append(r.results, &memoryResult{dead: letter}) })
}

func (q *memoryQueue) Settings(_ context.Context, run string) (settings *dataset.Settings, err error) {
	err = q.do("Settings", run, func(r *memoryRun) { settings = r.settings })
	if err == nil && settings == nil {
		err = fmt.Errorf("%w: %s", workers.ErrNoRun, run)
	}
	return settings, err
}

func (q *memoryQueue) PutProgress(_ context.Context, progress *workers.Progress) error {
	return q.do("PutProgress", progress.Run, func(r *memoryRun) { r.progress = *progress })
}

func (q *memoryQueue) End(_ context.Context, run string) (end int64, err error) {
	err = q.do("End", run, func(r *memoryRun) { end = r.end })
	return end, err
}

func (q *memoryQueue) Collect(_ context.Context, run string) (workers.Inbox, error) {
	err := q.do("Collect", run, func(r *memoryRun) {
		q.open++
		for _, result := range r.results {
			result.held = false
		}
	})
	if err != nil {
		return nil, err
	}
	return &memoryInbox{q, run}, nil
}

type memoryInbox struct {
	queue *memoryQueue
	run   string
}

func (b *memoryInbox) Next(ctx context.Context) (in workers.Arrival, err error) {
	q := b.queue
	err = q.wait(ctx, "Next", b.run, func() bool {
		for _, result := range q.run(b.run).results {
			if !result.held {
				result.held = true
				in = workers.Arrival{Part: result.part, Dead: result.dead, Ack: func() {
					_ = q.do("Ack", b.run, func(*memoryRun) { result.acked = true })
				}}
				return true
			}
		}
		return false
	})
	return in, err
}

func (b *memoryInbox) Close() error {
	b.queue.mu.Lock()
	b.queue.open--
	b.queue.mu.Unlock()
	return b.queue.do("CloseInbox", b.run, func(*memoryRun) {})
}

func (j *memoryJob) Job() (*workers.Job, error) { return &j.job, j.broken }
func (j *memoryJob) Deliveries() int            { return j.deliveries }

func (j *memoryJob) end(call string, end func()) error {
	return j.queue.do(call, j.job.Run, func(*memoryRun) { end() })
}

func (j *memoryJob) Done(context.Context) error {
	return j.end("Done", func() {
		j.queue.jobs = slices.DeleteFunc(j.queue.jobs, func(other *memoryJob) bool { return other == j })
	})
}

func (j *memoryJob) Retry(context.Context) error { return j.end("Retry", func() { j.held = false }) }

func (j *memoryJob) Release(context.Context) error {
	return j.end("Release", func() { j.held, j.deliveries = false, j.deliveries-1 })
}

// lose delivers all jobs that are held again, as when an acknowledgement was lost.
func (q *memoryQueue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		j.held = false
	}
}

// memoryFarm is a farm on a queue in memory.
func memoryFarm(t *testing.T, q *memoryQueue, s dataset.Settings) farm {
	f := newFarm(t.TempDir(), s)
	f.Config.Open = func(context.Context) (workers.Queue, error) { return q, nil }
	return f
}
