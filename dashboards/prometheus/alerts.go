package prometheus

import "time"

// Alerts returns the alert rules. They use the series of Recording.
func Alerts() Group {
	return Group{Name: "sandtable_alerts", Rules: []Rule{
		{
			Alert:       "SandtableNoEpisodes",
			Expr:        `job:sandtable_workers_busy:sum > 0 unless on (job) job:sandtable_episodes:rate1m > 0`,
			For:         5 * time.Minute,
			Severity:    "critical",
			Summary:     "{{ $labels.job }} completes no episodes",
			Description: "{{ $value }} workers of {{ $labels.job }} are playing jobs, but no episode has ended for five minutes.",
			Runbook:     "Check the log of each worker. An external program that does not answer, or agents that search for minutes a move, look like this.",
		},
		{
			Alert: "SandtableRunWithoutWorker",
			Expr: `max by (job, run) (sandtable_run_jobs_waiting) > 0` +
				` unless on (job, run) max by (job, run) (sandtable_run_workers) > 0`,
			For:         5 * time.Minute,
			Severity:    "critical",
			Summary:     "Run {{ $labels.run }} of {{ $labels.job }} has no worker",
			Description: "{{ $value }} jobs of the run wait, but for five minutes no worker has played the run or waited for its jobs.",
			Runbook:     "Start a worker: the queue keeps the jobs. If workers run, sandtable workers shows why they do not play the run: another version, a missing program, too little memory, or quarantine.",
		},
		{
			Alert: "SandtableRunWithoutCollector",
			Expr: `time() - max by (job, run) (sandtable_run_progress_timestamp_seconds) > 120` +
				` and on (job, run) job_run:sandtable_run_jobs_left:max > 0`,
			For:         2 * time.Minute,
			Severity:    "critical",
			Summary:     "Run {{ $labels.run }} of {{ $labels.job }} has no collector",
			Description: "No collector of the run has published its progress for two minutes. Workers stop when the results fill their share of the NATS server.",
			Runbook:     "Start the collector of the run: sandtable collector --run {{ $labels.run }} --out DIR. If it runs, check /readyz and its disk, and that the clocks of the machines agree.",
		},
		{
			Alert:       "SandtableWorkerQuarantined",
			Expr:        `sandtable_quarantined == 1`,
			Severity:    "warning",
			Summary:     "The worker {{ $labels.instance }} is quarantined",
			Description: "A collector found that results of the worker at {{ $labels.instance }} of {{ $labels.job }} are wrong. It takes no more jobs.",
			Runbook:     "sandtable workers shows the reason. Check the memory and the program version of the machine. Pardon the worker with sandtable workers --pardon NAME, or stop it; remove its games with sandtable dataset drop --worker NAME.",
		},
		{
			Alert:       "SandtableWrongResults",
			Expr:        `sum by (job) (increase(sandtable_results_checked_total{verdict="wrong"}[15m])) > 0`,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} receives wrong results",
			Description: "The replay before the commit has found results in the last fifteen minutes that break the rules. They are not in the data set, and their jobs are played again.",
			Runbook:     "The collector's log and sandtable workers name the worker process. Check its machine; change the NATS credentials if it is not yours.",
		},
		{
			// A worker without the program or the memory for a run is normal in a mixed fleet:
			// SandtableRunWithoutWorker fires if no other worker plays the run.
			Alert:       "SandtableRunRefused",
			Expr:        `max by (job, instance, reason) (sandtable_runs_refused{reason=~"version|settings"}) > 0`,
			For:         10 * time.Minute,
			Severity:    "warning",
			Summary:     "The worker {{ $labels.instance }} cannot play a run",
			Description: "The worker at {{ $labels.instance }} of {{ $labels.job }} has refused {{ $value }} runs for ten minutes because of their {{ $labels.reason }}.",
			Runbook:     "Run the same version of the program in all roles. The worker's log and sandtable workers name the run and the reason.",
		},
		{
			Alert: "SandtableRedeliveries",
			Expr: `sum by (job) (increase(sandtable_jobs_redelivered_total[15m]))` +
				` / sum by (job) (increase(sandtable_job_duration_seconds_count[15m])) > 0.1`,
			For:         15 * time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.job }} keeps redelivering jobs",
			Description: "For 15 minutes, more than a tenth of the jobs have been delivered before; the share is {{ $value | humanizePercentage }}.",
			Runbook:     "Look for workers that are killed (memory, preemption) or lose their connection to NATS. The data stay correct; only work is lost.",
		},
		{
			Alert:       "SandtableDeadLetters",
			Expr:        `max by (job, run) (sandtable_run_jobs{state="dead"}) > 0`,
			Severity:    "critical",
			Summary:     "Run {{ $labels.run }} of {{ $labels.job }} has dead letters",
			Description: "{{ $value }} jobs of the run are dead letters. The data set stays incomplete without them.",
			Runbook:     "Read the reason in the worker's log, remove the cause, and requeue the jobs with sandtable dataset requeue DIR.",
		},
		{
			// The coordinator limits the queue's depth, so a queue that no worker drains need
			// not grow. The symptom is that jobs wait. Workers idle by order where a run has a
			// limit.
			Alert: "SandtableIdleWorkersWhileJobsWait",
			Expr: `job:sandtable_queue_jobs:max > job:sandtable_workers_busy:sum` +
				` and on (job) job:sandtable_workers_busy:sum <= 0.5 * job:sandtable_workers:sum` +
				` unless on (job) max by (job) (sandtable_run_workers_limit) > 0`,
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
			Alert: "SandtableTargetDown",
			// The processes of a farm exit at its end, which the last values before show: the jobs
			// left reach 0 within a minute, or workers hold them all.
			Expr:        `up{job=~"sandtable.*"} == 0 and on (job) last_over_time(job:sandtable_run_jobs_left:predict1m[1d]) > 0`,
			For:         time.Minute,
			Severity:    "warning",
			Summary:     "{{ $labels.instance }} does not respond",
			Description: "Prometheus has failed to scrape {{ $labels.instance }} of {{ $labels.job }} for a minute, and the farm's runs were not near their end.",
			Runbook:     "Restart the process: the same command resumes the run. If the process was moved, remove the target.",
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
