package workers_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestAPausedRunGoesOnWhenItIsResumed(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 400, 2)
	q, dir := newMemoryQueue(), t.TempDir()
	meter := &tally{onEpisode: func(int) { time.Sleep(time.Millisecond) }}
	defer startOn(t, q, workers.WorkerConfig{Workers: 1, Meter: meter})()
	done := make(chan error, 1)
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return meter.get(&meter.episodes) > 10 })
	if err := q.PutOrders(t.Context(), s.Run(), queue.Orders{Paused: true}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { all := queued(t, q, s.Run()); return len(all.Jobs) == 0 })
	played := meter.get(&meter.episodes)
	time.Sleep(100 * time.Millisecond)
	if n := meter.get(&meter.episodes); n > played+2 || n >= 400 {
		t.Errorf("%d episodes are played while the run is paused", n-played)
	}
	if err := q.PutOrders(t.Context(), s.Run(), queue.Orders{}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 400)
}

func TestACancelledRunEndsAndKeepsWhatItHas(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 4000, 2)
	q, dir := newMemoryQueue(), t.TempDir()
	meter := &tally{onEpisode: func(int) { time.Sleep(time.Millisecond) }}
	defer startOn(t, q, workers.WorkerConfig{Workers: 1, Meter: meter})()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	coordinated, collected := make(chan error, 1), make(chan error, 1)
	go func() {
		coordinated <- workers.Coordinate(t.Context(), workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()})
	}()
	go func() {
		_, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()})
		collected <- err
	}()
	waitFor(t, func() bool { return meter.get(&meter.episodes) > 10 })
	if err := q.PutOrders(t.Context(), s.Run(), queue.Orders{Cancelled: true}); err != nil {
		t.Fatal(err)
	}
	for role, done := range map[string]chan error{"coordinator": coordinated, "collector": collected} {
		if err := <-done; !errors.Is(err, workers.ErrCancelled) {
			t.Errorf("the %s ends with %v", role, err)
		}
	}
	m, err := dataset.Load(dir)
	if err != nil || m.Episodes() < 10 || m.Complete {
		t.Errorf("the data set has %d episodes, %v", m.Episodes(), err)
	}
	if n := len(queued(t, q, s.Run()).Jobs); n != 0 {
		t.Errorf("%d jobs are queued", n)
	}
}

// The worker that holds a job does not finish it, and does not die.
func TestTheLastJobsArePlayedTwice(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 2)
	q, dir := newMemoryQueue(), t.TempDir()
	block := make(chan struct{})
	stuck := &tally{onEpisode: func(int) { <-block }}
	stop := startOn(t, q, workers.WorkerConfig{Name: "stuck", Workers: 1, Meter: stuck})
	done := make(chan error, 1)
	tuned := tuning()
	tuned.AgainAfter = 50 * time.Millisecond
	go func() {
		done <- workers.Coordinate(t.Context(), workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuned})
	}()
	waitFor(t, func() bool { return stuck.get(&stuck.episodes) == 1 })
	quick := &tally{}
	defer startOn(t, q, workers.WorkerConfig{Name: "quick", Workers: 2, Meter: quick})()
	if _, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 40)
	close(block)
	stop()
}

func TestACoordinatorSaysThatNothingTakesTheResults(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 4, 4)
	q := newMemoryQueue()
	store(t, q, s, 0)
	var log logbook
	tuned := tuning()
	tuned.Patience = 50 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuned, Log: log.log()})
	}()
	waitFor(t, func() bool { return log.count("is a collector of the run running?") > 0 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestACoordinatorAnnouncesARunAgainThatTheQueueHasLost(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 2)
	q, dir := newMemoryQueue(), t.TempDir()
	var lost bool
	q.fault = func(call, run string) error {
		if call == "Progress" && q.progressOf(run).Arrived.Jobs > 3 && !lost {
			lost = true
			_ = q.Forget(t.Context(), run)
			return queue.ErrNoRun
		}
		return nil
	}
	defer startOn(t, q, workers.WorkerConfig{Workers: 1})()
	if err := rolesOn(t, q, dir, s); err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 40)
}

// A run without an end: what a stranger stores does not decide it.
func TestAbsurdNumbersDoNotDecideTheEndOfARun(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 0, 4)
	q := newMemoryQueue()
	var log logbook
	f := memoryFarm(t, q, s)
	f.For, f.Log = 50*time.Millisecond, log.log()
	open := f.Open
	f.Open = func(ctx context.Context) (queue.Queue, error) {
		bury(t, q, s, 1<<61)
		part := queue.Part{Run: s.Run(), Job: 1 << 60, Worker: "stranger"}
		if err := q.StoreResult(t.Context(), []queue.Part{part}); err != nil {
			t.Error(err)
		}
		return open(ctx)
	}
	report, err := f.play(t.Context())
	if err != nil || report.Episodes == 0 || report.Dead.Len() != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	wantDataSet(t, f.Dir, s, report.Episodes)
	if log.count("belongs to no job of the run") != 2 {
		t.Errorf("the log is\n%s", &log.text)
	}
}

func TestSeveralCollectorsShareARun(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 90, 2)
	for _, of := range []int{2, 4} {
		q, dir := newMemoryQueue(), t.TempDir()
		slow := &tally{onEpisode: func(int) { time.Sleep(time.Millisecond) }}
		defer startOn(t, q, workers.WorkerConfig{Workers: 2, Meter: slow})()
		var reports [4]workers.Report
		for _, stop := range []int{20, 0} { // the first time, all collectors are stopped
			if err := q.PutRun(t.Context(), &s); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			coordinated := make(chan error, 1)
			go func() {
				coordinated <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()})
			}()
			var collectors sync.WaitGroup
			for i := range of {
				collectors.Go(func() {
					cfg := workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Share: queue.Share{Index: i, Of: of}, Tuning: tuning()}
					cfg.Tuning.ShardPlies = 200
					var err error
					reports[i], err = workers.Collect(ctx, cfg)
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("collector %d of %d: %v", i, of, err)
					}
				})
			}
			if stop > 0 {
				waitFor(t, func() bool { return q.progressOf(s.Run()).Episodes >= int64(stop) })
				cancel()
			}
			collectors.Wait()
			if err := <-coordinated; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			cancel()
		}
		wantDataSet(t, dir, s, 90)
		var episodes, shards int64
		for i := range of {
			if !reports[i].Complete {
				t.Errorf("the report of collector %d is %+v", i, reports[i])
			}
			episodes, shards = episodes+reports[i].Episodes, shards+reports[i].Shards
		}
		m, err := dataset.Load(dir)
		if err != nil || !m.Complete || episodes != 90 || shards != int64(len(m.Shards)) {
			t.Errorf("%d episodes in %d shards are reported; %+v, %v", episodes, shards, m, err)
		}
	}
	_, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: newMemoryQueue(), Dir: t.TempDir(), Run: s.Run(), Share: queue.Share{Of: 3}})
	if err == nil || !strings.Contains(err.Error(), "not by 3") {
		t.Errorf("error is %v", err)
	}
}
