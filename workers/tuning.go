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
	// Tick is the time between two looks of a role at the state of the others; the
	// default is 200 ms. It is longer where a look takes long, so that a role spends a
	// quarter of its time on looks or less.
	Tick time.Duration
	// MaxDeliveries is the number of deliveries of a job after which a failure
	// makes it a dead letter; the default is 5.
	MaxDeliveries int
	// Patience is how long jobs or results may wait while nothing moves before the
	// coordinator logs a warning; the default is 2 minutes.
	Patience time.Duration
	// Scout is the time between two looks of a worker process for runs that it can
	// play; the default is 1 s.
	Scout time.Duration
	// Report is the time between two reports of a worker process and between two
	// publications of a progress that does not change; the default is 5 s.
	Report time.Duration
	// Rest is how long a worker process rests for a run after a failure, and after it
	// has refused the run. It doubles each time up to RestMost. The defaults are 1 s
	// and 5 minutes.
	Rest, RestMost time.Duration
	// Turn is how long a worker prefers one run to others that have jobs; the default
	// is 10 s.
	Turn time.Duration
	// AgainAfter is how long no job may wait while workers are idle before jobs that
	// are being played are queued once more; the default is 10 s.
	AgainAfter time.Duration
	// Settle is how long a coordinator that finds its run finished waits for a
	// collector that publishes another progress, and how long a collector that has
	// finished waits for the end of its coordinator; the default is 15 s.
	Settle time.Duration
	// AuditShare is the share of the jobs that another worker plays for comparison, and
	// AuditPatience how long a job waits for that. The defaults are 0.01 and 30 s; a
	// negative share means none.
	AuditShare    float64
	AuditPatience time.Duration
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
	t.Scout = cmp.Or(t.Scout, time.Second)
	t.Report = cmp.Or(t.Report, 5*time.Second)
	t.Rest = cmp.Or(t.Rest, time.Second)
	t.RestMost = cmp.Or(t.RestMost, 5*time.Minute)
	t.Turn = cmp.Or(t.Turn, 10*time.Second)
	t.AgainAfter = cmp.Or(t.AgainAfter, 10*time.Second)
	t.Settle = cmp.Or(t.Settle, 15*time.Second)
	t.AuditShare = cmp.Or(t.AuditShare, 0.01)
	t.AuditPatience = cmp.Or(t.AuditPatience, 30*time.Second)
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

// pause returns how long a role waits after a look that took a while.
func pause(tick, took time.Duration) time.Duration { return max(tick, 3*took) }

// orSilent returns log, or a logger that discards everything if log is nil.
func orSilent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}
