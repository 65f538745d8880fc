package workers_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestARunWithoutAnEndIsPlayedUntilTheWantedEpisodesAreThere(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "ntxuva/basic", "random", 0, 5))
	for _, c := range []struct{ wanted, episodes int64 }{{11, 15}, {50, 50}, {20, 50}} {
		cfg.Episodes = c.wanted
		if report, err := cfg.play(t.Context()); err != nil || !report.Complete || report.Episodes != c.episodes {
			t.Errorf("%d episodes are wanted: %+v, %v", c.wanted, report, err)
		}
	}
	wantDataSet(t, cfg.Dir, cfg.Settings, 50)
}

// lateQueue stores the result of the first job when it is released. It shows its state
// to look.
type lateQueue struct {
	queue.Queue
	release chan struct{}
	look    func(queue.Queued)
}

func (q *lateQueue) StoreResult(ctx context.Context, parts []queue.Part) error {
	if parts[0].Job == 0 {
		<-q.release
	}
	return q.Queue.StoreResult(ctx, parts)
}

func (q *lateQueue) Queued(ctx context.Context, run string) (queue.Queued, error) {
	queued, err := q.Queue.Queued(ctx, run)
	q.look(queued)
	return queued, err
}

func TestJobsOfARecordingKeepTogether(t *testing.T) {
	t.Parallel()
	const spread, episodes = 256, 600
	s := settings(t, "ntxuva/4", "random", 0, 1)
	for _, wanted := range []int64{episodes, 1 << 39} {
		first := make(chan struct{})
		release := sync.OnceFunc(func() { close(first) })
		var mu sync.Mutex
		looks := 0 // at which all other jobs that may be played had results
		look := func(queued queue.Queued) {
			mu.Lock()
			defer mu.Unlock()
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
		dir := t.TempDir()
		cfg := newFarm(dir, s).Config
		cfg.Tuning.Window = 1000
		open := cfg.Open
		cfg.Open = func(ctx context.Context) (queue.Queue, error) {
			queue, err := open(ctx)
			return &lateQueue{queue, first, look}, err
		}
		var seen []int64
		farm := workers.New(cfg)
		r := record.Recording{
			Dir: filepath.Join(dir, "data"), Plan: plan(t, s), Episodes: wanted,
			Each: func(ep *dataset.Episode) bool {
				seen = append(seen, ep.Number)
				return ep.Number < episodes-1
			},
		}
		if err := farm.Record(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if err := farm.Close(); err != nil {
			t.Fatal(err)
		}
		m, err := dataset.Load(r.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if m.Episodes() < episodes || m.Episodes() > wanted || len(seen) != episodes || !slices.IsSorted(seen) {
			t.Errorf("%d episodes are recorded, handed out %v", m.Episodes(), seen)
		}
		wantDataSet(t, r.Dir, record.Settings(r.Plan), m.Episodes())
	}
}

// depthMeter is a Meter that keeps the depths of the queue.
type depthMeter struct {
	tally
	depths [][2]int64
}

func (m *depthMeter) QueueDepth(jobs, parts int64) {
	m.depths = append(m.depths, [2]int64{jobs, parts})
}

func TestTheDepthOfTheQueueIsThatOfAllRuns(t *testing.T) {
	t.Parallel()
	meter := &depthMeter{}
	cfg := newFarm(t.TempDir(), dataset.Settings{}).Config
	cfg.Meter = meter
	farm := workers.New(cfg)
	var most int64
	_, err := farm.Play(t.Context(), func(s workers.Status) {
		most = max(most, s.QueuedJobs)
		if last := meter.depths[len(meter.depths)-1]; last != [2]int64{s.QueuedJobs, s.QueuedResults} {
			t.Errorf("the depth is %v, the status %+v", last, s)
		}
	},
		workers.Run{Dir: t.TempDir(), Plan: plan(t, settings(t, "ntxuva/4", "random", 0, 100)), Episodes: 2000},
		workers.Run{Dir: t.TempDir(), Plan: plan(t, settings(t, "ntxuva/4", "greedy", 0, 100)), Episodes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if err := farm.Close(); err != nil {
		t.Fatal(err)
	}
	if most <= 20 { // the jobs of one run
		t.Errorf("the queue of two runs of 20 jobs is never deeper than %d", most)
	}
	if last := meter.depths[len(meter.depths)-1]; last != [2]int64{} {
		t.Errorf("at the end the depth is %v", last)
	}
}
