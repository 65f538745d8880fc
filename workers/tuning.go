package workers

import (
	"cmp"
	"log/slog"
	"time"
)

// Tuning holds the numbers of a farm that have no influence on the data. A zero
// field takes its default.
type Tuning struct {
	// Window is the most jobs of a run that are queued or being played at a
	// time. The default is 1024 for a run with a fixed number of episodes and 128
	// for one without. A run that a [Farm] ends by the clock has one and a half
	// jobs per worker, because queued jobs are played to the end; its window
	// grows with the number of jobs that the workers finish.
	Window int
	// Tick is the time between two looks of a role at the state of the others;
	// the default is 200 ms.
	Tick time.Duration
	// MaxDeliveries is the number of deliveries of a job after which a failure
	// makes it a dead letter; the default is 5.
	MaxDeliveries int
	// Patience is how long jobs may wait while none is finished before the
	// coordinator logs a warning; the default is 2 minutes.
	Patience time.Duration
	// Grace is how long a role that is stopped may take to store what it has
	// finished; the default is 10 s.
	Grace time.Duration
	// A shard is written when whole jobs with this many plies or bytes have
	// arrived, or this long after the first of them. The defaults are 1 Mi plies,
	// 64 MiB and 1 minute. Runs that share a queue write smaller shards, so that
	// the results that wait for them leave room for others.
	ShardPlies int64
	ShardBytes int64
	ShardAfter time.Duration
}

func (t Tuning) withDefaults() Tuning {
	t.Tick = cmp.Or(t.Tick, 200*time.Millisecond)
	t.MaxDeliveries = cmp.Or(t.MaxDeliveries, 5)
	t.Patience = cmp.Or(t.Patience, 2*time.Minute)
	t.Grace = cmp.Or(t.Grace, 10*time.Second)
	t.ShardPlies = cmp.Or(t.ShardPlies, 1<<20)
	t.ShardBytes = cmp.Or(t.ShardBytes, 64<<20)
	t.ShardAfter = cmp.Or(t.ShardAfter, time.Minute)
	return t
}

// shared returns the tuning of one of several collectors on one queue: together
// they hold back at most what two collectors alone would.
func (t Tuning) shared(runs int) Tuning {
	share := int64(runs+1) / 2
	t.ShardPlies = max(1, t.ShardPlies/share)
	t.ShardBytes = max(1, t.ShardBytes/share)
	return t
}

// orSilent returns log, or a logger that discards everything if log is nil.
func orSilent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}
