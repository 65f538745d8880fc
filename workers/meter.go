package workers

import (
	"time"

	"github.com/sandtable-farm/sandtable/env"
)

// A Meter counts what a farm does. Its methods are called from many goroutines at
// once and must not block; its numbers decide nothing. A configuration with a nil
// Meter counts nothing.
type Meter interface {
	// Episodes returns the counters of the episodes of one variant string. A
	// worker calls it once per job, so that counting an episode needs no lookup.
	Episodes(variant string) EpisodeMeter

	// Ready reports that a role can work (nil), or the reason why it cannot, such
	// as a lost connection. Until the first call it cannot.
	Ready(reason error)

	// WorkerStarted and WorkerStopped count the goroutines that play jobs.
	WorkerStarted()
	WorkerStopped()
	// JobStarted reports that a worker begins a job, JobEnded that it has finished
	// with it, how long it was busy and how the work ended.
	JobStarted()
	JobEnded(busy time.Duration, end JobEnd)
	// JobRedelivered reports that a worker received a job that had been delivered
	// before.
	JobRedelivered()
	// JobDead reports that a job became a dead letter.
	JobDead()

	// Quarantined reports whether the worker process is quarantined.
	Quarantined(yes bool)
	// RunRefused reports that the worker process looked at a run and does not play it.
	// RunsRefused reports how many runs it does not play at present, by Refusal.
	RunRefused(reason Refusal)
	RunsRefused(now [Refusals]int)
	// Backoff reports that something that failed is tried again after a pause. There
	// are few causes, of one word each, such as "connection" or "failure".
	Backoff(cause string, pause time.Duration)

	// QueueDepth reports how many jobs wait or are being played, and how many parts
	// of results wait for collectors, of the runs that this process coordinates.
	QueueDepth(jobs, parts int64)
	// RunState reports the state of a run that this process coordinates.
	RunState(report RunReport)
	// JobCommitted reports that a job has reached the data set, and the time since
	// this process queued it first.
	JobCommitted(issueToCommit time.Duration)

	// PartDropped reports that the collector received a part of a job that is in the
	// data set.
	PartDropped()
	// ShardCommitted reports a shard that is safe on disk: the rows of its two
	// tables and the bytes of both files.
	ShardCommitted(episodes, steps, bytes int64)
	// CollectorLag reports the age of the oldest result that the collector has
	// received and that is not in the data set, 0 if there is none.
	CollectorLag(oldest time.Duration)
	// ResultChecked reports that the collector replayed a result before it committed
	// it, how long that took, and whether the result was right. A wrong one is dropped.
	ResultChecked(busy time.Duration, right bool)
	// Audited reports how the audit of a job ended.
	Audited(end AuditEnd)
	// WorkerQuarantined reports that the collector quarantined a worker process.
	WorkerQuarantined()
}

// An EpisodeMeter counts the episodes of one variant. It does not allocate.
type EpisodeMeter interface {
	// EpisodePlayed reports one episode: its plies, the simulations or positions
	// that the agents say they searched, and its result from the first player's
	// point of view. The reason of a truncated episode is NoReason.
	EpisodePlayed(plies int, simulations int64, result env.Result, reason env.Reason)
}

// JobEnd says how a worker ended its work on a job.
type JobEnd uint8

const (
	JobDone      JobEnd = iota // every part is stored and the job acknowledged
	JobAbandoned               // released because the worker stops
	JobFailed                  // returned for another delivery, or made a dead letter
)

func (e JobEnd) String() string {
	return [...]string{"done", "abandoned", "failed"}[min(e, JobFailed)]
}

// A Refusal is the kind of reason why a worker process does not play a run.
type Refusal uint8

const (
	RefusedVersion  Refusal = iota // the digest of the rules is that of another version
	RefusedProgram                 // the machine has no command for an agent
	RefusedMemory                  // the agents need more memory than the worker may use
	RefusedSettings                // the settings cannot be used for another reason
	Refusals                       // number of reasons
)

func (r Refusal) String() string {
	return [...]string{"version", "program", "memory", "settings"}[min(r, RefusedSettings)]
}

// AuditEnd says how the audit of a job ended.
type AuditEnd uint8

const (
	AuditSame       AuditEnd = iota // both processes played the same episodes
	AuditDifferent                  // they did not, and a third play decides
	AuditUnanswered                 // no other process answered in time
)

func (e AuditEnd) String() string {
	return [...]string{"same", "different", "unanswered"}[min(e, AuditUnanswered)]
}

// A RunReport is the state of a run as its coordinator sees it.
type RunReport struct {
	Run      string // id
	Variant  string
	Planned  RunCount  // −1 of each while the run has no end
	Done     RunCount  // in the data set
	Arrived  RunCount  // at the collectors, and not yet in the data set
	Dead     int64     // jobs with a dead letter
	Waiting  int64     // queued jobs that no worker holds
	Workers  int64     // goroutines that hold a job of the run or wait for one
	Limit    int       // most goroutines that may play the run at a time, by an operator's order; 0 means no limit
	Progress time.Time // when a collector last published its progress; zero means never
	Paused   bool
	Ended    bool // complete or cancelled: nothing more is wanted
}

// A RunCount counts jobs and their episodes.
type RunCount struct{ Jobs, Episodes int64 }

// metered returns m, or a Meter that counts nothing if m is nil.
func metered(m Meter) Meter {
	if m == nil {
		return noMeter{}
	}
	return m
}

type noMeter struct{}

func (noMeter) Episodes(string) EpisodeMeter                     { return noMeter{} }
func (noMeter) EpisodePlayed(int, int64, env.Result, env.Reason) {}
func (noMeter) Ready(error)                                      {}
func (noMeter) WorkerStarted()                                   {}
func (noMeter) WorkerStopped()                                   {}
func (noMeter) JobStarted()                                      {}
func (noMeter) JobEnded(time.Duration, JobEnd)                   {}
func (noMeter) JobRedelivered()                                  {}
func (noMeter) JobDead()                                         {}
func (noMeter) Quarantined(bool)                                 {}
func (noMeter) RunRefused(Refusal)                               {}
func (noMeter) RunsRefused([Refusals]int)                        {}
func (noMeter) Backoff(string, time.Duration)                    {}
func (noMeter) QueueDepth(int64, int64)                          {}
func (noMeter) RunState(RunReport)                               {}
func (noMeter) JobCommitted(time.Duration)                       {}
func (noMeter) PartDropped()                                     {}
func (noMeter) ShardCommitted(episodes, steps, bytes int64)      {}
func (noMeter) CollectorLag(time.Duration)                       {}
func (noMeter) ResultChecked(time.Duration, bool)                {}
func (noMeter) Audited(AuditEnd)                                 {}
func (noMeter) WorkerQuarantined()                               {}
