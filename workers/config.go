package workers

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// FarmConfig is what [Farm] needs: all roles of one run in this process.
type FarmConfig struct {
	Dir      string           // of the data set; created when missing
	Settings dataset.Settings // of the run, usually selfplay.Plan.Settings
	// For is how long a run without a fixed number of episodes gets new jobs;
	// those under way are finished. 0 is until ctx is done.
	For     time.Duration
	Workers int // goroutines that play; 0 is one for each core
	// Commands are what the names of external programs stand for on this machine.
	Commands agent.Commands
	// Open opens the queue, once the folder is locked: natsq.Embedded or
	// natsq.Remote. The farm closes it.
	Open func(ctx context.Context) (Queue, error)

	Meter  Meter            // nil counts nothing
	Log    *slog.Logger     // nil is silent
	Status func(FarmStatus) // called every Tuning.Tick and at the end, one call at a time; may be nil
	// Episode sees the episodes as they are written; see CollectorConfig.
	Episode func(*dataset.Episode)
	Tuning  Tuning
}

// FarmStatus is how a farm gets on.
type FarmStatus struct {
	Progress
	Total     int64 // episodes of the run, 0 when it has no fixed end
	Remaining int64 // episodes that were not in the data set when the farm began, 0 likewise
	// Played counts the episodes, and PlayedPlies their plies, that this
	// process has played since it began: the measure for a progress bar. Jobs
	// that are played twice count twice.
	Played, PlayedPlies int64
	QueuedJobs          int64 // wait or are being played
	QueuedResults       int64 // parts that wait for the collector
}

// CoordinatorConfig is what [Coordinate] needs.
type CoordinatorConfig struct {
	Queue    Queue
	Settings dataset.Settings
	Jobs     int64         // see RunConfig
	For      time.Duration // see FarmConfig
	Meter    Meter
	Log      *slog.Logger
	Status   func(Progress, Queued) // called every Tuning.Tick; may be nil
	Tuning   Tuning

	ordered bool            // see RunConfig.Each
	enough  <-chan struct{} // closed when no more jobs are wanted; nil: never
	stall   *stall          // of the runs that share the workers; nil: of this one
	turn    <-chan struct{} // closed when jobs may be queued; nil: at once
	filled  func()          // called when all jobs are queued or further, again and again; may be nil
}

// WorkerConfig is what [Work] needs.
type WorkerConfig struct {
	Queue   Queue
	Workers int    // goroutines that play; 0 is one for each core
	Name    string // of this process in dead letters, for people; "" is host and process number
	// Commands are what the names of external programs stand for on this machine.
	// Jobs that name others are left to other workers.
	Commands agent.Commands
	Meter    Meter
	Log      *slog.Logger
	Tuning   Tuning
}

// CollectorConfig is what [Collect] needs.
type CollectorConfig struct {
	Queue  Queue
	Dir    string // of the data set; created when missing
	Run    string // id of the run, whose settings the queue knows
	Meter  Meter
	Log    *slog.Logger
	Status func(Progress) // called when it changes; may be nil
	// Episode sees each episode when it is written, from one goroutine; may be
	// nil. It does not own the episode. Those of a shard that could not be
	// written because one of its results was damaged it sees again.
	Episode func(*dataset.Episode)
	Tuning  Tuning
}

// Report is what a farm or a collector leaves when it ends, however it ends.
type Report struct {
	Dir      string
	Run      string
	Complete bool  // every episode of the run is in the data set
	Before   int64 // episodes that were there when it began
	Episodes int64 // episodes, plies, shards and bytes that are there now
	Plies    int64
	Shards   int64
	Bytes    int64
	Dead     dataset.Jobs // jobs with a dead letter
}

// Tuning are the numbers of the farm. None has an influence on the data. A zero
// field takes its default.
type Tuning struct {
	// Window is the most jobs of a run that are queued or being played at a
	// time. The default is 1024; without a fixed number of episodes it is 128, and
	// in a farm one and a half for each worker, because jobs that are queued are
	// played to the end, but there it grows with what the workers get done.
	Window int
	// Tick is how often the roles look at each other's state; default 200 ms.
	Tick time.Duration
	// MaxDeliveries is how many workers may fail at a job, or die of it, before
	// it is a dead letter; default 5.
	MaxDeliveries int
	// Patience is how long jobs may wait and none get done before the coordinator
	// says so; default 2 minutes.
	Patience time.Duration
	// Grace is how long a role that is stopped may take to store what it has
	// finished; default 10 s.
	Grace time.Duration
	// A shard is written when this many plies or bytes of whole jobs have
	// arrived, or this long after the first of them. Defaults: 1 Mi plies,
	// 64 MiB, 1 minute. Runs that share a queue have smaller shards: what waits to
	// be written of all of them must leave room for results.
	ShardPlies int64
	ShardBytes int64
	ShardAfter time.Duration
}

func (t Tuning) withDefaults() Tuning {
	t.Tick = orDefault(t.Tick, 200*time.Millisecond)
	t.MaxDeliveries = orDefault(t.MaxDeliveries, 5)
	t.Patience = orDefault(t.Patience, 2*time.Minute)
	t.Grace = orDefault(t.Grace, 10*time.Second)
	t.ShardPlies = orDefault(t.ShardPlies, 1<<20)
	t.ShardBytes = orDefault(t.ShardBytes, 64<<20)
	t.ShardAfter = orDefault(t.ShardAfter, time.Minute)
	return t
}

// shared returns the tuning of one of so many collectors on one queue: together they
// hold back at most what two alone would.
func (t Tuning) shared(runs int) Tuning {
	share := int64(runs+1) / 2
	t.ShardPlies = max(1, t.ShardPlies/share)
	t.ShardBytes = max(1, t.ShardBytes/share)
	return t
}

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

// orSilent returns log, or a logger that says nothing in place of nil.
func orSilent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

// A DeadJobsError says that a run has ended without some of its jobs, which are
// dead letters in the data set's folder.
type DeadJobsError struct {
	Dir  string // of the data set; "" where only the collector knows it
	Jobs dataset.Jobs
}

func (e *DeadJobsError) Error() string {
	if e.Dir == "" {
		return fmt.Sprintf("the run is incomplete: no worker could do job %s; the dead letters in the collector's folder say why", e.Jobs)
	}
	return fmt.Sprintf("the run is incomplete: no worker could do job %s; %s says why, and `sandtable dataset requeue %s` has them tried again",
		e.Jobs, DeadLetterPath(e.Dir, e.Jobs.Max()), e.Dir)
}
