package workers

import (
	"context"
	"errors"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Queue carries runs between the roles, of which each uses a part. It delivers
// at least once. It handles lost connections itself: calls wait and try again
// until ctx is done. It is safe for concurrent use.
type Queue interface {
	CoordinatorQueue
	WorkerQueue
	CollectorQueue

	// Forget removes the settings, the progress, the end and the collector's state
	// of a run on which no role works any more.
	Forget(ctx context.Context, run string) error
	// Close ends the use of the queue. Jobs and results that are held are
	// delivered to other processes.
	Close() error
}

// A CoordinatorQueue is the part of a [Queue] that [Coordinate] uses.
type CoordinatorQueue interface {
	// PutRun stores the settings of a run for all roles. It refuses settings that
	// differ from those that are stored for the same run.
	PutRun(ctx context.Context, settings *dataset.Settings) error
	// PutEnd stores the number of jobs of a run without a fixed end; a negative
	// number removes it.
	PutEnd(ctx context.Context, run string, jobs int64) error
	// Enqueue adds a job. A job that waits or is being played is left as it is.
	Enqueue(ctx context.Context, job *Job) error
	// Queued returns where the jobs of a run are.
	Queued(ctx context.Context, run string) (Queued, error)
	// Progress returns the progress that was published last, or the zero Progress.
	Progress(ctx context.Context, run string) (Progress, error)
	// Withdraw removes the jobs of a run that wait or are being played. Workers
	// finish the jobs that they hold.
	Withdraw(ctx context.Context, run string) error
	// Purge removes the jobs and the results of a run that is in its data set.
	Purge(ctx context.Context, run string) error
}

// A WorkerQueue is the part of a [Queue] that [Work] uses.
type WorkerQueue interface {
	// NextJob waits for a job of any run, and for room for its result.
	NextJob(ctx context.Context) (HeldJob, error)
	// StoreParts returns when all parts are stored durably. Storing a part again
	// has no effect, or adds a copy that the collector drops. The caller keeps the
	// parts.
	StoreParts(ctx context.Context, parts []Part) error
	// StoreDeadLetter stores a record in the place of a result.
	StoreDeadLetter(ctx context.Context, letter *DeadLetter) error
}

// A CollectorQueue is the part of a [Queue] that [Collect] uses.
type CollectorQueue interface {
	// Settings returns the settings of a run. The error wraps ErrNoRun when none
	// are stored.
	Settings(ctx context.Context, run string) (*dataset.Settings, error)
	// Collect opens the results of a run. The results that an earlier collector
	// held without acknowledging them are delivered again at once, and that
	// collector's next call fails.
	Collect(ctx context.Context, run string) (Inbox, error)
	// PutProgress publishes the progress of a run.
	PutProgress(ctx context.Context, progress *Progress) error
	// End returns the number that PutEnd stored, or −1.
	End(ctx context.Context, run string) (int64, error)
	// Queued is that of CoordinatorQueue.
	Queued(ctx context.Context, run string) (Queued, error)
}

// A Failer is a Queue that can fail permanently.
type Failer interface {
	// Failed delivers the reason, once.
	Failed() <-chan error
}

// ErrNoRun is what an error wraps when the queue has no settings of a run.
var ErrNoRun = errors.New("no such run")

// A HeldJob is a job that was delivered to a worker, which holds it until it calls
// one of Done, Retry and Release. When the worker's process dies, the job is
// delivered again.
type HeldJob interface {
	// Job returns the job, or why it cannot be read. The run and the number are
	// set in any case.
	Job() (*Job, error)
	// Deliveries returns how often the job was delivered, this time included.
	Deliveries() int
	// Done removes the job from the queue. When Done, Retry or Release fails, the
	// job is delivered again, or queued again by the coordinator.
	Done(ctx context.Context) error
	// Retry returns the job after a failure, to be delivered again after a pause.
	Retry(ctx context.Context) error
	// Release returns the job without counting the delivery.
	Release(ctx context.Context) error
}

// An Inbox delivers the results of one run to its collector.
type Inbox interface {
	// Next waits for a part or a dead letter, which is held until it is
	// acknowledged.
	Next(ctx context.Context) (Arrival, error)
	Close() error
}

// An Arrival is one part or one dead letter.
type Arrival struct {
	Part *Part
	Dead *DeadLetter
	// Ack removes it from the queue. When the acknowledgement is lost, it is
	// delivered again, and the collector drops it.
	Ack func()
}

func (a *Arrival) number() int64 {
	if a.Dead != nil {
		return a.Dead.Job
	}
	return a.Part.Job
}

// Queued says where the jobs of a run are. A job that a worker has finished is in
// Results before it leaves Jobs, and in the published Progress before it leaves
// Results; Queue.Queued looks in that order.
type Queued struct {
	Jobs     map[int64]bool // that wait or are being played
	Results  map[int64]bool // jobs with parts or a dead letter that wait for the collector
	Messages int64          // number of these parts and dead letters
}

// Progress is what the collector of a run publishes.
type Progress struct {
	Run      string       `json:"run"`
	Jobs     dataset.Jobs `json:"jobs"` // in the data set
	Dead     dataset.Jobs `json:"dead"` // with a dead letter
	Episodes int64        `json:"episodes,string"`
	Plies    int64        `json:"plies,string"`
	Bytes    int64        `json:"bytes,string"` // on disk
	Shards   int64        `json:"shards,string"`
	Arrived  Arrived      `json:"arrived"`
}

// Arrived counts the whole jobs that have reached the collector and are not yet in
// the data set.
type Arrived struct {
	Jobs     int64 `json:"jobs,string"`
	Episodes int64 `json:"episodes,string"`
	Plies    int64 `json:"plies,string"`
}

// finished returns how many jobs below a number need nothing more.
func (p *Progress) finished(below int64) int64 { return p.Jobs.Below(below) + p.Dead.Below(below) }
