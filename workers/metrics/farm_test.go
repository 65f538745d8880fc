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

var rewrite = flag.Bool("rewrite", false, "write golden files anew")

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
	e := f.Episodes("trench/standard")
	e.EpisodePlayed(40, 160, 1, env.Points)
	e.EpisodePlayed(50, 0, -1, env.General)
	e.EpisodePlayed(60, 240, 0, env.Armistice)
	e.EpisodePlayed(2000, 8000, 0, env.NoReason)
	return f
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
		`sandtable_job_duration_seconds_count{end="refused"} 0`,
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

// The names, types and meanings of metrics are what dashboards of other people
// rest on: a change must be seen.
func TestMetricsAreThoseOfTheGoldenList(t *testing.T) {
	var list strings.Builder
	for _, f := range gathered(t, busyFarm()) {
		if strings.HasPrefix(f.name, "sandtable_") {
			fmt.Fprintf(&list, "%s %s: %s\n", f.kind, f.name, f.help)
		}
	}
	const golden = "testdata/metrics.txt"
	if *rewrite {
		if err := os.WriteFile(golden, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if list.String() != string(want) {
		t.Errorf("the metrics are\n%s\nnot those of %s; run the test with -rewrite when that is meant", list.String(), golden)
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
