package grafana

import "fmt"

// Farm returns the dashboard of a farm: its speed, the results of its games, its jobs, the
// data set and its processes.
func Farm() Dashboard {
	var g grid
	overview(&g)
	runs(&g)
	games(&g)
	jobs(&g)
	data(&g)
	processes(&g)
	return Dashboard{
		UID:           "sandtable-farm",
		Title:         "Sandtable farm",
		Description:   "A Sandtable self-play farm: speed, results, jobs, data set and processes.",
		Tags:          []string{"sandtable"},
		Timezone:      "browser",
		SchemaVersion: schemaVersion,
		Editable:      true,
		GraphTooltip:  1,
		Refresh:       "10s",
		Time:          TimeRange{From: "now-15m", To: "now"},
		Annotations: Annotations{List: []Annotation{{Name: "Alerts", Datasource: source(), Enable: true, IconColor: "red",
			Expr:        `ALERTS{alertname=~"Sandtable.+", alertstate="firing", job=~"$job"}`,
			TitleFormat: "{{alertname}}", TextFormat: "{{job}} {{instance}} {{game}} {{variant}}"}}},
		Templating: Templating{List: []Variable{
			{Name: "datasource", Label: "Data source", Type: "datasource", Query: "prometheus", Refresh: 1},
			labelVariable("job", "Farm", `label_values(sandtable_build_info, job)`),
			labelVariable("instance", "Process", `label_values(sandtable_build_info{job=~"$job"}, instance)`),
		}},
		Panels: g.panels,
	}
}

func labelVariable(name, label, definition string) Variable {
	from := source()
	return Variable{Name: name, Label: label, Type: "query", Datasource: &from,
		Query: VariableQuery{Query: definition, RefID: name}, Definition: definition,
		Multi: true, IncludeAll: true, AllValue: ".+",
		Current: &Choice{Text: []string{"All"}, Value: []string{"$__all"}}, Refresh: 2, Sort: 1}
}

// job selects the recorded series of the chosen farms; chosen selects the series of the
// chosen processes.
const (
	job    = `{job=~"$job"}`
	chosen = `{job=~"$job", instance=~"$instance"}`
)

// perSecond returns the rate of a counter of the chosen processes, summed by labels.
func perSecond(by, counter string) string {
	return fmt.Sprintf(`sum by (%s) (rate(%s%s[$__rate_interval]))`, by, counter, chosen)
}

// quantiles returns queries for quantiles of a recorded histogram.
func quantiles(buckets, legend string, of ...float64) []query {
	var all []query
	for _, q := range of {
		all = append(all, query{fmt.Sprintf(`histogram_quantile(%g, %s%s)`, q, buckets, job), fmt.Sprintf("%s p%g", legend, 100*q)})
	}
	return all
}

func overview(g *grid) {
	g.section("Farm")
	g.place(4, 4, number("Episodes per second", "Average over the last minute. Includes truncated episodes.",
		"si:episodes/s", query{"job:sandtable_episodes:rate1m" + job, "{{job}}"}))
	g.place(4, 4, number("Plies per second", "Average over the last minute. Includes opening plies.",
		"si:plies/s", query{"job:sandtable_plies:rate1m" + job, "{{job}}"}))
	g.place(4, 4, number("Simulations per second", "Simulations or positions searched, as reported by the agents; 0 for agents that do not search.",
		"si:sims/s", query{"job:sandtable_simulations:rate1m" + job, "{{job}}"}))
	g.place(4, 4, number("Open jobs", "Jobs that are queued or in progress.",
		"suffix: jobs", query{"job:sandtable_queue_jobs:max" + job, "{{job}}"}))
	g.place(4, 4, number("Busy workers", "Share of the workers that are currently playing a job.",
		"percentunit", query{"job:sandtable_workers_busy:sum" + job + " / (job:sandtable_workers:sum" + job + " > 0)", "{{job}}"}))
	g.place(4, 4, number("Bytes per ply", "Size of all shards written so far, divided by their plies. Includes both tables, episodes and steps.",
		"suffix: B/ply", query{"job:sandtable_shard_bytes_per_ply:ratio" + job, "{{job}}"}))
}

func runs(g *grid) {
	const count = "max by (job, run) (sandtable_run_episodes"
	g.section("Runs")
	g.place(8, 8, bars("Progress", "Share of the planned episodes that are in the data set, by run.", "percentunit",
		query{count + `{job=~"$job", state="done"}) / on (job, run) (` + count + `{job=~"$job", state="planned"}) > 0)`, "{{job}} {{run}}"}))
	g.place(4, 8, number("Time left", "Jobs left of all runs, divided by the jobs per second over five minutes.", "s",
		query{"job:sandtable_run_eta_seconds:ratio5m" + job, "{{job}}"}))
	g.place(6, 8, series("Planned and done", "Episodes of all runs that are planned, that are in the data set, and that wait at the collector.", "si:episodes",
		query{`sum by (job, state) (sandtable_run_episodes` + chosen + `)`, "{{job}} {{state}}"}))
	g.place(6, 8, series("Jobs left", "Jobs that are still wanted and have not arrived, by run. The series of a run without an end is infinite.", "suffix: jobs",
		query{"job_run:sandtable_run_jobs_left:max" + job, "{{job}} {{run}}"}))

	g.place(6, 8, series("Workers by run", "Goroutines that hold a job of a run or wait for one, on all machines, and the operator's limit.", "short",
		query{"max by (job, run) (sandtable_run_workers" + job + ")", "{{run}}"},
		query{"max by (job, run) (sandtable_run_workers_limit" + job + ") > 0", "{{run}} limit"}))
	g.place(6, 8, series("Waiting jobs by run", "Queued jobs that no worker holds. A paused run has none.", "suffix: jobs",
		query{"max by (job, run) (sandtable_run_jobs_waiting" + job + ")", "{{run}}"}))
	g.place(6, 8, series("Issue to commit", "Quantiles of the time from the queueing of a job until its result is in the data set, over five minutes.", "s",
		quantiles("job_le:sandtable_job_issue_to_commit_seconds_bucket:rate5m", "{{job}}", 0.5, 0.9, 0.99)...))
	g.place(6, 8, series("Collector lag", "Age of the oldest result that the collector holds, and the time since it last published its progress.", "s",
		query{"sandtable_collector_lag_seconds" + chosen, "{{instance}}"},
		query{"time() - max by (job, run) (sandtable_run_progress_timestamp_seconds" + job + " > 0)", "{{run}} since progress"}))

	names := table("Known runs", "The runs that coordinators reported last, with 1 for a run that an operator has paused.", "short",
		"sandtable_run_info"+chosen+" * on (job, instance, run) group_left sandtable_run_paused"+chosen,
		Organize{
			ExcludeByName: map[string]bool{"Time": true},
			IndexByName:   map[string]int{"job": 0, "run": 1, "variant": 2, "instance": 3, "Value": 4},
			RenameByName:  map[string]string{"job": "Farm", "run": "Run", "variant": "Variant", "instance": "Coordinator", "Value": "Paused"},
		})
	g.place(columns, 5, names)
}

func games(g *grid) {
	const variant = "{{game}}/{{variant}}"
	g.section("Games")
	g.place(8, 8, series("Episodes per second by variant", "Finished episodes, including truncated ones.",
		"si:episodes/s", query{perSecond("job, game, variant", "sandtable_episodes_total"), variant}))
	g.place(8, 8, series("Plies per second by process", "Plies played by each process, including opening plies.",
		"si:plies/s", query{perSecond("job, instance", "sandtable_plies_total"), "{{instance}}"}))
	g.place(8, 8, series("Simulations per second by process", "Simulations or positions searched, as reported by the agents.",
		"si:sims/s", query{perSecond("job, instance", "sandtable_simulations_total"), "{{instance}}"}))
	g.place(8, 8, stacked(series("Results by reason", "Share of each reason among the episodes that were not truncated. Includes forfeits.",
		"si:episodes/s", query{perSecond("game, variant, reason", "sandtable_results_total"), variant + " {{reason}}"}), "percent"))
	g.place(4, 8, bars("Results by winner", "Episodes in the time range that the first player won, that the second player won, and that were drawn.",
		"si:episodes", query{`sum by (game, variant, winner) (increase(sandtable_results_total` + chosen + `[$__range]))`, variant + " {{winner}}"}))
	g.place(4, 8, series("Truncated share", "Share of the episodes that reached the ply limit, over five minutes.",
		"percentunit", query{"job_game_variant:sandtable_truncated_episodes:ratio_rate5m" + job, variant}))
	g.place(8, 8, series("Episode length", "Quantiles of the plies per episode over five minutes, interpolated from a histogram.",
		"suffix: plies", quantiles("job_game_variant_le:sandtable_episode_plies_bucket:rate5m", variant, 0.1, 0.5, 0.9, 0.99)...))
}

func jobs(g *grid) {
	g.section("Jobs")
	g.place(6, 8, series("Job duration", "Quantiles of the time to complete a job, over five minutes. Jobs are sized to take about ten seconds.",
		"s", quantiles("job_le:sandtable_job_duration_seconds_bucket:rate5m", "{{job}}", 0.5, 0.9, 0.99)...))
	g.place(6, 8, series("Queues", "Jobs that are queued or in progress, and result parts that wait for the collector.",
		"short", query{"job:sandtable_queue_jobs:max" + job, "{{job}} jobs"}, query{"job:sandtable_queue_parts:max" + job, "{{job}} parts"}))
	g.place(6, 8, series("Workers", "All workers, and those that are playing a job. A worker is one goroutine.",
		"short", query{"job:sandtable_workers:sum" + job, "{{job}} workers"}, query{"job:sandtable_workers_busy:sum" + job, "{{job}} busy"}))
	g.place(6, 8, series("Redeliveries and dead letters",
		"Jobs redelivered and duplicate result parts dropped in the last five minutes, and the total number of dead letters. A redelivery repeats work but never loses data.",
		"short",
		query{"sum by (job) (increase(sandtable_jobs_redelivered_total" + chosen + "[5m]))", "{{job}} redelivered"},
		query{"sum by (job) (increase(sandtable_parts_dropped_total" + chosen + "[5m]))", "{{job}} parts dropped"},
		query{"sum by (job) (sandtable_dead_letters_total" + chosen + ")", "{{job}} dead letters"}))

	g.place(6, 8, series("Runs refused", "Runs that worker processes do not play at present, and how often they looked at such a run in five minutes, by reason.", "short",
		query{"sum by (job, reason) (sandtable_runs_refused" + chosen + ")", "{{reason}}"},
		query{"sum by (job, reason) (increase(sandtable_run_refusals_total" + chosen + "[5m]))", "{{reason}} looks"}))
	g.place(6, 8, series("Quarantines", "Worker processes that are quarantined, those that a collector has quarantined since it started, and wrong results in five minutes.", "short",
		query{"sum by (job) (sandtable_quarantined" + chosen + ")", "{{job}} quarantined"},
		query{"sum by (job) (sandtable_workers_quarantined_total" + chosen + ")", "{{job}} ever"},
		query{`sum by (job) (increase(sandtable_results_checked_total{job=~"$job", instance=~"$instance", verdict="wrong"}[5m]))`, "{{job}} wrong results"}))
	g.place(6, 8, series("Checks", "Results replayed before they are committed, audits of jobs, and the processor cores that the replay uses.", "short",
		query{perSecond("job, verdict", "sandtable_results_checked_total"), "{{verdict}} results per second"},
		query{perSecond("job, end", "sandtable_audits_total"), "audits {{end}} per second"},
		query{perSecond("job", "sandtable_result_check_seconds_total"), "{{job}} cores"}))
	g.place(6, 8, series("Backoffs", "Pauses before something that failed is tried again, and the share of time that they take, by cause.", "short",
		query{perSecond("job, cause", "sandtable_backoffs_total"), "{{cause}} per second"},
		query{perSecond("job, cause", "sandtable_backoff_seconds_total"), "{{cause}} share"}))
}

func data(g *grid) {
	g.section("Data set")
	g.place(6, 8, series("Shards per second", "Shards written and synced to disk.",
		"si:shards/s", query{perSecond("job", "sandtable_shards_total"), "{{job}}"}))
	g.place(6, 8, series("Bytes per second", "Bytes of shards written and synced to disk. Includes both tables, episodes and steps.",
		"Bps", query{perSecond("job", "sandtable_shard_bytes_total"), "{{job}}"}))
	g.place(6, 8, series("Rows per second", "Rows of shards written and synced to disk, by table.",
		"si:rows/s", query{perSecond("job, table", "sandtable_rows_total"), "{{job}} {{table}}"}))
	g.place(6, 8, series("Bytes per ply", "Size of all shards written so far, divided by their plies. Includes both tables, episodes and steps.",
		"suffix: B/ply", query{"job:sandtable_shard_bytes_per_ply:ratio" + job, "{{job}}"}))
}

func processes(g *grid) {
	g.section("Processes")
	g.place(8, 8, series("CPU", "Processor cores in use by each process.",
		"suffix: cores", query{perSecond("job, instance", "process_cpu_seconds_total"), "{{instance}}"}))
	g.place(8, 8, series("Memory", "Resident memory of each process.",
		"bytes", query{"process_resident_memory_bytes" + chosen, "{{instance}}"}))
	g.place(8, 8, series("Goroutines", "Goroutines of each process. A number that keeps growing indicates a leak.",
		"short", query{"go_goroutines" + chosen, "{{instance}}"}))
	programs := table("Programs", "Role, state and program version of each process.", "short",
		"sandtable_build_info"+chosen+" * on (job, instance) group_left (role) sandtable_ready"+chosen,
		Organize{
			ExcludeByName: map[string]bool{"Time": true},
			IndexByName:   map[string]int{"job": 0, "instance": 1, "role": 2, "Value": 3, "version": 4, "revision": 5, "goversion": 6},
			RenameByName: map[string]string{"job": "Farm", "instance": "Process", "role": "Role", "Value": "State",
				"version": "Version", "revision": "Revision", "goversion": "Go"},
		})
	programs.FieldConfig.Overrides = []Override{{
		Matcher: Matcher{ID: "byName", Options: "State"},
		Properties: []Property{
			{ID: "mappings", Value: []Mapping{{Type: "value", Options: map[string]Word{
				"0": {Index: 0, Text: "not ready", Color: "red"},
				"1": {Index: 1, Text: "ready", Color: "green"},
			}}}},
			{ID: "custom.cellOptions", Value: map[string]string{"type": "color-text"}},
		},
	}}
	g.place(columns, 6, programs)
}
