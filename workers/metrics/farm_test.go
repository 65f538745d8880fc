package metrics_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

// busyFarm has counted everything at least once.
func busyFarm() *metrics.Farm {
	f := metrics.New(metrics.RoleFarm)
	f.Ready(nil)
	f.WorkerStarted()
	f.WorkerStarted()
	f.WorkerStopped()
	f.JobStarted()
	f.JobStarted()
	f.JobEnded(2500*time.Millisecond, workers.JobDone)
	f.JobRedelivered()
	f.JobDead()
	f.QueueDepth(7, 3)
	f.PartDropped()
	f.ShardCommitted(10, 400, 9000)
	f.Quarantined(true)
	f.RunRefused(workers.RefusedMemory)
	f.RunsRefused([workers.Refusals]int{workers.RefusedMemory: 1})
	f.Backoff("connection", 1500*time.Millisecond)
	f.RunState(running("0123456789abcdef"))
	f.JobCommitted(12 * time.Second)
	f.CollectorLag(8 * time.Second)
	f.ResultChecked(250*time.Millisecond, true)
	f.ResultChecked(250*time.Millisecond, false)
	f.Audited(workers.AuditSame)
	f.WorkerQuarantined()
	e := f.Episodes("trench/standard")
	e.EpisodePlayed(40, 160, 1, env.Points)
	e.EpisodePlayed(50, 0, -1, env.General)
	e.EpisodePlayed(60, 240, 0, env.Armistice)
	e.EpisodePlayed(2000, 8000, 0, env.NoReason)
	return f
}

// running is a run of which two in five jobs are in the data set.
func running(id string) workers.RunReport {
	return workers.RunReport{
		Run: id, Variant: "trench/standard",
		Planned: workers.RunCount{Jobs: 50, Episodes: 1000},
		Done:    workers.RunCount{Jobs: 20, Episodes: 400},
		Arrived: workers.RunCount{Jobs: 4, Episodes: 80},
		Dead:    1, Waiting: 9, Workers: 3, Limit: 5, Progress: time.Unix(1_700_000_000, 500_000_000),
	}
}

type family struct{ name, kind, help string }

// gathered returns the metrics of a farm that have values, sorted by name.
func gathered(t *testing.T, f *metrics.Farm) (list []family) {
	t.Helper()
	families, err := f.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		list = append(list, family{f.GetName(), strings.ToLower(f.GetType().String()), f.GetHelp()})
	}
	return list
}

// expect compares the metrics named in want, in the text format without its
// comments, with what the farm shows.
func expect(t *testing.T, f *metrics.Farm, want string) {
	t.Helper()
	families := map[string]family{}
	for _, family := range gathered(t, f) {
		families[family.name] = family
	}
	var text strings.Builder
	var names []string
	for line := range strings.Lines(want) {
		name := strings.TrimSpace(line)
		if i := strings.IndexAny(name, "{ "); i >= 0 {
			name = name[:i]
		}
		if name == "" {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		family, known := families[base]
		if !known {
			t.Fatalf("the farm has no metric %s", name)
		}
		if len(names) == 0 || names[len(names)-1] != base {
			names = append(names, base)
			fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n", base, family.help, base, family.kind)
		}
		text.WriteString(strings.TrimSpace(line) + "\n")
	}
	if err := testutil.GatherAndCompare(f, strings.NewReader(text.String()), names...); err != nil {
		t.Error(err)
	}
}

func TestEpisodesAreCountedByGameAndVariant(t *testing.T) {
	f := busyFarm()
	f.Episodes("ntxuva/basic").EpisodePlayed(30, 0, 1, env.WipedOut)
	expect(t, f, `
		sandtable_episodes_total{game="ntxuva",variant="basic"} 1
		sandtable_episodes_total{game="trench",variant="standard"} 4
		sandtable_plies_total{game="ntxuva",variant="basic"} 30
		sandtable_plies_total{game="trench",variant="standard"} 2150
		sandtable_simulations_total{game="ntxuva",variant="basic"} 0
		sandtable_simulations_total{game="trench",variant="standard"} 8400
		sandtable_truncated_episodes_total{game="ntxuva",variant="basic"} 0
		sandtable_truncated_episodes_total{game="trench",variant="standard"} 1`)
}

func TestResultsAreCountedByWinnerAndReason(t *testing.T) {
	f := busyFarm()
	f.Episodes("trench/standard").EpisodePlayed(44, 0, 1, env.Points)
	expect(t, f, `
		sandtable_results_total{game="trench",reason="armistice",variant="standard",winner="draw"} 1
		sandtable_results_total{game="trench",reason="general",variant="standard",winner="second"} 1
		sandtable_results_total{game="trench",reason="points",variant="standard",winner="first"} 2`)
}

func TestJobsAndQueuesAreCounted(t *testing.T) {
	expect(t, busyFarm(), `
		sandtable_workers 1
		sandtable_workers_busy 1
		sandtable_jobs_redelivered_total 1
		sandtable_dead_letters_total 1
		sandtable_queue_jobs 7
		sandtable_queue_parts 3
		sandtable_parts_dropped_total 1`)
}

func TestRunsAreShownWithWhatIsLeft(t *testing.T) {
	f := metrics.New(metrics.RoleCoordinator)
	f.RunState(running("a"))
	expect(t, f, `
		sandtable_run_episodes{run="a",state="arrived"} 80
		sandtable_run_episodes{run="a",state="done"} 400
		sandtable_run_episodes{run="a",state="planned"} 1000
		sandtable_run_info{run="a",variant="trench/standard"} 1
		sandtable_run_jobs{run="a",state="arrived"} 4
		sandtable_run_jobs{run="a",state="dead"} 1
		sandtable_run_jobs{run="a",state="done"} 20
		sandtable_run_jobs{run="a",state="planned"} 50
		sandtable_run_jobs_left{run="a"} 25
		sandtable_run_jobs_waiting{run="a"} 9
		sandtable_run_paused{run="a"} 0
		sandtable_run_progress_timestamp_seconds{run="a"} 1.7000000005e+09
		sandtable_run_workers{run="a"} 3
		sandtable_run_workers_limit{run="a"} 5`)

	endless := running("b")
	endless.Planned, endless.Progress, endless.Paused = workers.RunCount{Jobs: -1, Episodes: -1}, time.Time{}, true
	ended := running("a")
	ended.Ended = true
	f.RunState(endless)
	f.RunState(ended)
	expect(t, f, `
		sandtable_run_episodes{run="a",state="arrived"} 80
		sandtable_run_episodes{run="a",state="done"} 400
		sandtable_run_episodes{run="a",state="planned"} 1000
		sandtable_run_episodes{run="b",state="arrived"} 80
		sandtable_run_episodes{run="b",state="done"} 400
		sandtable_run_jobs_left{run="a"} 0
		sandtable_run_jobs_left{run="b"} +Inf
		sandtable_run_paused{run="a"} 0
		sandtable_run_paused{run="b"} 1
		sandtable_run_progress_timestamp_seconds{run="a"} 1.7000000005e+09
		sandtable_run_progress_timestamp_seconds{run="b"} 0`)
}

func TestRunsAndCausesAreBounded(t *testing.T) {
	f := metrics.New(metrics.RoleCoordinator)
	for i := range 3 * metrics.MaxRuns {
		f.RunState(running(fmt.Sprintf("%s%d", strings.Repeat("x", 100), i)))
		f.RunState(running("always there"))
	}
	for i := range 3 * metrics.MaxCauses {
		f.Backoff(fmt.Sprintf("cause %d", i), time.Second)
	}
	count, err := testutil.GatherAndCount(f, "sandtable_run_info")
	if err != nil || count != metrics.MaxRuns {
		t.Errorf("%d runs are shown, not the last %d: %v", count, metrics.MaxRuns, err)
	}
	shown := scrape(t, f)
	for _, line := range []string{
		`sandtable_run_workers{run="always there"} 3`,
		fmt.Sprintf(`sandtable_backoffs_total{cause="other"} %d`, 2*metrics.MaxCauses),
	} {
		if !strings.Contains(shown, line+"\n") {
			t.Errorf("the metrics do not show %s", line)
		}
	}
}

func TestRefusalsBackoffsAndQuarantinesAreCounted(t *testing.T) {
	f := busyFarm()
	f.RunsRefused([workers.Refusals]int{workers.RefusedVersion: 2})
	f.Backoff("failure", time.Second)
	f.Backoff("connection", 2*time.Second)
	expect(t, f, `
		sandtable_quarantined 1
		sandtable_run_refusals_total{reason="memory"} 1
		sandtable_run_refusals_total{reason="program"} 0
		sandtable_run_refusals_total{reason="settings"} 0
		sandtable_run_refusals_total{reason="version"} 0
		sandtable_runs_refused{reason="memory"} 0
		sandtable_runs_refused{reason="program"} 0
		sandtable_runs_refused{reason="settings"} 0
		sandtable_runs_refused{reason="version"} 2
		sandtable_backoffs_total{cause="connection"} 2
		sandtable_backoffs_total{cause="failure"} 1
		sandtable_backoff_seconds_total{cause="connection"} 3.5
		sandtable_backoff_seconds_total{cause="failure"} 1`)
	f.Quarantined(false)
	expect(t, f, `sandtable_quarantined 0`)
}

func TestChecksAndAuditsOfResultsAreCounted(t *testing.T) {
	f := busyFarm()
	f.Audited(workers.AuditDifferent)
	expect(t, f, `
		sandtable_audits_total{end="different"} 1
		sandtable_audits_total{end="same"} 1
		sandtable_audits_total{end="unanswered"} 0
		sandtable_results_checked_total{verdict="right"} 1
		sandtable_results_checked_total{verdict="wrong"} 1
		sandtable_result_check_seconds_total 0.5
		sandtable_workers_quarantined_total 1
		sandtable_collector_lag_seconds 8`)
}

// A server that asks for text gets the fixed buckets, one that asks for protocol buffers
// gets the native histogram too.
func TestIssueToCommitIsANativeHistogramWithClassicBuckets(t *testing.T) {
	f := busyFarm()
	if shown := scrape(t, f); !strings.Contains(shown, `sandtable_job_issue_to_commit_seconds_bucket{le="15"} 1`+"\n") {
		t.Error("the text has no classic buckets")
	}
	families, err := f.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "sandtable_job_issue_to_commit_seconds" {
			if h := family.GetMetric()[0].GetHistogram(); len(h.GetPositiveSpan()) == 0 || len(h.GetBucket()) == 0 {
				t.Errorf("the histogram has %d native spans and %d classic buckets", len(h.GetPositiveSpan()), len(h.GetBucket()))
			}
		}
	}
}

func TestShardsAreCountedWithRowsByTable(t *testing.T) {
	f := busyFarm()
	f.ShardCommitted(1, 2, 3)
	expect(t, f, `
		sandtable_shards_total 2
		sandtable_shard_bytes_total 9003
		sandtable_rows_total{table="episodes"} 11
		sandtable_rows_total{table="steps"} 402`)
}

func TestHistogramsCoverJobsOfSecondsAndEpisodesOfThousandsOfPlies(t *testing.T) {
	f := busyFarm()
	shown := scrape(t, f)
	for _, line := range []string{
		`sandtable_job_duration_seconds_bucket{end="done",le="2"} 0`,
		`sandtable_job_duration_seconds_bucket{end="done",le="3"} 1`,
		`sandtable_job_duration_seconds_sum{end="done"} 2.5`,
		`sandtable_job_duration_seconds_count{end="failed"} 0`,
		`sandtable_job_duration_seconds_count{end="abandoned"} 0`,
		`sandtable_episode_plies_bucket{game="trench",variant="standard",le="64"} 3`,
		`sandtable_episode_plies_bucket{game="trench",variant="standard",le="2000"} 4`,
		`sandtable_episode_plies_count{game="trench",variant="standard"} 4`,
	} {
		if !strings.Contains(shown, line+"\n") {
			t.Errorf("the metrics do not show %s", line)
		}
	}
}

func TestReadyIsShownWithTheRole(t *testing.T) {
	f := metrics.New(metrics.RoleCollector)
	expect(t, f, `sandtable_ready{role="collector"} 0`)
	f.Ready(nil)
	expect(t, f, `sandtable_ready{role="collector"} 1`)
	f.Ready(errors.New("connection lost"))
	expect(t, f, `sandtable_ready{role="collector"} 0`)
}

func TestVariantsAreBounded(t *testing.T) {
	f := metrics.New(metrics.RoleWorker)
	for i := range 3 * metrics.MaxVariants {
		f.Episodes(fmt.Sprintf(`trench/standard{"target_points":%d}`, i)).EpisodePlayed(1, 0, 1, env.Points)
	}
	count, err := testutil.GatherAndCount(f, "sandtable_episodes_total")
	if err != nil {
		t.Fatal(err)
	}
	if count != metrics.MaxVariants+1 {
		t.Errorf("%d variants are kept apart, not %d and the rest", count, metrics.MaxVariants)
	}
	rest := fmt.Sprintf(`sandtable_episodes_total{game="other",variant="other"} %d`, 2*metrics.MaxVariants)
	if !strings.Contains(scrape(t, f), rest+"\n") {
		t.Errorf("the metrics do not show %s", rest)
	}
}

func TestLongVariantNamesAreCutAndStayApart(t *testing.T) {
	f := metrics.New(metrics.RoleWorker)
	long := `tankchess/16x16{"pieces":{"` + strings.Repeat("é", 100) + `":{"speed":`
	for _, name := range []string{long + "1}}}", long + "2}}}", "my \xff rules"} {
		f.Episodes(name).EpisodePlayed(1, 0, 0, env.Repetition)
	}
	gathered, err := f.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range gathered {
		if family.GetName() != "sandtable_episodes_total" {
			continue
		}
		if n := len(family.GetMetric()); n != 3 {
			t.Errorf("three variants are shown as %d", n)
		}
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				if len(label.GetValue()) > 64 {
					t.Errorf("label %s has %d bytes", label.GetName(), len(label.GetValue()))
				}
			}
		}
	}
}

func TestNumbersOutOfRangeDoNoHarm(t *testing.T) {
	f := metrics.New(metrics.RoleFarm)
	f.ShardCommitted(-1, -1, -1)
	f.JobEnded(-time.Second, workers.JobEnd(99))
	f.RunRefused(workers.Refusal(99))
	f.Audited(workers.AuditEnd(99))
	f.Backoff("connection", -time.Second)
	f.ResultChecked(-time.Second, true)
	f.Episodes("trench/standard").EpisodePlayed(-1, -1, 100, env.Reason(255))
	expect(t, f, `
		sandtable_rows_total{table="episodes"} 0
		sandtable_rows_total{table="steps"} 0
		sandtable_results_total{game="trench",reason="Reason(255)",variant="standard",winner="first"} 1`)
}

func TestCountingIsSafeFromManyGoroutines(t *testing.T) {
	f := metrics.New(metrics.RoleFarm)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				f.Episodes("trench/standard").EpisodePlayed(10, 0, 1, env.Points)
			}
		})
	}
	group.Wait()
	expect(t, f, `sandtable_results_total{game="trench",reason="points",variant="standard",winner="first"} 800`)
}

func TestCountingAnEpisodeAllocatesNothing(t *testing.T) {
	f := metrics.New(metrics.RoleWorker)
	e := f.Episodes("trench/standard")
	count := func() { e.EpisodePlayed(40, 160, 1, env.Points) }
	count()
	if n := testing.AllocsPerRun(1000, count); n != 0 {
		t.Errorf("an episode costs %v allocations", n)
	}
	if n := testing.AllocsPerRun(1000, func() { f.Episodes("trench/standard") }); n != 0 {
		t.Errorf("asking for a known variant costs %v allocations", n)
	}
}

func TestMetricsKeepThePrometheusConventions(t *testing.T) {
	problems, err := testutil.GatherAndLint(busyFarm())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// page returns METRICS.md for the metrics that a farm shows.
func page(t *testing.T) string {
	t.Helper()
	families, err := busyFarm().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Metrics\n\n" +
		"Written by `go test ./workers/metrics -rewrite`; edit the Go source instead.\n\n" +
		"Every process of a farm that runs with `--listen` shows these metrics at `/metrics`, beside those of the Go\n" +
		"runtime (`go_…`) and of the process (`process_…`). A metric that does not belong to the role of a process stays 0 or is absent.\n\n" +
		"| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n")
	for _, family := range families {
		if !strings.HasPrefix(family.GetName(), "sandtable_") {
			continue
		}
		var labels []string
		for _, l := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		kind := strings.ToLower(family.GetType().String())
		if family.GetMetric()[0].GetHistogram().GetSchema() != 0 {
			kind += ", native and classic"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", family.GetName(), kind, strings.Join(labels, ", "), family.GetHelp())
	}
	return b.String()
}

// Dashboards of other people rest on the names, types and meanings of the metrics, so a
// change must be seen.
func TestThePageOfMetricsIsThatOfTheCode(t *testing.T) {
	got := page(t)
	const golden = "METRICS.md"
	if *rewrite {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the metrics are\n%s\nnot those of %s; run the test with -rewrite if that is intended", got, golden)
	}
}

func TestTheRuntimeAndTheProcessAreShown(t *testing.T) {
	families := gathered(t, metrics.New(metrics.RoleWorker))
	for _, name := range []string{"go_goroutines", "process_cpu_seconds_total", "process_resident_memory_bytes"} {
		if !slices.ContainsFunc(families, func(f family) bool { return f.name == name }) {
			t.Errorf("%s is missing", name)
		}
	}
}

//go:noinline
func newMeter() workers.Meter { return metrics.New(metrics.RoleWorker) }

func BenchmarkEpisodePlayed(b *testing.B) {
	e := newMeter().Episodes("trench/standard")
	b.ReportAllocs()
	for b.Loop() {
		e.EpisodePlayed(40, 160, 1, env.Points)
	}
}
