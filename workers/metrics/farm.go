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

// A Role is the part of a farm that a process plays.
type Role string

const (
	RoleFarm        Role = "farm" // all roles in one process
	RoleCoordinator Role = "coordinator"
	RoleWorker      Role = "worker"
	RoleCollector   Role = "collector"
)

// A Farm counts what one process of a farm does. It is a workers.Meter and a
// prometheus.Gatherer, and safe for concurrent use.
type Farm struct {
	prometheus.Gatherer

	notReady atomic.Pointer[error] // what Ready was called with last

	episodes    *prometheus.CounterVec
	plies       *prometheus.CounterVec
	simulations *prometheus.CounterVec
	results     *prometheus.CounterVec
	truncated   *prometheus.CounterVec
	lengths     *prometheus.HistogramVec

	mu       sync.Mutex // guards variants
	variants map[string]*episodes

	workers, busy            prometheus.Gauge
	redelivered, deadLetters prometheus.Counter
	jobs                     [workers.JobFailed + 1]prometheus.Observer
	quarantined              prometheus.Gauge
	refusals                 [workers.Refusals]prometheus.Counter
	refused                  [workers.Refusals]prometheus.Gauge
	backoffs                 *backoffs

	queueJobs, queueParts prometheus.Gauge
	runs                  *runs
	committed             prometheus.Observer

	dropped               prometheus.Counter
	shards, shardBytes    prometheus.Counter
	episodeRows, stepRows prometheus.Counter
	lag                   prometheus.Gauge
	checks                [2]prometheus.Counter // false, true
	checkSeconds          prometheus.Counter
	audits                [workers.AuditUnanswered + 1]prometheus.Counter
	setAside              prometheus.Counter
}

// New returns the metrics of a process with the given role. It is not ready until the
// first call of Ready.
func New(role Role) *Farm {
	r := registry{prometheus.NewRegistry()}
	f := &Farm{Gatherer: r, variants: map[string]*episodes{}}

	f.episodes = r.counters("episodes_total", "Episodes played, including truncated ones.", "game", "variant")
	f.plies = r.counters("plies_total", "Plies played, including those of openings.", "game", "variant")
	f.simulations = r.counters("simulations_total", "Simulations or positions that the agents report to have searched.", "game", "variant")
	f.results = r.counters("results_total", "Episodes with a result, by winner and reason, including forfeits.", "game", "variant", "winner", "reason")
	f.truncated = r.counters("truncated_episodes_total", "Episodes truncated by the limit of plies, without a result.", "game", "variant")
	f.lengths = r.histograms("episode_plies", "Length of an episode in plies, including those of the opening.",
		[]float64{8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 1500, 2000, 4000}, "game", "variant")

	f.workers = r.gauge("workers", "Goroutines that play jobs.")
	f.busy = r.gauge("workers_busy", "Goroutines that are playing a job.")
	durations := r.histograms("job_duration_seconds", "Time in seconds that a worker was busy with a job, by how the work ended.",
		[]float64{0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60, 120, 300, 600}, "end")
	for end := range f.jobs {
		f.jobs[end] = durations.WithLabelValues(workers.JobEnd(end).String())
	}
	f.redelivered = r.counter("jobs_redelivered_total", "Jobs delivered to a worker that had been delivered before.")
	f.deadLetters = r.counter("dead_letters_total", "Jobs that became dead letters after their last delivery failed.")

	f.quarantined = r.gauge("quarantined", "1 if this worker process is quarantined and takes no jobs, 0 if not.")
	refusals := r.counters("run_refusals_total", "Times that this worker process looked at a run and did not play it, by reason.", "reason")
	refused := r.gauges("runs_refused", "Runs that this worker process does not play at present, by reason.", "reason")
	for reason := range workers.Refusals {
		f.refusals[reason] = refusals.WithLabelValues(reason.String())
		f.refused[reason] = refused.WithLabelValues(reason.String())
	}
	f.backoffs = newBackoffs(r)

	f.queueJobs = r.gauge("queue_jobs", "Jobs of the run that wait or are being played.")
	f.queueParts = r.gauge("queue_parts", "Parts of results that wait for the collector.")
	f.runs = register(r, newRuns())
	f.committed = r.latency("job_issue_to_commit_seconds", "Time in seconds from the first queueing of a job until its result is in the data set.",
		[]float64{1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 3600})

	f.dropped = r.counter("parts_dropped_total", "Parts of results dropped because their job is in the data set.")
	f.shards = r.counter("shards_total", "Shards of the data set that are safe on disk.")
	f.shardBytes = r.counter("shard_bytes_total", "Bytes of the shards that are safe on disk, in both tables.")
	rows := r.counters("rows_total", "Rows in the shards that are safe on disk, by table.", "table")
	f.episodeRows, f.stepRows = rows.WithLabelValues("episodes"), rows.WithLabelValues("steps")

	f.lag = r.gauge("collector_lag_seconds", "Age in seconds of the oldest result that the collector has received and that is not in the data set, 0 if there is none.")
	checks := r.counters("results_checked_total", "Results that were replayed before they were committed, by verdict. Wrong results are dropped.", "verdict")
	f.checks[0], f.checks[1] = checks.WithLabelValues("wrong"), checks.WithLabelValues("right")
	f.checkSeconds = r.counter("result_check_seconds_total", "Time in seconds that goroutines spent on the replay of results.")
	audits := r.counters("audits_total", "Audits of jobs, by how they ended.", "end")
	for end := range f.audits {
		f.audits[end] = audits.WithLabelValues(workers.AuditEnd(end).String())
	}
	f.setAside = r.counter("workers_quarantined_total", "Worker processes that this collector quarantined.")

	r.gaugeFunc("ready", "1 if the process can do the work of its role, 0 if not.", prometheus.Labels{"role": string(role)}, func() float64 {
		return indicator(f.NotReady() == nil)
	})
	r.process()

	f.Ready(errors.New("starting"))
	return f
}

// Ready implements workers.Meter.
func (f *Farm) Ready(reason error) { f.notReady.Store(&reason) }

// NotReady returns why the process cannot do its work, or nil if it can.
func (f *Farm) NotReady() error { return *f.notReady.Load() }

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

// Quarantined implements workers.Meter.
func (f *Farm) Quarantined(yes bool) { f.quarantined.Set(indicator(yes)) }

// RunRefused implements workers.Meter.
func (f *Farm) RunRefused(reason workers.Refusal) {
	f.refusals[min(reason, workers.RefusedSettings)].Inc()
}

// RunsRefused implements workers.Meter.
func (f *Farm) RunsRefused(now [workers.Refusals]int) {
	for reason, n := range now {
		f.refused[reason].Set(float64(n))
	}
}

// Backoff implements workers.Meter. It counts at most [MaxCauses] causes separately.
func (f *Farm) Backoff(cause string, pause time.Duration) { f.backoffs.add(cause, pause) }

// RunState implements workers.Meter. The last [MaxRuns] runs are shown.
func (f *Farm) RunState(report workers.RunReport) { f.runs.set(report) }

// JobCommitted implements workers.Meter.
func (f *Farm) JobCommitted(issueToCommit time.Duration) {
	f.committed.Observe(issueToCommit.Seconds())
}

// CollectorLag implements workers.Meter.
func (f *Farm) CollectorLag(oldest time.Duration) { f.lag.Set(oldest.Seconds()) }

// ResultChecked implements workers.Meter.
func (f *Farm) ResultChecked(busy time.Duration, right bool) {
	f.checks[int(indicator(right))].Inc()
	if busy > 0 {
		f.checkSeconds.Add(busy.Seconds())
	}
}

// Audited implements workers.Meter.
func (f *Farm) Audited(end workers.AuditEnd) { f.audits[min(end, workers.AuditUnanswered)].Inc() }

// WorkerQuarantined implements workers.Meter.
func (f *Farm) WorkerQuarantined() { f.setAside.Inc() }

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// add ignores what a counter cannot add: it only goes up.
func add(c prometheus.Counter, n int64) {
	if n > 0 {
		c.Add(float64(n))
	}
}
