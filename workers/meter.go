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

	// QueueDepth reports how many jobs wait or are being played, and how many parts
	// of results wait for collectors, of the runs that this process coordinates.
	QueueDepth(jobs, parts int64)
	// PartDropped reports that the collector received a part of a job that is in the
	// data set.
	PartDropped()
	// ShardCommitted reports a shard that is safe on disk: the rows of its two
	// tables and the bytes of both files.
	ShardCommitted(episodes, steps, bytes int64)
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
	JobRefused                 // released because the machine has no command for an agent
	JobFailed                  // returned for another delivery, or made a dead letter
)

func (e JobEnd) String() string {
	return [...]string{"done", "abandoned", "refused", "failed"}[min(e, JobFailed)]
}

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
func (noMeter) QueueDepth(int64, int64)                          {}
func (noMeter) PartDropped()                                     {}
func (noMeter) ShardCommitted(episodes, steps, bytes int64)      {}
