package metrics

import (
	"math"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sandtable-farm/sandtable/workers"
)

// MaxRuns is the number of runs that a Farm shows: those that were reported last.
const MaxRuns = 16

// runs is a collector of the states of runs.
type runs struct {
	info, jobs, episodes, left, waiting, players, limit, progress, paused *prometheus.Desc

	mu      sync.Mutex
	reports []workers.RunReport // the one that was reported last is at the end
}

func newRuns() *runs {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+name, help, append([]string{"run"}, labels...), nil)
	}
	return &runs{
		info:     desc("run_info", "Always 1; the labels identify a run that this process coordinates.", "variant"),
		jobs:     desc("run_jobs", "Jobs of a run by state: planned (not shown while the run has no end), done (in the data set), arrived (at the collector, not yet in the data set), dead.", "state"),
		episodes: desc("run_episodes", "Episodes of a run by state: planned (not shown while the run has no end), done (in the data set), arrived (at the collector, not yet in the data set).", "state"),
		left:     desc("run_jobs_left", "Jobs of a run that are still wanted and have not arrived, 0 when the run has ended, infinite while it has no end."),
		waiting:  desc("run_jobs_waiting", "Queued jobs of a run that no worker holds."),
		players:  desc("run_workers", "Goroutines that hold a job of a run or wait for one."),
		limit:    desc("run_workers_limit", "Most goroutines that may play a run at a time, by an operator's order, 0 without a limit."),
		progress: desc("run_progress_timestamp_seconds", "Unix time in seconds at which a collector of a run last published its progress, 0 if never."),
		paused:   desc("run_paused", "1 if an operator has paused a run, 0 if not."),
	}
}

func (r *runs) set(report workers.RunReport) {
	report.Run, report.Variant = bounded(report.Run), bounded(report.Variant)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = slices.DeleteFunc(r.reports, func(o workers.RunReport) bool { return o.Run == report.Run })
	if len(r.reports) == MaxRuns {
		r.reports = slices.Delete(r.reports, 0, 1)
	}
	r.reports = append(r.reports, report)
}

// Describe implements prometheus.Collector.
func (r *runs) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{r.info, r.jobs, r.episodes, r.left, r.waiting, r.players, r.limit, r.progress, r.paused} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (r *runs) Collect(to chan<- prometheus.Metric) {
	r.mu.Lock()
	reports := slices.Clone(r.reports)
	r.mu.Unlock()
	for _, o := range reports {
		show := func(d *prometheus.Desc, value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, append([]string{o.Run}, labels...)...)
		}
		show(r.info, 1, o.Variant)
		if o.Planned.Jobs >= 0 {
			show(r.jobs, float64(o.Planned.Jobs), "planned")
			show(r.episodes, float64(o.Planned.Episodes), "planned")
		}
		show(r.jobs, float64(o.Done.Jobs), "done")
		show(r.episodes, float64(o.Done.Episodes), "done")
		show(r.jobs, float64(o.Arrived.Jobs), "arrived")
		show(r.episodes, float64(o.Arrived.Episodes), "arrived")
		show(r.jobs, float64(o.Dead), "dead")
		show(r.left, left(o))
		show(r.waiting, float64(o.Waiting))
		show(r.players, float64(o.Workers))
		show(r.limit, float64(o.Limit))
		published := 0.0
		if !o.Progress.IsZero() {
			published = float64(o.Progress.UnixMilli()) / 1000
		}
		show(r.progress, published)
		show(r.paused, indicator(o.Paused))
	}
}

// left returns how many jobs are still wanted and have not arrived.
func left(o workers.RunReport) float64 {
	switch {
	case o.Ended:
		return 0
	case o.Planned.Jobs < 0:
		return math.Inf(1)
	}
	return float64(max(0, o.Planned.Jobs-o.Done.Jobs-o.Arrived.Jobs-o.Dead))
}
