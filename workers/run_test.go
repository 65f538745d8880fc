package workers_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// playRun opens a run, plays what is missing on a queue that is changed first, and
// closes it.
func playRun(t *testing.T, cfg workers.RunConfig, players workers.WorkerConfig, change func(workers.Queue) workers.Queue) workers.Report {
	t.Helper()
	run, err := workers.OpenRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !run.Complete() {
		queue, err := farmConfig(t.TempDir(), cfg.Settings).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		players.Queue, players.Tuning = change(queue), tuning()
		if err := workers.PlayRuns(t.Context(), []*workers.Run{run}, players); err != nil {
			t.Fatal(err)
		}
		if err := queue.Close(); err != nil {
			t.Fatal(err)
		}
	}
	report := run.Report()
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	return report
}

func TestARunWithoutAnEndIsPlayedUntilSoManyJobsAreThere(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 0, 5)
	cfg := workers.RunConfig{Dir: t.TempDir(), Settings: s, Tuning: tuning()}
	for _, c := range []struct{ jobs, episodes int64 }{{3, 15}, {10, 50}, {4, 50}} {
		cfg.Jobs = c.jobs
		if report := playRun(t, cfg, workers.WorkerConfig{Workers: 2}, func(q workers.Queue) workers.Queue { return q }); !report.Complete || report.Episodes != c.episodes {
			t.Errorf("%d jobs are wanted: %+v", c.jobs, report)
		}
	}
	wantDataSet(t, cfg.Dir, s, 50)
}

// lateQueue takes the result of the first job in when it is released.
type lateQueue struct {
	workers.Queue
	release chan struct{}
}

func (q *lateQueue) StoreParts(ctx context.Context, parts []workers.Part) error {
	if parts[0].Job == 0 {
		<-q.release
	}
	return q.Queue.StoreParts(ctx, parts)
}

func TestJobsOfAnOrderedRunKeepTogether(t *testing.T) {
	const spread, episodes = 256, 600
	s := settings(t, "ntxuva/4", "random", 0, 1)
	for _, jobs := range []int64{episodes, 0} { // 0: as many as are wanted
		first := make(chan struct{})
		release := sync.OnceFunc(func() { close(first) })
		var seen []int64
		cfg := workers.RunConfig{
			Dir: t.TempDir(), Settings: s, Jobs: jobs, Tuning: tuning(),
			Each: func(ep *dataset.Episode) bool {
				seen = append(seen, ep.Number)
				return ep.Number < episodes-1
			},
		}
		cfg.Tuning.Window = 1000
		looks := 0 // at which all others that are let be played were done
		cfg.Status = func(progress workers.Progress, queued workers.Queued) {
			select {
			case <-first:
				return
			default:
			}
			for _, jobs := range []map[int64]bool{queued.Jobs, queued.Results} {
				if len(jobs) > 0 && slices.Max(slices.Collect(maps.Keys(jobs))) >= spread {
					t.Errorf("jobs %v are queued or done, and job 0 is not", slices.Sorted(maps.Keys(jobs)))
					release()
				}
			}
			if len(queued.Results) == spread-1 {
				if looks++; looks == 5 {
					release()
				}
			}
		}
		report := playRun(t, cfg, workers.WorkerConfig{Workers: 2}, func(q workers.Queue) workers.Queue { return &lateQueue{q, first} })
		if report.Episodes < episodes || jobs > 0 && report.Episodes > jobs || len(seen) != episodes || !slices.IsSorted(seen) {
			t.Errorf("%+v, handed out %v", report, seen)
		}
		wantDataSet(t, cfg.Dir, s, report.Episodes)
	}
}
