package workers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/record"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestAWorkerLeavesAnEpisodeThatOutlastsTheGrace(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: 0})); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	block := make(chan struct{})
	meter := &tally{onEpisode: func(n int) {
		if n == 2 {
			cancel()
			<-block
		}
	}}
	grace := tuning()
	grace.Grace = 50 * time.Millisecond
	if err := workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Meter: meter, Tuning: grace}); err != nil {
		t.Error(err)
	}
	close(block)
	if meter.ends[workers.JobAbandoned] != 1 || len(meter.ends) != 1 {
		t.Errorf("jobs ended %v, want one abandoned", meter.ends)
	}
	if len(q.jobs) != 0 {
		t.Error("the job was not given up")
	}
}

func TestAWorkerThatIsStoppedGivesItsJobUp(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: 0})); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	meter := &tally{onEpisode: func(n int) {
		if n == 2 {
			cancel()
		}
	}}
	if err := workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Meter: meter, Tuning: tuning()}); err != nil {
		t.Error(err)
	}
	if meter.ends[workers.JobAbandoned] != 1 || meter.episodes != 2 || len(q.jobs) != 0 {
		t.Errorf("jobs ended %v after %d episodes; the queue has %d", meter.ends, meter.episodes, len(q.jobs))
	}
}

func TestAWorkerNamesItselfInDeadLetters(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	s := settings(t, "ntxuva/4", "random", 4, 4)
	for name, want := range map[string]string{"": fmt.Sprintf("%s/%d", host, os.Getpid()), "mine": "mine"} {
		q := newMemoryQueue()
		if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run()})); err != nil {
			t.Fatal(err)
		}
		strict := tuning()
		strict.MaxDeliveries, strict.RestMost = 1, strict.Rest
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Name: name, Tuning: strict, Meter: &tally{onEpisode: func(int) { panic("poison") }}})
		}()
		waitFor(t, func() bool { return len(queued(t, q, s.Run()).Results) == 1 })
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got := q.runs[s.Run()].results[0].Dead; got.Worker != want || got.First != 0 || got.Count != 4 || got.Deliveries != 1 {
			t.Errorf("dead letter is %+v, want worker %q", got, want)
		}
		if got := q.workers[want]; got.Host != host || got.Workers != 1 || got.Cores < 1 || got.Started.IsZero() || got.At.IsZero() {
			t.Errorf("the worker reports %+v", got)
		}
	}
}

// readyMeter is a Meter that counts how often a role is ready.
type readyMeter struct {
	tally
	ready atomic.Int64
}

func (m *readyMeter) Ready(reason error) {
	if reason == nil {
		m.ready.Add(1)
	}
}

func TestEachRoleIsReadyOnceItWorks(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]func(context.Context, workers.Meter) error{
		"coordinator": func(ctx context.Context, m workers.Meter) error {
			return workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Meter: m, Tuning: tuning()})
		},
		"worker": func(ctx context.Context, m workers.Meter) error {
			return workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 3, Meter: m, Tuning: tuning()})
		},
		"collector": func(ctx context.Context, m workers.Meter) error {
			_, err := workers.Collect(ctx, workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Meter: m, Tuning: tuning()})
			return err
		},
	} {
		meter := &readyMeter{}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- role(ctx, meter) }()
		waitFor(t, func() bool { return meter.ready.Load() > 0 })
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheFarmPlaysWithThePlanThatItIsGiven(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 12, 4)
	spec := agent.Custom("quits", false, nil)
	p := plan(t, s)
	config := p.Config()
	config.Agents[1] = spec
	custom, err := selfplay.NewPlan(config)
	if err != nil {
		t.Fatal(err)
	}
	f := memoryFarm(t, newMemoryQueue(), s)
	w := workers.New(f.Config)
	if _, err := w.Play(t.Context(), nil, workers.Run{Dir: f.Dir, Plan: custom}); err == nil || !strings.Contains(err.Error(), "quits") {
		t.Errorf("an agent that jobs cannot carry: %v", err)
	}
	if err := workers.Coordinate(t.Context(), workers.CoordinatorConfig{Queue: newMemoryQueue(), Plan: custom}); err == nil || !strings.Contains(err.Error(), "quits") {
		t.Errorf("an agent that jobs cannot carry: %v", err)
	}
	if _, err := w.Play(t.Context(), nil, workers.Run{Dir: f.Dir, Plan: p.Cut(12, -1)}); err == nil || !strings.Contains(err.Error(), "job") {
		t.Errorf("jobs of −1 episodes: %v", err)
	}
}

func TestTwoRunsOfOneCallMustDiffer(t *testing.T) {
	a, b := settings(t, "ntxuva/4", "random", 12, 4), settings(t, "ntxuva/4", "greedy", 12, 4)
	f := memoryFarm(t, newMemoryQueue(), a)
	w := workers.New(f.Config)
	one, two := t.TempDir(), t.TempDir()
	for want, runs := range map[string][]workers.Run{
		one + " is the folder of two runs":            {{Dir: one, Plan: plan(t, a)}, {Dir: one, Plan: plan(t, b)}},
		one + " and " + two + " are the same games: ": {{Dir: one, Plan: plan(t, a)}, {Dir: two, Plan: plan(t, a)}},
	} {
		if reports, err := w.Play(t.Context(), nil, runs...); err == nil || !strings.Contains(err.Error(), want) || reports != nil {
			t.Errorf("%v, %v, want %q", reports, err, want)
		}
	}
	reports, err := w.Play(t.Context(), nil, workers.Run{Dir: one, Plan: plan(t, a)}, workers.Run{Dir: two, Plan: plan(t, b)})
	if err != nil || len(reports) != 2 || reports[0].Run != a.Run() || reports[1].Run != b.Run() || reports[0].Dir != one || !reports[1].Complete {
		t.Errorf("%+v, %v", reports, err)
	}
}

func TestDeadLettersThatCannotBeReadAreNamed(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	f := memoryFarm(t, newMemoryQueue(), s)
	if _, err := f.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := workers.DeadLetterPath(f.Dir, 1)
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	want := "reading a dead letter: "
	for range 2 {
		if _, err := workers.DeadLetters(f.Dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("error is %v, want %q", err, want)
		}
		if _, err := workers.Requeue(f.Dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("requeueing: %v", err)
		}
		if _, err := f.play(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the farm: %v", err)
		}
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("{"), 0o666)); err != nil {
			t.Fatal(err)
		}
		want = path + " is not a dead letter: "
	}
}

func TestTheDeadLetterOfAJobInTheDataSetIsRemoved(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	f := memoryFarm(t, newMemoryQueue(), s)
	if _, err := f.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := workers.DeadLetterPath(f.Dir, 1)
	letter := []byte(`{"run":"` + s.Run() + `","job":"1","first":"4","count":"4"}`)
	if err := errors.Join(os.MkdirAll(f.Dir+"/"+workers.DeadFolder, 0o777), os.WriteFile(path, letter, 0o666)); err != nil {
		t.Fatal(err)
	}
	if report, err := f.play(t.Context()); err != nil || report.Dead.Len() != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if letters, err := workers.DeadLetters(f.Dir); err != nil || len(letters) != 0 {
		t.Errorf("dead letters are %+v, %v", letters, err)
	}
}

func TestRequeueRefusesADataSetThatIsBeingWritten(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	f := memoryFarm(t, newMemoryQueue(), s)
	if _, err := f.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	lock, err := dataset.AcquireLock(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := workers.Requeue(f.Dir); !errors.Is(err, dataset.ErrLocked) {
		t.Errorf("error is %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if letters, err := workers.Requeue(f.Dir); err != nil || len(letters) != 0 {
		t.Errorf("%v, %v", letters, err)
	}
}

func TestADeadLetterOfAJobWhoseResultArrivesIsDropped(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 12, 4)
	for name, arrive := range map[string]func(t *testing.T, q *memoryQueue){
		"before it": func(t *testing.T, q *memoryQueue) { bury(t, q, s, 1); store(t, q, s, 0, 1, 2) },
		"after it":  func(t *testing.T, q *memoryQueue) { store(t, q, s, 0, 1); bury(t, q, s, 1); store(t, q, s, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			q, dir := newMemoryQueue(), t.TempDir()
			arrive(t, q)
			meter := &tally{}
			report, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Meter: meter, Tuning: tuning()})
			if err != nil || !report.Complete || report.Dead.Len() != 0 {
				t.Errorf("%+v, %v", report, err)
			}
			if letters, err := workers.DeadLetters(dir); err != nil || len(letters) != 0 {
				t.Errorf("dead letters are %+v, %v", letters, err)
			}
			if left := queued(t, q, s.Run()); left.Messages != 0 {
				t.Errorf("left are %+v", left)
			}
			wantDataSet(t, dir, s, 12)
		})
	}
}

func TestAResultOfNoJobOfTheRunIsDroppedWithAWarning(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 12, 4)
	q, dir := newMemoryQueue(), t.TempDir()
	for _, job := range []int64{3, -1} {
		if err := q.StoreResult(t.Context(), []queue.Part{{Run: s.Run(), Job: job, Total: &queue.Total{}}}); err != nil {
			t.Fatal(err)
		}
	}
	store(t, q, s, 0, 1, 2)
	var log logbook
	if _, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Log: log.log(), Tuning: tuning()}); err != nil {
		t.Fatal(err)
	}
	if n := log.count("belongs to no job of the run"); n != 2 {
		t.Errorf("%d warnings are logged, want 2", n)
	}
	if left := queued(t, q, s.Run()); left.Messages != 0 {
		t.Errorf("left are %+v", left)
	}
}

func TestTheMeterHearsHowGamesEnd(t *testing.T) {
	s := settings(t, "ntxuva/4", "mcts:sims=5", 8, 4)
	s.MaxPlies = 6
	q := newMemoryQueue()
	meter := &endMeter{}
	ctx, cancel := context.WithCancel(t.Context())
	if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: 1})); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Meter: meter, Tuning: tuning()})
	}()
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 0 })
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var nodes int64
	err := selfplay.PlayAll(t.Context(), plan(t, s), s.Run(), 4, 4, 1, func(ep *dataset.Episode) error {
		for i := range ep.Steps {
			nodes += ep.Steps[i].Search.Nodes
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if meter.variant != "ntxuva/4" || meter.plies != 4*6 || nodes == 0 || meter.simulations != nodes || meter.truncated != 4 {
		t.Errorf("counted %+v, want %d nodes", meter, nodes)
	}
}

// endMeter is a Meter that adds up what it hears of episodes.
type endMeter struct {
	tally
	variant     string
	plies       int
	simulations int64
	truncated   int
}

func (m *endMeter) Episodes(variant string) workers.EpisodeMeter {
	m.variant = variant
	return m
}

func (m *endMeter) EpisodePlayed(plies int, simulations int64, _ env.Result, reason env.Reason) {
	m.plies, m.simulations = m.plies+plies, m.simulations+simulations
	if reason == env.NoReason {
		m.truncated++
	}
}

func TestACollectorThatCannotBeginReportsIt(t *testing.T) {
	s, other := settings(t, "ntxuva/4", "random", 12, 4), settings(t, "ntxuva/4", "greedy", 12, 4)
	taken := memoryFarm(t, newMemoryQueue(), other)
	if _, err := taken.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	locked := t.TempDir()
	lock, err := dataset.AcquireLock(locked)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	for _, c := range []struct {
		dir, call string
		want      error
		text      string
	}{
		{t.TempDir(), "Settings", errFault, "collector: "},
		{locked, "", dataset.ErrLocked, locked},
		{taken.Dir, "", dataset.ErrSettings, "agents"},
		{t.TempDir(), "Collect", errFault, "collector of run " + s.Run()},
		{t.TempDir(), "PutProgress", errFault, "collector of run " + s.Run()},
	} {
		q := newMemoryQueue()
		if err := q.PutRun(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		q.fault = nth(c.call, 1)
		_, err := workers.Collect(t.Context(), workers.CollectorConfig{Queue: q, Dir: c.dir, Run: s.Run(), Tuning: tuning()})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || q.open != 0 {
			t.Errorf("%s: %v, %d inboxes are open, want %q", c.call, err, q.open, c.text)
		}
	}
}

func TestARecordingThatCannotBeMadeReportsIt(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 12, 4)
	f := memoryFarm(t, newMemoryQueue(), s)
	farm := workers.New(f.Config)
	r := record.Recording{Dir: f.Dir, Plan: plan(t, s)}
	if err := farm.Record(t.Context(), r); err == nil || !strings.Contains(err.Error(), "episodes is 0, must be 1 or more") {
		t.Errorf("error is %v", err)
	}
	r.Episodes = 20
	if err := farm.Record(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	// A recording that is there needs no queue.
	f.Config.Open = func(context.Context) (queue.Queue, error) { return nil, errFault }
	farm = workers.New(f.Config)
	if err := farm.Record(t.Context(), r); err != nil {
		t.Errorf("it is complete: %v", err)
	}
	r.Episodes = 21
	if err := farm.Record(t.Context(), r); !errors.Is(err, errFault) {
		t.Errorf("error is %v", err)
	}
	if err := farm.Close(); err != nil {
		t.Error(err)
	}
}

func TestDeadLettersBehindOneThatIsRemovedStay(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 12, 4)
	q := newMemoryQueue()
	cfg := workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()}
	store(t, q, s, 0, 1)
	bury(t, q, s, 2)
	for range 2 {
		var dead *workers.DeadJobsError
		if _, err := workers.Collect(t.Context(), cfg); !errors.As(err, &dead) || dead.Jobs.String() != "2" {
			t.Fatalf("the collector ends with %v", err)
		}
		letter := []byte(`{"run":"` + s.Run() + `","job":"1","first":"4","count":"4"}`)
		if err := os.WriteFile(workers.DeadLetterPath(cfg.Dir, 1), letter, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
