package prometheus

import "time"

// Alerts returns the alert rules. They rest on the series of Recording.
func Alerts() Group {
	return Group{Name: "sandtable_alerts", Rules: []Rule{
		{
			Alert:       "SandtableNoEpisodes",
			Expr:        `job:sandtable_queue_jobs:max > 0 unless on (job) job:sandtable_episodes:rate1m > 0`,
			For:         5 * time.Minute,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} plays no episodes",
			Description: "{{ $value }} jobs of {{ $labels.job }} wait or are being played, but no episode has ended for five minutes.",
			Runbook:     "Ask /readyz of each worker and read its log; with no worker alive, start one: the queue keeps the jobs.",
		},
		{
			Alert:       "SandtableRedeliveries",
			Expr:        `sum by (job) (increase(sandtable_jobs_redelivered_total[5m])) > 0`,
			For:         15 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} plays jobs again and again",
			Description: "Jobs have been delivered a second time for 15 minutes on end, {{ printf \"%.0f\" $value }} of them in the last five.",
			Runbook:     "Look for workers that are killed (memory, preemption) or cut off from NATS; the data stay right, only work is lost.",
		},
		{
			Alert:       "SandtableDeadLetters",
			Expr:        `sum by (job) (sandtable_dead_letters_total) > 0`,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} has given jobs up",
			Description: "{{ $value }} jobs went to the dead letters since their workers were started; the data set cannot become complete.",
			Runbook:     "Read the reason in the worker's log, remove the cause and requeue with sandtable dataset requeue DIR.",
		},
		{
			// The coordinator keeps the queue at a fixed depth, so that a queue which
			// nobody empties need not grow: what counts is that jobs wait.
			Alert: "SandtableIdleWorkersWhileJobsWait",
			Expr: `job:sandtable_queue_jobs:max > job:sandtable_workers_busy:sum` +
				` and on (job) job:sandtable_workers_busy:sum <= 0.5 * job:sandtable_workers:sum`,
			For:         10 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} has work that its workers do not take",
			Description: "{{ $value }} jobs wait or are being played, yet at least half of the workers have been idle for ten minutes.",
			Runbook:     "Check that the workers use the NATS server and program version of the coordinator: a worker refuses rules it cannot rebuild.",
		},
		{
			Alert: "SandtableNoShards",
			Expr: `job:sandtable_queue_parts:max > 0` +
				` unless on (job) sum by (job) (increase(sandtable_shards_total[5m])) > 0`,
			For:         10 * time.Minute,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} writes no shards",
			Description: "{{ $value }} parts of results wait for the collector, but no shard has been written for ten minutes.",
			Runbook:     "Check that the collector runs and that its disk has room; results wait safely in NATS until its storage limit.",
		},
		{
			Alert:       "SandtableNotReady",
			Expr:        `sandtable_ready == 0`,
			For:         2 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.instance }} is not ready",
			Description: "The {{ $labels.role }} at {{ $labels.instance }} has not been able to work for two minutes.",
			Runbook:     "http://{{ $labels.instance }}/readyz tells the reason; most often it is a lost connection to NATS.",
		},
		{
			Alert:       "SandtableTargetDown",
			Expr:        `up{job=~"sandtable.*"} == 0`,
			For:         time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.instance }} does not answer",
			Description: "Prometheus could not scrape {{ $labels.instance }} of {{ $labels.job }} for a minute.",
			Runbook:     "A farm that is done ends by itself: then remove the target; else start the process again, it resumes.",
		},
		{
			Alert:       "SandtableHighTruncatedShare",
			Expr:        `job_game_variant:sandtable_truncated_episodes:ratio_rate5m > 0.2`,
			For:         15 * time.Minute,
			Severity:    "warning",
			Summary:     "Many episodes of {{ $labels.game }}/{{ $labels.variant }} are cut off",
			Description: "{{ $value | humanizePercentage }} of the episodes reach the limit of plies and have no result.",
			Runbook:     "Raise --max-plies, or look with sandtable dataset show whether the agents shuffle pieces to and fro.",
		},
	}}
}
