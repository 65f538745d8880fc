package workers_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestFarmPlaysEveryEpisodeOnce(t *testing.T) {
	for _, variant := range []string{"trench/standard", "ntxuva/basic"} {
		for _, agent := range []string{"random", "greedy"} {
			t.Run(variant+"/"+agent, func(t *testing.T) {
				dir, s := t.TempDir(), settings(t, variant, agent, 53, 10)
				cfg := newFarm(dir, s)
				report, err := cfg.play(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if !report.Complete || report.Episodes != 53 || report.Plies == 0 || report.Bytes == 0 {
					t.Errorf("report is %+v", report)
				}
				wantDataSet(t, dir, s, 53)
			})
		}
	}
}

func TestTheNumberOfWorkersNeverChangesTheData(t *testing.T) {
	random := settings(t, "trench/standard", "random", 60, 4)
	resigning := settings(t, "trench/standard", "greedy", 60, 4)
	resigning.Resign = dataset.Resign{Score: 200, Plies: 2, PlayOn: .4}
	for _, s := range []dataset.Settings{random, resigning} {
		testWorkers(t, s)
	}
}

// testWorkers has a run played by several numbers of workers.
func testWorkers(t *testing.T, s dataset.Settings) {
	t.Helper()
	for _, n := range []int{1, 2, 4} {
		cfg := newFarm(t.TempDir(), s)
		cfg.Workers = n
		cfg.Tuning.ShardPlies = int64(1000 * n)
		if _, err := cfg.play(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantDataSet(t, cfg.Dir, s, 60)
	}
}

func TestACompleteRunLeavesNoQueueBehindAndIsLeftAsItIs(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "ntxuva/basic", "random", 20, 5))
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Dir, "nats")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the store of the queue is still there: %v", err)
	}
	cfg.Open = func(context.Context) (queue.Queue, error) {
		return nil, errors.New("nothing is left to do")
	}
	report, err := cfg.play(context.Background())
	if err != nil || !report.Complete || report.Before != 20 {
		t.Errorf("again: %+v, %v", report, err)
	}
}

func TestFarmReportsItsStatus(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "trench/standard", "random", 200, 5))
	var last workers.Status
	cfg.Status = func(status workers.Status) {
		if status.Played < last.Played || status.Collected < last.Collected {
			t.Errorf("%+v after %+v", status, last)
		}
		last = status
	}
	report, err := cfg.play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if last.Total != 200 || last.Remaining != 200 || last.Played != 200 || last.Collected != 200 || last.PlayedPlies != report.Plies || last.CollectedPlies != report.Plies ||
		last.QueuedJobs != 0 || last.QueuedResults != 0 {
		t.Errorf("last status is %+v", last)
	}
}

func TestFarmCountsWhatItDoes(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "ntxuva/basic", "greedy", 30, 5))
	meter := &tally{}
	cfg.Meter = meter
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	if meter.episodes != 30 || meter.rows != 30 || meter.ends[workers.JobDone] != 6 || meter.workers != 0 || meter.busy != 0 {
		t.Errorf("counted %+v", meter)
	}
}

func TestTwoFarmsIntoOneFolderAreRefused(t *testing.T) {
	cfg := newFarm(t.TempDir(), settings(t, "trench/standard", "random", 1000, 10))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	second := make(chan error, 1)
	cfg.Meter = &tally{onEpisode: func(n int) {
		if n == 1 {
			other := newFarm(cfg.Dir, cfg.Settings)
			_, err := other.play(context.Background())
			second <- err
			cancel()
		}
	}}
	_, err := cfg.play(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the first farm ends with %v", err)
	}
	if err := <-second; !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("the second farm ends with %v", err)
	}
}

func TestOtherSettingsIntoOneFolderAreRefused(t *testing.T) {
	dir := t.TempDir()
	first := newFarm(dir, settings(t, "ntxuva/basic", "random", 10, 5))
	if _, err := first.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	second := newFarm(dir, settings(t, "ntxuva/basic", "greedy", 10, 5))
	_, err := second.play(context.Background())
	if err == nil || !strings.Contains(err.Error(), "agents") {
		t.Errorf("error is %v, want one that names agents", err)
	}
}

func TestFarmRefusesRulesThatItCannotRebuild(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 10, 5)
	s.Digest = "sha256:" + strings.Repeat("0", 64)
	dir := filepath.Join(t.TempDir(), "run")
	cfg := newFarm(dir, s)
	if _, err := cfg.play(context.Background()); err == nil {
		t.Error("rules with another digest are played")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is half-written: %v", err)
	}
}

func TestAStoppedFarmGoesOnWithEachEpisodeOnce(t *testing.T) {
	s := settings(t, "trench/standard", "random", 150, 3)
	rand := env.NewRand(1)
	for range 2 {
		cfg := newFarm(t.TempDir(), s)
		cfg.Tuning.ShardPlies = 2000
		for stops := 0; ; stops++ {
			ctx, cancel := context.WithCancel(context.Background())
			at := 1 + rand.IntN(80)
			if stops > 8 {
				at = -1
			}
			cfg.Meter = &tally{onEpisode: func(n int) {
				if n == at {
					cancel()
				}
			}}
			report, err := cfg.play(ctx)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if m, err := dataset.Load(cfg.Dir); err != nil || m.Episodes() != report.Episodes {
				t.Fatalf("manifest %+v, %v after report %+v", m, err, report)
			}
		}
		wantDataSet(t, cfg.Dir, s, 150)
	}
}

func TestAStoppedFarmWritesWhatIsComplete(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 1000, 2)
	cfg := newFarm(t.TempDir(), s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cfg.Workers = 1
	cfg.Meter = &tally{onEpisode: func(n int) {
		if n == 21 { // the first of the eleventh job
			cancel()
		}
	}}
	report, err := cfg.play(ctx)
	if !errors.Is(err, context.Canceled) || report.Episodes != 20 || report.Complete {
		t.Errorf("stopped with %+v, %v", report, err)
	}
}

func TestARunWithoutAnEndFinishesWholeJobs(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 0, 5)
	cfg := newFarm(t.TempDir(), s)
	cfg.For = 50 * time.Millisecond
	var before int64
	for range 2 {
		report, err := cfg.play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if report.Before != before || report.Episodes <= before || report.Episodes%5 != 0 {
			t.Fatalf("%+v after %d episodes", report, before)
		}
		before = report.Episodes
		wantDataSet(t, cfg.Dir, s, before)
	}
}

func TestFarmOnAServerThatIsNotThere(t *testing.T) {
	cfg := newFarm(filepath.Join(t.TempDir(), "run"), settings(t, "ntxuva/basic", "random", 10, 5))
	cfg.Open = natsq.Remote(natsq.Options{URL: "nats://127.0.0.1:1", Wait: -1})
	_, err := cfg.play(context.Background())
	if err == nil || !strings.Contains(err.Error(), "no NATS server at nats://127.0.0.1:1") || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(cfg.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is half-written: %v", err)
	}
}
