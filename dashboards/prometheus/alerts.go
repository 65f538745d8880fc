package prometheus

import "time"

// Alerts returns the alert rules. They use the series of Recording.
func Alerts() Group {
	return Group{Name: "sandtable_alerts", Rules: []Rule{
		{
			Alert:       "SandtableNoEpisodes",
			Expr:        `job:sandtable_queue_jobs:max > 0 unless on (job) job:sandtable_episodes:rate1m > 0`,
			For:         5 * time.Minute,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} completes no episodes",
			Description: "{{ $value }} jobs of {{ $labels.job }} are queued or in progress, but no episode has ended for five minutes.",
			Runbook:     "Check /readyz and the log of each worker. If no worker is running, start one: the queue keeps the jobs.",
		},
		{
			Alert:       "SandtableRedeliveries",
			Expr:        `sum by (job) (increase(sandtable_jobs_redelivered_total[5m])) > 0`,
			For:         15 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} keeps redelivering jobs",
			Description: "Jobs have been redelivered for 15 minutes, {{ printf \"%.0f\" $value }} of them in the last five minutes.",
			Runbook:     "Look for workers that are killed (memory, preemption) or lose their connection to NATS. The data stay correct; only work is lost.",
		},
		{
			Alert:       "SandtableDeadLetters",
			Expr:        `sum by (job) (sandtable_dead_letters_total) > 0`,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} has dead letters",
			Description: "{{ $value }} jobs have become dead letters since the workers started. The data set stays incomplete without them.",
			Runbook:     "Read the reason in the worker's log, remove the cause, and requeue the jobs with sandtable dataset requeue DIR.",
		},
		{
			// The coordinator limits the queue's depth, so a queue that no worker drains need
			// not grow. The symptom is that jobs wait.
			Alert: "SandtableIdleWorkersWhileJobsWait",
			Expr: `job:sandtable_queue_jobs:max > job:sandtable_workers_busy:sum` +
				` and on (job) job:sandtable_workers_busy:sum <= 0.5 * job:sandtable_workers:sum`,
			For:         10 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} has idle workers while jobs are queued",
			Description: "{{ $value }} jobs are queued or in progress, but at least half of the workers have been idle for ten minutes.",
			Runbook:     "Check that the workers use the coordinator's NATS server and program version. A worker refuses jobs whose rules it cannot reproduce.",
		},
		{
			Alert: "SandtableNoShards",
			Expr: `job:sandtable_queue_parts:max > 0` +
				` unless on (job) sum by (job) (increase(sandtable_shards_total[5m])) > 0`,
			For:         10 * time.Minute,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} writes no shards",
			Description: "{{ $value }} result parts wait for the collector, but it has written no shard for ten minutes.",
			Runbook:     "Check that the collector is running and that its disk has space. NATS keeps the results up to its storage limit.",
		},
		{
			Alert:       "SandtableNotReady",
			Expr:        `sandtable_ready == 0`,
			For:         2 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.instance }} is not ready",
			Description: "The {{ $labels.role }} at {{ $labels.instance }} has not been ready for two minutes.",
			Runbook:     "http://{{ $labels.instance }}/readyz shows the reason, most often a lost connection to NATS.",
		},
		{
			Alert:       "SandtableTargetDown",
			Expr:        `up{job=~"sandtable.*"} == 0`,
			For:         time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.instance }} does not respond",
			Description: "Prometheus has failed to scrape {{ $labels.instance }} of {{ $labels.job }} for a minute.",
			Runbook:     "A finished farm exits: remove the target. Otherwise restart the process, which resumes the run.",
		},
		{
			Alert:       "SandtableHighTruncatedShare",
			Expr:        `job_game_variant:sandtable_truncated_episodes:ratio_rate5m > 0.2`,
			For:         15 * time.Minute,
			Severity:    "warning",
			Summary:     "Many episodes of {{ $labels.game }}/{{ $labels.variant }} are truncated",
			Description: "{{ $value | humanizePercentage }} of the episodes reach the ply limit and have no result.",
			Runbook:     "Raise --max-plies, or use sandtable dataset show to check whether the agents move pieces back and forth.",
		},
	}}
}
