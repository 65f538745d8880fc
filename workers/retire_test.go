package workers_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestBothOfTwoCoordinatorsEnd(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 40, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	var meter tally
	second := connect(t, url, natsq.Options{})
	done := make(chan error, 1)
	go func() {
		done <- workers.Coordinate(context.Background(), workers.CoordinatorConfig{Queue: second, Plan: plan(t, s), Tuning: tuning()})
	}()
	stop := startWorkers(t, url, 2, &meter, natsq.Options{})
	dir := t.TempDir()
	if err := roles(t, url, natsq.Options{}, dir, s); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the second coordinator ends with %v", err)
	}
	stop()
	wantDataSet(t, dir, s, 40)
}

// A supervisor starts a role again that was killed after the end of its run.
func TestRolesThatAreStartedAgainAfterTheEndFindIt(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 40, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	var meter tally
	stop := startWorkers(t, url, 2, &meter, natsq.Options{})
	defer func() { stop() }()
	dir := t.TempDir()
	if err := roles(t, url, natsq.Options{}, dir, s); err != nil {
		t.Fatal(err)
	}
	played := meter.get(&meter.episodes)

	q := connect(t, url, natsq.Options{})
	report, err := workers.Collect(context.Background(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()})
	if err != nil || !report.Complete || report.Episodes != 40 {
		t.Errorf("the collector ends with %+v, %v", report, err)
	}
	if err := workers.Coordinate(context.Background(), workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: tuning()}); err != nil {
		t.Errorf("the coordinator ends with %v", err)
	}
	stop()
	stop = func() {}
	if now := meter.get(&meter.episodes); now != played {
		t.Errorf("%d episodes were played again", now-played)
	}
}

func TestTheSameRunIsPlayedAgainIntoAnotherFolder(t *testing.T) {
	t.Parallel()
	s := settings(t, "ntxuva/basic", "random", 40, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	defer startWorkers(t, url, 2, nil, natsq.Options{})()
	for range 3 {
		dir := t.TempDir()
		if err := roles(t, url, natsq.Options{}, dir, s); err != nil {
			t.Fatal(err)
		}
		wantDataSet(t, dir, s, 40)
	}
}

// The progress of a run that has ended some time ago is no reason to end it at once: its
// collector may start later than its coordinator.
func TestARunThatEndedLongAgoBeginsAgain(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 20, 2)
	q := newMemoryQueue()
	progress := queue.Progress{Run: s.Run(), At: time.Now().Add(-time.Hour)}
	if err := progress.Jobs.UnmarshalText([]byte("0-9")); err != nil {
		t.Fatal(err)
	}
	if err := q.PutProgress(context.Background(), &progress); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	quick := tuning()
	quick.Settle = time.Millisecond
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: quick})
	}()
	waitFor(t, func() bool {
		now, err := q.Queued(context.Background(), s.Run())
		return err == nil && len(now.Jobs) == 10
	})
	cancel()
	<-done
}

// A progress that no collector has published may reach the queue when a collector has
// finished and its coordinator has not seen it yet.
func TestACollectorThatHasFinishedCorrectsItsProgressUntilTheRunIsRetired(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 20, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	q := connect(t, url, natsq.Options{})
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	for job := range s.Jobs() {
		if err := q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: job}); err != nil {
			t.Fatal(err)
		}
	}
	defer startWorkers(t, url, 1, nil, natsq.Options{})()
	patient := tuning()
	patient.Settle = time.Hour
	dir, collected, complete := t.TempDir(), make(chan error, 1), make(chan struct{})
	finished := sync.OnceFunc(func() { close(complete) })
	go func() {
		_, err := workers.Collect(context.Background(), workers.CollectorConfig{
			Queue: connect(t, url, natsq.Options{}), Dir: dir, Run: s.Run(), Tuning: patient,
			Status: func(p queue.Progress) {
				if p.Jobs.Len() == s.Jobs() {
					finished()
				}
			},
		})
		collected <- err
	}()
	<-complete
	if err := q.PutProgress(t.Context(), &queue.Progress{Run: s.Run(), At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: patient}); err != nil {
		t.Errorf("the coordinator ends with %v", err)
	}
	if err := <-collected; err != nil {
		t.Errorf("the collector ends with %v", err)
	}
	wantDataSet(t, dir, s, 20)
}
