package metrics

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sandtable-farm/sandtable/workers"
)

var _ workers.Meter = (*Farm)(nil)

// Role says which part of a farm a process plays.
type Role string

const (
	RoleFarm        Role = "farm" // every role in one process
	RoleCoordinator Role = "coordinator"
	RoleWorker      Role = "worker"
	RoleCollector   Role = "collector"
)

// Farm counts what one process of a farm does. It is a workers.Meter, safe for
// concurrent use, and gathers its metrics for whoever shows them.
type Farm struct {
	prometheus.Gatherer

	families []Family
	notReady atomic.Pointer[string] // the reason, nil when ready

	episodes    *prometheus.CounterVec
	plies       *prometheus.CounterVec
	simulations *prometheus.CounterVec
	results     *prometheus.CounterVec
	truncated   *prometheus.CounterVec
	lengths     *prometheus.HistogramVec

	mu       sync.Mutex // guards variants
	variants map[string]*episodes

	workers, busy                     prometheus.Gauge
	redelivered, deadLetters, dropped prometheus.Counter
	jobs                              [workers.JobFailed + 1]prometheus.Observer
	queueJobs, queueParts             prometheus.Gauge
	shards, shardBytes                prometheus.Counter
	episodeRows, stepRows             prometheus.Counter
}

var errStarting = errors.New("starting")

// New returns the metrics of a process that plays a role. Until the first call
// of Ready it is not ready.
func New(role Role) *Farm {
	r := newRegistry()
	f := &Farm{Gatherer: r, variants: map[string]*episodes{}}

	f.episodes = r.counters("episodes_total", "Episodes played, truncated ones included.", "game", "variant")
	f.plies = r.counters("plies_total", "Plies played, those of openings included.", "game", "variant")
	f.simulations = r.counters("simulations_total", "Simulations or positions that the agents say they looked at.", "game", "variant")
	f.results = r.counters("results_total", "Episodes that were not cut off, by winner and reason, forfeits included.", "game", "variant", "winner", "reason")
	f.truncated = r.counters("truncated_episodes_total", "Episodes cut off by the limit of plies, without a result.", "game", "variant")
	f.lengths = r.histograms("episode_plies", "Length of an episode in plies, those of the opening included.",
		[]float64{8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 1500, 2000, 4000}, "game", "variant")

	f.workers = r.gauge("workers", "Goroutines that play jobs.")
	f.busy = r.gauge("workers_busy", "Goroutines that are playing a job at this moment.")
	durations := r.histograms("job_duration_seconds", "Time in seconds that a worker was busy with a job, by how its work ended.",
		[]float64{0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60, 120, 300, 600}, "end")
	for end := range f.jobs {
		f.jobs[end] = durations.WithLabelValues(workers.JobEnd(end).String())
	}
	f.redelivered = r.counter("jobs_redelivered_total", "Jobs given to a worker that had been delivered before.")
	f.deadLetters = r.counter("dead_letters_total", "Jobs moved to the dead letters after their last delivery failed.")

	f.queueJobs = r.gauge("queue_jobs", "Jobs of the run that wait or are being played.")
	f.queueParts = r.gauge("queue_parts", "Parts of results that wait for the collector.")
	f.dropped = r.counter("parts_dropped_total", "Parts of results dropped because the data set holds their job already.")
	f.shards = r.counter("shards_total", "Shards of the data set that are safe on disk.")
	f.shardBytes = r.counter("shard_bytes_total", "Bytes of the shards that are safe on disk, both tables together.")
	rows := r.counters("rows_total", "Rows in the shards that are safe on disk, by table.", "table")
	f.episodeRows, f.stepRows = rows.WithLabelValues("episodes"), rows.WithLabelValues("steps")

	r.gaugeFunc("ready", "1 when the process can do the work of its role, else 0.", prometheus.Labels{"role": string(role)}, func() float64 {
		if f.notReady.Load() != nil {
			return 0
		}
		return 1
	})
	r.build()
	r.process()
	f.families = r.families

	f.Ready(errStarting)
	return f
}

// Families returns every metric that the Farm can show, sorted by name, also
// those that have no value yet.
func (f *Farm) Families() []Family { return f.families }

// Ready implements workers.Meter.
func (f *Farm) Ready(reason error) {
	if reason == nil {
		f.notReady.Store(nil)
		return
	}
	text := reason.Error()
	f.notReady.Store(&text)
}

// NotReady returns why the process cannot do its work; ok is false when it can.
func (f *Farm) NotReady() (reason string, ok bool) {
	if r := f.notReady.Load(); r != nil {
		return *r, true
	}
	return "", false
}

// WorkerStarted implements workers.Meter.
func (f *Farm) WorkerStarted() { f.workers.Inc() }

// WorkerStopped implements workers.Meter.
func (f *Farm) WorkerStopped() { f.workers.Dec() }

// JobStarted implements workers.Meter.
func (f *Farm) JobStarted() { f.busy.Inc() }

// JobEnded implements workers.Meter.
func (f *Farm) JobEnded(busy time.Duration, end workers.JobEnd) {
	f.busy.Dec()
	f.jobs[min(end, workers.JobFailed)].Observe(busy.Seconds())
}

// JobRedelivered implements workers.Meter.
func (f *Farm) JobRedelivered() { f.redelivered.Inc() }

// JobDead implements workers.Meter.
func (f *Farm) JobDead() { f.deadLetters.Inc() }

// QueueDepth implements workers.Meter.
func (f *Farm) QueueDepth(jobs, parts int64) {
	f.queueJobs.Set(float64(jobs))
	f.queueParts.Set(float64(parts))
}

// PartDropped implements workers.Meter.
func (f *Farm) PartDropped() { f.dropped.Inc() }

// ShardCommitted implements workers.Meter.
func (f *Farm) ShardCommitted(episodes, steps, bytes int64) {
	f.shards.Inc()
	add(f.episodeRows, episodes)
	add(f.stepRows, steps)
	add(f.shardBytes, bytes)
}

// add leaves out what a counter cannot hold: it only goes up.
func add(c prometheus.Counter, n int64) {
	if n > 0 {
		c.Add(float64(n))
	}
}
