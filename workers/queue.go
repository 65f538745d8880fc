package workers

import (
	"context"
	"errors"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Queue carries a run between the roles. It delivers at least once. A lost
// connection is its own affair: calls wait and try again until ctx is done.
type Queue interface {
	// PutRun stores the settings of a run where every role finds them. It
	// refuses settings that differ from those stored under the same run.
	PutRun(ctx context.Context, settings *dataset.Settings) error
	// Settings returns the settings of a run; the error wraps ErrNoRun when there is none.
	Settings(ctx context.Context, run string) (*dataset.Settings, error)

	// Enqueue adds a job. One that waits or is being played is left as it is.
	Enqueue(ctx context.Context, job *Job) error
	// NextJob waits for a job of any run, and for room for its result.
	NextJob(ctx context.Context) (HeldJob, error)
	// StoreParts returns when all the given parts are stored for good. Storing
	// a part again does nothing, or adds a copy that the collector drops. The
	// parts are the caller's.
	StoreParts(ctx context.Context, parts []Part) error
	// StoreDeadLetter stores a record in the place of a result.
	StoreDeadLetter(ctx context.Context, letter *DeadLetter) error

	// Collect opens the results of one run. What an earlier collector held
	// without acknowledging is delivered again at once, and that collector's
	// next call fails.
	Collect(ctx context.Context, run string) (Inbox, error)

	// PutProgress publishes what the collector has. Progress returns the last
	// that was published, the zero Progress when none was.
	PutProgress(ctx context.Context, progress *Progress) error
	Progress(ctx context.Context, run string) (Progress, error)
	// PutEnd settles how many jobs a run without a fixed end has, and a
	// negative number unsettles it. End returns it, or −1.
	PutEnd(ctx context.Context, run string, jobs int64) error
	End(ctx context.Context, run string) (int64, error)

	// Queued tells where the jobs of a run are.
	Queued(ctx context.Context, run string) (Queued, error)
	// Withdraw removes the jobs of a run that wait or are being played. Workers
	// finish what they have.
	Withdraw(ctx context.Context, run string) error
	// Retire drops what the queue still holds of a run that is in its data set.
	Retire(ctx context.Context, run string) error
	// Forget drops the settings, the progress, the end and what a collector had of a
	// run on which no role works any more.
	Forget(ctx context.Context, run string) error

	// Close gives the queue up. What was held is delivered to somebody else.
	Close() error
}

// A Mortal is a Queue that can fail for good.
type Mortal interface {
	// Failed delivers the reason, once.
	Failed() <-chan error
}

// ErrNoRun is what an error wraps when the queue knows no such run.
var ErrNoRun = errors.New("no such run")

// HeldJob is a job that a worker was given and holds until it calls one of
// Done, Retry and GiveBack. When its process dies the job is delivered again.
type HeldJob interface {
	// Job returns the job, or why it cannot be read. The run and number are set
	// in any case.
	Job() (*Job, error)
	// Deliveries returns how often the job was given to a worker, this time included.
	Deliveries() int
	// Done removes the job from the queue. It, Retry and GiveBack may fail; the
	// job is then delivered again, or queued again by the coordinator.
	Done(ctx context.Context) error
	// Retry gives the job back after a failure, to be delivered again after a pause.
	Retry(ctx context.Context) error
	// GiveBack gives the job back without counting the delivery.
	GiveBack(ctx context.Context) error
}

// An Inbox delivers the results of one run to its collector.
type Inbox interface {
	// Next waits for a part or a dead letter. What it returns is held until it
	// is acknowledged.
	Next(ctx context.Context) (Arrival, error)
	Close() error
}

// An Arrival is one part or one dead letter.
type Arrival struct {
	Part *Part
	Dead *DeadLetter
	// Ack removes it from the queue. When that is lost on the way it is
	// delivered again, and the collector drops it.
	Ack func()
}

func (a *Arrival) number() int64 {
	if a.Dead != nil {
		return a.Dead.Job
	}
	return a.Part.Job
}

// Queued tells where the jobs of a run are. A job that a worker has done is in
// Results before it leaves Jobs, and in the published Progress before it leaves
// Results; Queued looks in that order.
type Queued struct {
	Jobs     map[int64]bool // wait or are being played
	Results  map[int64]bool // have parts or a dead letter that wait for the collector
	Messages int64          // how many parts and dead letters these are
}

// Progress is what the collector of a run tells of it.
type Progress struct {
	Run      string       `json:"run"`
	Jobs     dataset.Jobs `json:"jobs"` // in the data set
	Dead     dataset.Jobs `json:"dead"` // have a dead letter
	Episodes int64        `json:"episodes,string"`
	Plies    int64        `json:"plies,string"`
	Bytes    int64        `json:"bytes,string"` // on disk
	Shards   int64        `json:"shards,string"`
	Arrived  Arrived      `json:"arrived"`
}

// Arrived is what has reached the collector whole and is not yet in the data set.
type Arrived struct {
	Jobs     int64 `json:"jobs,string"`
	Episodes int64 `json:"episodes,string"`
	Plies    int64 `json:"plies,string"`
}

// settled returns how many jobs below a number need nothing more.
func (p *Progress) settled(below int64) int64 { return p.Jobs.Below(below) + p.Dead.Below(below) }
