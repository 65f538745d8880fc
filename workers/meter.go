package workers

import (
	"time"

	"github.com/sandtable-farm/sandtable/env"
)

// A Meter counts what a farm does. It is called from many goroutines at once,
// must not block, and its numbers decide nothing. Where a configuration leaves
// it nil nothing is counted.
type Meter interface {
	// Episodes returns the counters of the episodes of one variant string. A
	// worker asks once a job, so that counting an episode looks nothing up.
	Episodes(variant string) EpisodeMeter

	// Ready tells whether a role can work: nil, or the reason why not, such as
	// a lost connection to the server. Until the first call it cannot.
	Ready(reason error)

	// WorkerStarted and WorkerStopped tell of a goroutine that plays jobs.
	WorkerStarted()
	WorkerStopped()
	// JobStarted tells that a worker begins a job, JobEnded that it is no longer
	// busy with it: after this time and with this end.
	JobStarted()
	JobEnded(busy time.Duration, end JobEnd)
	// JobRedelivered tells that a worker was given a job that had been
	// delivered before.
	JobRedelivered()
	// JobDead tells that a job went to the dead letters.
	JobDead()

	// QueueDepth tells how many jobs wait or are being played, and how many parts of
	// results wait for collectors, of the runs that this process conducts.
	QueueDepth(jobs, parts int64)
	// PartDropped tells that the collector was given a part whose job the data
	// set holds already.
	PartDropped()
	// ShardCommitted tells of a shard that is safe on disk: the rows of its two
	// tables and the bytes of both files.
	ShardCommitted(episodes, steps, bytes int64)
}

// An EpisodeMeter counts the episodes of one variant. It does not allocate.
type EpisodeMeter interface {
	// EpisodePlayed tells of one episode: its plies, the simulations or
	// positions that the agents say they looked at, and how it ended, from the
	// first player's view. The reason of a truncated episode is NoReason.
	EpisodePlayed(plies int, simulations int64, result env.Result, reason env.Reason)
}

// JobEnd says how a worker ended its work on a job.
type JobEnd uint8

const (
	JobDone      JobEnd = iota // every part is stored and the job acknowledged
	JobAbandoned               // given back because the worker stops
	JobRefused                 // given back because the machine has no command for an agent
	JobFailed                  // given back with an error, or moved to the dead letters
)

func (e JobEnd) String() string {
	switch e {
	case JobDone:
		return "done"
	case JobAbandoned:
		return "abandoned"
	case JobRefused:
		return "refused"
	default:
		return "failed"
	}
}

// metered returns m, or a Meter that counts nothing in place of nil.
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
