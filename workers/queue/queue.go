package queue

import (
	"context"
	"errors"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
)

// A Queue carries runs between the roles, of which each uses a part. It handles lost
// connections and lost streams itself: calls wait and try again until ctx is done. An
// error that waiting does not mend, such as a missing right, is returned. It is safe
// for concurrent use.
type Queue interface {
	Coordinator
	Worker
	Collector
	Operator

	// Close ends the use of the queue. Jobs and results that are held are delivered
	// to other processes.
	Close() error
}

// A Coordinator is the part of a [Queue] that the coordinator of a run uses.
type Coordinator interface {
	// PutRun stores the settings of a run for all roles, and opens its jobs to
	// workers. It refuses settings that differ from those that are stored for the
	// same run.
	PutRun(ctx context.Context, settings *dataset.Settings) error
	// PutEnd stores the number of jobs of a run without a fixed end; a negative
	// number removes it.
	PutEnd(ctx context.Context, run string, jobs int64) error
	// Enqueue adds jobs, in their order. A job of the same kind that waits or is being
	// played is left as it is.
	Enqueue(ctx context.Context, jobs ...*Job) error
	// Queued returns where the jobs of a run are.
	Queued(ctx context.Context, run string) (Queued, error)
	// Progress returns what the collectors of a run have published, combined, or the
	// zero Progress.
	Progress(ctx context.Context, run string) (Progress, error)
	// Orders returns what an operator has ordered for a run; see [Operator.PutOrders].
	Orders(ctx context.Context, run string) (Orders, error)
	// Withdraw removes the jobs of a run that wait or are being played. Workers
	// finish the jobs that they hold.
	Withdraw(ctx context.Context, run string) error
	// Forget removes everything that the queue holds of a run: jobs, results,
	// settings, progress, orders and consumers. The roles that still work on it see
	// [ErrNoRun].
	Forget(ctx context.Context, run string) error
	// Retire is Forget for a run that has ended. Its progress stays for a minute or more,
	// so that other coordinators of the run, and one that is started again, see its end.
	Retire(ctx context.Context, run string) error
}

// A Worker is the part of a [Queue] that workers use.
type Worker interface {
	// Runs lists the runs that a worker could play, in the order of their ids. It
	// omits paused and cancelled runs.
	Runs(ctx context.Context) ([]string, error)
	// Settings returns the settings of a run. The error wraps ErrNoRun when none are
	// stored.
	Settings(ctx context.Context, run string) (*dataset.Settings, error)
	// NextJob waits for a job of one of the given runs for a second or so. It prefers
	// the runs in the order given, and skips runs whose waiting results leave no room.
	// It returns nil without an error when there is no job, and no message of any
	// other run is delivered.
	NextJob(ctx context.Context, runs []string) (HeldJob, error)
	// StoreResult returns when all parts are stored durably. Storing a part again
	// adds a copy that the collector drops. The caller keeps the parts.
	StoreResult(ctx context.Context, parts []Part) error
	// StoreAudit stores the answer to a job of kind Audit.
	StoreAudit(ctx context.Context, audit *AuditResult) error
	// StoreDeadLetter stores a record in the place of a result.
	StoreDeadLetter(ctx context.Context, letter *DeadLetter) error
	// ReportWorker publishes the state of a worker process. It is listed until a
	// minute passes without a further report. It returns why the process is
	// quarantined, or "".
	ReportWorker(ctx context.Context, state *WorkerState) (quarantined string, err error)
}

// A Collector is the part of a [Queue] that collectors use.
type Collector interface {
	// Settings is that of Worker.
	Settings(ctx context.Context, run string) (*dataset.Settings, error)
	// Collect opens the results of a run that belong to a share of its jobs. The
	// results that an earlier collector of the same share held without acknowledging
	// them are delivered again at once, and that collector's next call fails with
	// ErrTakenOver.
	Collect(ctx context.Context, run string, share Share) (Inbox, error)
	// PutProgress publishes the progress of a run or of a share of it.
	PutProgress(ctx context.Context, progress *Progress) error
	// End returns the number that PutEnd stored, or −1.
	End(ctx context.Context, run string) (int64, error)
	// Queued and Orders are those of Coordinator.
	Queued(ctx context.Context, run string) (Queued, error)
	Orders(ctx context.Context, run string) (Orders, error)
	// RequestAudit asks for a job to be played again, by a process other than
	// job.Not, for comparison.
	RequestAudit(ctx context.Context, job *Job) error
	// Quarantine has a worker process take no more jobs of any run, and says why.
	Quarantine(ctx context.Context, worker, reason string) error
}

// An Operator is the part of a [Queue] for people who watch and control runs.
type Operator interface {
	// AllRuns lists all runs that the queue knows, in the order of their ids.
	AllRuns(ctx context.Context) ([]RunState, error)
	// PutOrders stores orders for a run; the roles follow them within seconds.
	PutOrders(ctx context.Context, run string, orders Orders) error
	// Workers lists the worker processes that have reported within a minute, in the
	// order of their names.
	Workers(ctx context.Context) ([]WorkerState, error)
	// Pardon ends the quarantine of a worker process.
	Pardon(ctx context.Context, worker string) error
	// Forget is that of Coordinator.
	Forget(ctx context.Context, run string) error
}

// A Failer is a Queue that can fail permanently.
type Failer interface {
	// Failed delivers the reason, once.
	Failed() <-chan error
}

// ErrNoRun is wrapped by the error of a call about a run that the queue does not know.
var ErrNoRun = errors.New("no such run")

// ErrTakenOver is wrapped by the error of an Inbox when another collector of the same
// share has taken its place.
var ErrTakenOver = errors.New("another collector has taken over")

// A HeldJob is a job that was delivered to a worker, which holds it until it calls
// one of Done, Retry and Release. When the worker's process dies, or reports no
// progress of the job for too long, the job is delivered again.
type HeldJob interface {
	Job() *Job
	// Deliveries returns how often the job was delivered since it was queued, this
	// time included.
	Deliveries() int
	// Extend reports that the job makes progress. It does not block, and may be called
	// for every ply.
	Extend()
	// Done removes the job from the queue. When Done, Retry or Release fails, the
	// job is delivered again, or queued again by the coordinator.
	Done(ctx context.Context) error
	// Retry returns the job after a failure, to be delivered again after a pause.
	Retry(ctx context.Context, pause time.Duration) error
	// Release gives the job up without counting the delivery: the job leaves the
	// queue, and the coordinator queues it again.
	Release(ctx context.Context) error
}

// An Inbox delivers the results of a share of a run to its collector.
type Inbox interface {
	// Next waits for a part, an audit or a dead letter, which is held until it is
	// acknowledged. Its errors wrap ErrTakenOver or ErrNoRun, or are final.
	Next(ctx context.Context) (Arrival, error)
	Close() error
}

// An Arrival is one part, one audit or one dead letter; the other two are nil.
type Arrival struct {
	Part  *Part
	Audit *AuditResult
	Dead  *DeadLetter
	// Ack removes it from the queue. When the acknowledgement is lost, it is
	// delivered again, and the collector drops it.
	Ack func()
}

// Job returns the number of the job that the arrival belongs to.
func (a *Arrival) Job() int64 {
	switch {
	case a.Dead != nil:
		return a.Dead.Job
	case a.Audit != nil:
		return a.Audit.Job
	}
	return a.Part.Job
}

// Queued says where the jobs of a run are. A job that a worker has finished is in
// Results before it leaves Jobs, and in the published Progress before it leaves
// Results; Queue.Queued looks in that order.
type Queued struct {
	Jobs     map[int64]bool // of kinds Play and Again that wait or are being played
	Audits   map[int64]bool // of kind Audit that wait or are being played
	Results  map[int64]bool // with parts or a dead letter that wait for the collector
	Messages int64          // number of these parts, and of dead letters and audits
	Waiting  int64          // messages of jobs that no worker holds
	Idle     int64          // workers that wait for a job of this run
}
