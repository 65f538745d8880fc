package workers_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
	"github.com/sandtable-farm/sandtable/workers"
)

// mine is the agent string of a program whose name the tests give a command.
const mine = "exec:mine,time=30s"

// logbook is a log that tests read while it is written.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logbook) log() *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

func (b *logbook) count(text string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), text)
}

func TestAWorkerLeavesRunsOfProgramsThatItLacksToOthers(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 12, 2)
	other := settings(t, "trench/standard", "random", 12, 2)
	q := newMemoryQueue()

	// A single failure would bury a job.
	strict := tuning()
	strict.MaxDeliveries = 1
	var without, with tally
	var log logbook
	stopWithout := startOn(t, q, workers.WorkerConfig{Workers: 2, Tuning: strict, Meter: &without, Log: log.log()})
	defer stopWithout()

	dir, otherDir := t.TempDir(), t.TempDir()
	done, otherDone := make(chan error, 1), make(chan error, 1)
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return log.count("left to other workers") > 0 })
	// It plays what it can meanwhile.
	go func() { otherDone <- rolesOn(t, q, otherDir, other) }()
	if err := <-otherDone; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, otherDir, other, 12)
	if n := without.get(&without.episodes); n != 12 {
		t.Errorf("the worker without the program played %d episodes, must be the 12 of the other run", n)
	}

	commands := agent.Commands{"mine": externaltest.Command(t, "legal")}
	stopWith := startOn(t, q, workers.WorkerConfig{Name: "with", Workers: 1, Tuning: strict, Meter: &with, Commands: commands})
	defer stopWith()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	stopWith()
	stopWithout()
	if n := with.get(&with.episodes); n != 12 {
		t.Errorf("the worker with the program played %d episodes, must be 12", n)
	}
	if n := log.count("left to other workers"); n != 1 {
		t.Errorf("the worker says %d times that it leaves the run to others", n)
	}
	if without.ends[workers.JobFailed] != 0 || without.redelivered+with.redelivered != 0 || without.dead+with.dead != 0 {
		t.Errorf("jobs of the worker without the program ended %v, %d and %d dead", without.ends, without.dead, with.dead)
	}
	replayer, err := replay.New(&s)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := parquetio.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	episodes := 0
	for ep, err := range reader.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if err := replayer.Check(ep); err != nil || ep.Reason.Forfeit() {
			t.Errorf("episode %d ends by %v, %v", ep.Number, ep.Reason, err)
		}
		episodes++
	}
	if episodes != 12 {
		t.Errorf("%d episodes are there", episodes)
	}
}

// The program starts twice, for either side when the worker looks at the run, and then no
// more.
func TestAJobIsNotBlamedForAProgramThatDoesNotStart(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 8, 2)
	q := newMemoryQueue()
	strict := tuning()
	strict.MaxDeliveries = 1 // a single failure would bury a job
	started := filepath.Join(t.TempDir(), "started")
	program := externaltest.Command(t, "legal")
	broken := append([]string{"/bin/sh", "-c", `mkdir "$0" || mkdir "$0-again" || exit 9; exec "$@"`, started}, program...)
	var log logbook
	stopBroken := startOn(t, q, workers.WorkerConfig{Name: "broken", Workers: 1, Tuning: strict, Commands: agent.Commands{"mine": broken}, Log: log.log()})
	defer stopBroken()
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return log.count("exit status 9") > 0 })
	defer startOn(t, q, workers.WorkerConfig{Name: "healthy", Workers: 1, Tuning: strict, Commands: agent.Commands{"mine": program}})()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if m, err := dataset.Load(dir); err != nil || !m.Complete || m.Episodes() != 8 {
		t.Errorf("the data set is %+v, %v; must have 8 episodes", m, err)
	}
}

// The last job of a run is that of a worker with a broken program until another worker has
// time.
func TestAWorkerWithABrokenProgramBuriesNoJob(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 2, 2)
	q := newMemoryQueue()
	patient := tuning()
	patient.MaxDeliveries, patient.RestMost = 3, time.Hour
	var broken tally
	var log logbook
	defer startOn(t, q, workers.WorkerConfig{Name: "broken", Workers: 1, Tuning: patient, Meter: &broken, Log: log.log(),
		Commands: agent.Commands{"mine": externaltest.Command(t, "exits")}})()
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return log.count("is left to other workers") > 0 })
	defer startOn(t, q, workers.WorkerConfig{Name: "whole", Workers: 1, Tuning: patient,
		Commands: agent.Commands{"mine": externaltest.Command(t, "legal")}})()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := broken.get(&broken.dead); n != 0 {
		t.Errorf("%d jobs are dead", n)
	}
}

func TestACoordinatorWithoutWorkersSaysWhatTheyNeed(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 12, 2)
	q := newMemoryQueue()
	defer startOn(t, q, workers.WorkerConfig{Workers: 1})()
	ctx, cancel := context.WithCancel(context.Background())
	var log logbook
	quick := tuning()
	quick.Patience = 50 * time.Millisecond
	done := make(chan error, 1)
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, s), Tuning: quick, Log: log.log()})
	}()
	waitFor(t, func() bool { return log.count("no job has been finished") > 0 })
	if log.count(`programs=[mine]`) == 0 {
		t.Error("the coordinator does not say which program is wanted")
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the coordinator ends with %v", err)
	}
}

func TestAFarmNeedsTheProgramsItself(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 6, 2)
	cfg := newFarm(t.TempDir(), s)
	if _, err := cfg.play(t.Context()); !errors.Is(err, agent.ErrNoCommand) {
		t.Errorf("error is %v", err)
	}
	cfg.Commands = agent.Commands{"mine": externaltest.Command(t, "refuses")}
	if _, err := cfg.play(t.Context()); err == nil || !strings.Contains(err.Error(), "I know chess only") {
		t.Errorf("error is %v", err)
	}
	if _, err := dataset.Load(cfg.Dir); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("a farm that cannot play leaves a data set: %v", err)
	}
	cfg.Commands = agent.Commands{"mine": externaltest.Command(t, "exits")}
	cfg.KeepCrashes = true
	var log logbook
	cfg.Log = log.log()
	report, err := cfg.play(t.Context())
	if err != nil || !report.Complete || report.Episodes != 6 {
		t.Fatalf("report %+v, %v", report, err)
	}
	if n := log.count("out of memory"); n != 6 {
		t.Errorf("%d of 6 crashes are logged", n)
	}
	cfg.Commands = nil
	if report, err := cfg.play(t.Context()); err != nil || !report.Complete {
		t.Errorf("a run that is complete needs no program, but: %v", err)
	}
}

func TestARefusedRunStartsNoProgram(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 2, 2)
	s.Agents[1] = "exec:yours,depth=0,nodes=0,time=1s"
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	// A command that is tried would be the reason.
	stop := startOn(t, q, workers.WorkerConfig{Workers: 1, Commands: agent.Commands{"mine": {"/no such program"}}})
	refused := func() string { return q.worker("w").Refused[s.Run()] }
	waitFor(t, func() bool { return refused() != "" })
	stop()
	if !strings.Contains(refused(), "--exec yours=COMMAND") {
		t.Errorf("the run is refused because %s", refused())
	}
}
