package prometheus

// Recording returns the recording rules: what dashboards and alerts ask of a
// whole farm. Names follow level:metric:operations, and the level is the set of
// labels that are left.
func Recording() Group {
	return Group{Name: "sandtable_recording", Rules: []Rule{
		{Record: "job:sandtable_episodes:rate1m", Expr: `sum by (job) (rate(sandtable_episodes_total[1m]))`},
		{Record: "job:sandtable_plies:rate1m", Expr: `sum by (job) (rate(sandtable_plies_total[1m]))`},
		{Record: "job:sandtable_simulations:rate1m", Expr: `sum by (job) (rate(sandtable_simulations_total[1m]))`},

		// Every process that knows the queue knows the whole queue.
		{Record: "job:sandtable_queue_jobs:max", Expr: `max by (job) (sandtable_queue_jobs)`},
		{Record: "job:sandtable_queue_parts:max", Expr: `max by (job) (sandtable_queue_parts)`},
		{Record: "job:sandtable_workers:sum", Expr: `sum by (job) (sandtable_workers)`},
		{Record: "job:sandtable_workers_busy:sum", Expr: `sum by (job) (sandtable_workers_busy)`},

		{Record: "job_le:sandtable_job_duration_seconds_bucket:rate5m",
			Expr: `sum by (job, le) (rate(sandtable_job_duration_seconds_bucket{end="done"}[5m]))`},
		{Record: "job_game_variant_le:sandtable_episode_plies_bucket:rate5m",
			Expr: `sum by (job, game, variant, le) (rate(sandtable_episode_plies_bucket[5m]))`},
		{Record: "job_game_variant:sandtable_truncated_episodes:ratio_rate5m",
			Expr: `sum by (job, game, variant) (rate(sandtable_truncated_episodes_total[5m]))` +
				` / (sum by (job, game, variant) (rate(sandtable_episodes_total[5m])) > 0)`},

		// Shards are rare events, so the ratio is that of everything written.
		{Record: "job:sandtable_shard_bytes_per_ply:ratio",
			Expr: `sum by (job) (sandtable_shard_bytes_total) / (sum by (job) (sandtable_rows_total{table="steps"}) > 0)`},
	}}
}
