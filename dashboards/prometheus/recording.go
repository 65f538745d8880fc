package prometheus

// Recording returns the recording rules. They aggregate the series of whole farms,
// which the dashboard and the alerts use. Names have the form level:metric:operations,
// where level lists the remaining labels.
func Recording() Group {
	return Group{Name: "sandtable_recording", Rules: []Rule{
		{Record: "job:sandtable_episodes:rate1m", Expr: `sum by (job) (rate(sandtable_episodes_total[1m]))`},
		{Record: "job:sandtable_plies:rate1m", Expr: `sum by (job) (rate(sandtable_plies_total[1m]))`},
		{Record: "job:sandtable_simulations:rate1m", Expr: `sum by (job) (rate(sandtable_simulations_total[1m]))`},

		// Every process that sees the queue reports the whole queue.
		{Record: "job:sandtable_queue_jobs:max", Expr: `max by (job) (sandtable_queue_jobs)`},
		{Record: "job:sandtable_queue_parts:max", Expr: `max by (job) (sandtable_queue_parts)`},
		{Record: "job:sandtable_workers:sum", Expr: `sum by (job) (sandtable_workers)`},
		{Record: "job:sandtable_workers_busy:sum", Expr: `sum by (job) (sandtable_workers_busy)`},

		{Record: "job_le:sandtable_job_duration_seconds_bucket:rate5m",
			Expr: `sum by (job, le) (rate(sandtable_job_duration_seconds_bucket{end="done"}[5m]))`},
		{Record: "job_le:sandtable_job_issue_to_commit_seconds_bucket:rate5m",
			Expr: `sum by (job, le) (rate(sandtable_job_issue_to_commit_seconds_bucket[5m]))`},

		// Only the coordinator of a run shows it.
		{Record: "job_run:sandtable_run_jobs_left:max", Expr: `max by (job, run) (sandtable_run_jobs_left)`},
		{Record: "job:sandtable_run_eta_seconds:ratio5m",
			Expr: `sum by (job) (sandtable_run_jobs_left)` +
				` / (sum by (job) (rate(sandtable_job_duration_seconds_count{end="done"}[5m])) > 0)`},
		// The jobs that would be left a minute later, without those that workers hold. It is
		// above 0 only while the farm cannot be near its normal end.
		{Record: "job:sandtable_run_jobs_left:predict1m",
			Expr: `sum by (job) (clamp_min(predict_linear(sandtable_run_jobs_left[2m], 60), 0))` +
				` - sum by (job) (sandtable_run_workers)`},

		{Record: "job_game_variant_le:sandtable_episode_plies_bucket:rate5m",
			Expr: `sum by (job, game, variant, le) (rate(sandtable_episode_plies_bucket[5m]))`},
		{Record: "job_game_variant:sandtable_truncated_episodes:ratio_rate5m",
			Expr: `sum by (job, game, variant) (rate(sandtable_truncated_episodes_total[5m]))` +
				` / (sum by (job, game, variant) (rate(sandtable_episodes_total[5m])) > 0)`},

		// Shards are rare, so the ratio covers everything written so far.
		{Record: "job:sandtable_shard_bytes_per_ply:ratio",
			Expr: `sum by (job) (sandtable_shard_bytes_total) / (sum by (job) (sandtable_rows_total{table="steps"}) > 0)`},
	}}
}
