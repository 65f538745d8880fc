package workers_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// memoryQueue is a queue in memory. It delivers each job and each result until it is
// acknowledged, again when the inbox is opened again.
type memoryQueue struct {
	// fault, unless nil, is called with the name of each call of the queue, of a
	// held job and of an inbox, and with the run. The call returns its error, if any.
	fault func(call, run string) error

	mu          sync.Mutex
	changed     chan struct{} // closed at the next change
	runs        map[string]*memoryRun
	jobs        []*memoryJob
	open        int // inboxes
	workers     map[string]queue.WorkerState
	quarantined map[string]string
	idle        map[string]int64 // workers that wait for a job, by run
}

type memoryRun struct {
	settings *dataset.Settings
	progress map[queue.Share]queue.Progress
	end      int64
	orders   queue.Orders
	results  []*memoryResult
}

type memoryJob struct {
	queue      *memoryQueue
	job        queue.Job
	deliveries int
	extended   int
	held       bool
	from       time.Time // when it may be delivered
}

type memoryResult struct {
	queue.Arrival
	held  bool
	acked bool
}

func newMemoryQueue() *memoryQueue {
	return &memoryQueue{
		changed: make(chan struct{}), runs: map[string]*memoryRun{}, workers: map[string]queue.WorkerState{},
		quarantined: map[string]string{}, idle: map[string]int64{},
	}
}

// run returns a run, which it makes when it is new. The queue is locked.
func (q *memoryQueue) run(id string) *memoryRun {
	r := q.runs[id]
	if r == nil {
		r = &memoryRun{end: -1, progress: map[queue.Share]queue.Progress{}}
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
	q.signal()
	return nil
}

func (q *memoryQueue) signal() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// wait tries something at each change until it succeeds or the time is over.
func (q *memoryQueue) wait(ctx context.Context, try func() bool, most time.Duration) error {
	timeout := time.After(most)
	for ctx.Err() == nil {
		q.mu.Lock()
		done, changed := try(), q.changed
		q.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-timeout:
			return nil
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

func (q *memoryQueue) Enqueue(_ context.Context, jobs ...*queue.Job) error {
	for _, job := range jobs {
		if err := q.do("Enqueue", job.Run, func(*memoryRun) { q.enqueue(job) }); err != nil {
			return err
		}
	}
	return nil
}

func (q *memoryQueue) enqueue(job *queue.Job) {
	if !slices.ContainsFunc(q.jobs, func(j *memoryJob) bool {
		return j.job.Run == job.Run && j.job.Number == job.Number && j.job.Kind == job.Kind
	}) {
		q.jobs = append(q.jobs, &memoryJob{queue: q, job: *job})
	}
}

func (q *memoryQueue) Queued(_ context.Context, run string) (all queue.Queued, err error) {
	err = q.do("Queued", run, func(r *memoryRun) { all = q.queued(run, r) })
	return all, err
}

func (q *memoryQueue) queued(run string, r *memoryRun) queue.Queued {
	all := queue.Queued{Jobs: map[int64]bool{}, Audits: map[int64]bool{}, Results: map[int64]bool{}, Idle: q.idle[run]}
	for _, j := range q.jobs {
		if j.job.Run != run {
			continue
		}
		if j.job.Kind == queue.Audit {
			all.Audits[j.job.Number] = true
		} else {
			all.Jobs[j.job.Number] = true
		}
		if !j.held {
			all.Waiting++
		}
	}
	for _, result := range r.results {
		if !result.acked {
			if result.Audit == nil {
				all.Results[result.Job()] = true
			}
			all.Messages++
		}
	}
	return all
}

func (q *memoryQueue) Progress(_ context.Context, run string) (progress queue.Progress, err error) {
	err = q.do("Progress", run, func(r *memoryRun) { progress = r.combined() })
	return progress, err
}

// combined returns the sum of the progress of the shares.
func (r *memoryRun) combined() (sum queue.Progress) {
	for _, p := range r.progress {
		jobs, err1 := sum.Jobs.Union(p.Jobs)
		dead, err2 := sum.Dead.Union(p.Dead)
		if err1 != nil || err2 != nil {
			panic("two collectors have written the same job")
		}
		sum.Run, sum.Jobs, sum.Dead = p.Run, jobs, dead
		sum.Episodes, sum.Plies = sum.Episodes+p.Episodes, sum.Plies+p.Plies
		sum.Arrived.Jobs, sum.Arrived.Episodes = sum.Arrived.Jobs+p.Arrived.Jobs, sum.Arrived.Episodes+p.Arrived.Episodes
		sum.Arrived.Plies += p.Arrived.Plies
		if sum.At.Before(p.At) {
			sum.At = p.At
		}
	}
	return sum
}

func (q *memoryQueue) Orders(_ context.Context, run string) (orders queue.Orders, err error) {
	err = q.do("Orders", run, func(r *memoryRun) { orders = r.orders })
	return orders, err
}

func (q *memoryQueue) PutOrders(_ context.Context, run string, orders queue.Orders) error {
	return q.do("PutOrders", run, func(r *memoryRun) { r.orders = orders })
}

func (q *memoryQueue) Withdraw(_ context.Context, run string) error {
	return q.do("Withdraw", run, func(*memoryRun) { q.withdraw(run) })
}

func (q *memoryQueue) withdraw(run string) {
	q.jobs = slices.DeleteFunc(q.jobs, func(j *memoryJob) bool { return j.job.Run == run })
}

func (q *memoryQueue) Forget(_ context.Context, run string) error {
	return q.do("Forget", run, func(*memoryRun) {
		q.withdraw(run)
		delete(q.runs, run)
	})
}

func (q *memoryQueue) Retire(_ context.Context, run string) error {
	return q.do("Retire", run, func(r *memoryRun) {
		q.withdraw(run)
		q.runs[run] = &memoryRun{progress: r.progress}
	})
}

func (q *memoryQueue) Close() error { return q.do("Close", "", func(*memoryRun) {}) }

func (q *memoryQueue) Runs(context.Context) (ids []string, err error) {
	err = q.do("Runs", "", func(*memoryRun) {
		for id, r := range q.runs {
			if r.settings != nil && !r.orders.Paused && !r.orders.Cancelled {
				ids = append(ids, id)
			}
		}
	})
	slices.Sort(ids)
	return ids, err
}

func (q *memoryQueue) AllRuns(context.Context) (all []queue.RunState, err error) {
	err = q.do("AllRuns", "", func(*memoryRun) {
		for id, r := range q.runs {
			if r.settings != nil {
				all = append(all, queue.RunState{Run: id, Settings: r.settings, Queued: q.queued(id, r), Progress: r.combined(), Orders: r.orders})
			}
		}
	})
	return all, err
}

// NextJob waits a little for a job.
func (q *memoryQueue) NextJob(ctx context.Context, runs []string) (held queue.HeldJob, err error) {
	const little = 50 * time.Millisecond
	q.mu.Lock()
	for _, run := range runs {
		q.idle[run]++
	}
	q.mu.Unlock()
	err = q.wait(ctx, func() bool {
		for _, run := range runs {
			for _, j := range q.jobs {
				if !j.held && j.job.Run == run && !time.Now().Before(j.from) {
					j.held = true
					j.deliveries++
					held = delivery{j, j.deliveries}
					return true
				}
			}
		}
		return false
	}, little)
	q.mu.Lock()
	for _, run := range runs {
		q.idle[run]--
	}
	q.mu.Unlock()
	if err == nil {
		err = q.do("NextJob", "", func(*memoryRun) {})
	}
	if err != nil {
		return nil, err
	}
	return held, nil
}

func (q *memoryQueue) StoreResult(_ context.Context, parts []queue.Part) error {
	return q.do("StoreResult", parts[0].Run, func(r *memoryRun) {
		for _, part := range parts {
			part.Data = slices.Clone(part.Data)
			r.results = append(r.results, &memoryResult{Arrival: queue.Arrival{Part: &part}})
		}
	})
}

func (q *memoryQueue) StoreAudit(_ context.Context, audit *queue.AuditResult) error {
	return q.do("StoreAudit", audit.Run, func(r *memoryRun) {
		r.results = append(r.results, &memoryResult{Arrival: queue.Arrival{Audit: audit}})
	})
}

func (q *memoryQueue) StoreDeadLetter(_ context.Context, letter *queue.DeadLetter) error {
	return q.do("StoreDeadLetter", letter.Run, func(r *memoryRun) {
		r.results = append(r.results, &memoryResult{Arrival: queue.Arrival{Dead: letter}})
	})
}

func (q *memoryQueue) ReportWorker(_ context.Context, state *queue.WorkerState) (quarantined string, err error) {
	err = q.do("ReportWorker", "", func(*memoryRun) {
		quarantined = q.quarantined[state.Name]
		q.workers[state.Name] = *state
	})
	return quarantined, err
}

func (q *memoryQueue) Workers(context.Context) (all []queue.WorkerState, err error) {
	err = q.do("Workers", "", func(*memoryRun) {
		for _, name := range slices.Sorted(maps.Keys(q.workers)) {
			state := q.workers[name]
			state.Quarantined = q.quarantined[name]
			all = append(all, state)
		}
	})
	return all, err
}

// worker returns the last report of a worker process.
func (q *memoryQueue) worker(name string) queue.WorkerState {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.workers[name]
}

func (q *memoryQueue) Quarantine(_ context.Context, worker, reason string) error {
	return q.do("Quarantine", "", func(*memoryRun) { q.quarantined[worker] = reason })
}

func (q *memoryQueue) Pardon(_ context.Context, worker string) error {
	return q.do("Pardon", "", func(*memoryRun) { delete(q.quarantined, worker) })
}

func (q *memoryQueue) RequestAudit(_ context.Context, job *queue.Job) error {
	return q.do("RequestAudit", job.Run, func(*memoryRun) { q.enqueue(job) })
}

func (q *memoryQueue) Settings(_ context.Context, run string) (settings *dataset.Settings, err error) {
	err = q.do("Settings", run, func(r *memoryRun) { settings = r.settings })
	if err == nil && settings == nil {
		err = fmt.Errorf("%w: %s", queue.ErrNoRun, run)
	}
	return settings, err
}

func (q *memoryQueue) PutProgress(_ context.Context, progress *queue.Progress) error {
	return q.do("PutProgress", progress.Run, func(r *memoryRun) { r.progress[progress.Share] = *progress })
}

func (q *memoryQueue) End(_ context.Context, run string) (end int64, err error) {
	err = q.do("End", run, func(r *memoryRun) { end = r.end })
	return end, err
}

func (q *memoryQueue) Collect(_ context.Context, run string, share queue.Share) (queue.Inbox, error) {
	err := q.do("Collect", run, func(r *memoryRun) {
		q.open++
		for _, result := range r.results {
			if share.Has(result.Job()) {
				result.held = false
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return &memoryInbox{q, run, share}, nil
}

type memoryInbox struct {
	queue *memoryQueue
	run   string
	share queue.Share
}

func (b *memoryInbox) Next(ctx context.Context) (in queue.Arrival, err error) {
	q := b.queue
	err = q.wait(ctx, func() bool {
		for _, result := range q.run(b.run).results {
			if !result.held && !result.acked && b.share.Has(result.Job()) {
				result.held = true
				in = result.Arrival
				in.Ack = func() {
					_ = q.do("Ack", b.run, func(*memoryRun) { result.acked = true })
				}
				return true
			}
		}
		return false
	}, time.Hour)
	if err == nil {
		err = q.do("Next", b.run, func(*memoryRun) {})
	}
	return in, err
}

func (b *memoryInbox) Close() error {
	b.queue.mu.Lock()
	b.queue.open--
	b.queue.mu.Unlock()
	return b.queue.do("CloseInbox", b.run, func(*memoryRun) {})
}

// A delivery is a job in the hands of a worker.
type delivery struct {
	*memoryJob
	number int
}

func (j *memoryJob) Job() *queue.Job { return &j.job }
func (d delivery) Deliveries() int   { return d.number }

// deliveries returns how often the jobs that are queued were delivered.
func (q *memoryQueue) deliveries() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		n += j.deliveries
	}
	return n
}

func (j *memoryJob) Extend() {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	j.extended++
}

func (j *memoryJob) end(call string, end func()) error {
	return j.queue.do(call, j.job.Run, func(*memoryRun) { end() })
}

func (j *memoryJob) remove() {
	j.queue.jobs = slices.DeleteFunc(j.queue.jobs, func(other *memoryJob) bool { return other == j })
}

func (j *memoryJob) Done(context.Context) error { return j.end("Done", j.remove) }

func (j *memoryJob) Retry(_ context.Context, pause time.Duration) error {
	return j.end("Retry", func() { j.held, j.from = false, time.Now().Add(pause) })
}

func (j *memoryJob) Release(context.Context) error { return j.end("Release", j.remove) }

func (q *memoryQueue) progressOf(run string) queue.Progress {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.run(run).combined()
}

func (q *memoryQueue) quarantineList() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.quarantined))
}

// lose delivers all jobs that are held again, as when an acknowledgement was lost.
func (q *memoryQueue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		j.held = false
	}
	q.signal()
}

// memoryFarm is a farm on a queue in memory.
func memoryFarm(t *testing.T, q *memoryQueue, s dataset.Settings) farm {
	f := newFarm(t.TempDir(), s)
	f.Config.Open = func(context.Context) (queue.Queue, error) { return q, nil }
	return f
}
