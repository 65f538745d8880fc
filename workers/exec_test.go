package workers_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
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
	"github.com/sandtable-farm/sandtable/workers/natsq"
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

// work starts a worker process with commands. The function that is returned
// stops it and waits for it.
func work(t *testing.T, url string, cfg workers.WorkerConfig) (stop func()) {
	t.Helper()
	cfg.Queue = connect(t, url, natsq.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- workers.Work(ctx, cfg) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("worker: %v", err)
		}
	})
}

func TestAWorkerLeavesJobsOfProgramsThatItLacksToOthers(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 12, 2)
	other := settings(t, "trench/standard", "random", 12, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()

	// A single failure would bury a job.
	strict := tuning()
	strict.MaxDeliveries = 1
	var without, with tally
	var log logbook
	stopWithout := work(t, url, workers.WorkerConfig{Workers: 2, Tuning: strict, Meter: &without, Log: log.log()})
	defer stopWithout()

	dir, otherDir := t.TempDir(), t.TempDir()
	done, otherDone := make(chan error, 1), make(chan error, 1)
	go func() { done <- roles(t, url, dir, s) }()
	for log.count("left to other workers") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	// It plays what it can meanwhile.
	go func() { otherDone <- roles(t, url, otherDir, other) }()
	if err := <-otherDone; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, otherDir, other, 12)
	if n := without.get(&without.episodes); n != 12 {
		t.Errorf("the worker without the program played %d episodes, must be the 12 of the other run", n)
	}

	commands := agent.Commands{"mine": externaltest.Command(t, "legal")}
	stopWith := work(t, url, workers.WorkerConfig{Workers: 1, Tuning: strict, Meter: &with, Commands: commands})
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
	if without.ends[workers.JobRefused] == 0 || without.ends[workers.JobFailed] != 0 || without.dead+with.dead != 0 {
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

func TestAWorkerThatIsGivenNothingElseAsksMoreAndMoreSlowly(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 12, 2)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	var meter tally
	stop := work(t, url, workers.WorkerConfig{Workers: 1, Tuning: tuning(), Meter: &meter})
	ctx, cancel := context.WithCancel(context.Background())
	var log logbook
	quick := tuning()
	quick.Patience = 50 * time.Millisecond
	done := make(chan error, 1)
	queue := connect(t, url, natsq.Options{})
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: queue, Plan: plan(t, s), Tuning: quick, Log: log.log()})
	}()
	// Pauses of 10, 20, 40, … ms: six jobs take 630 ms and ten 10 s.
	time.Sleep(1500 * time.Millisecond)
	for log.count("no job has been finished") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	if n := meter.ends[workers.JobRefused]; n == 0 || n > 9 {
		t.Errorf("%d jobs were refused in the time of about seven", n)
	}
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

func TestARefusedJobStartsNoProgram(t *testing.T) {
	s := settings(t, "ntxuva/basic", mine, 2, 2)
	s.Agents[1] = "exec:yours,depth=0,nodes=0,time=1s"
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	ctx, cancel := context.WithCancel(t.Context())
	queue := connect(t, url, natsq.Options{})
	done := make(chan error, 1)
	go func() {
		done <- workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: queue, Plan: plan(t, s), Tuning: tuning()})
	}()
	var log logbook
	// A command that is tried would fail the job.
	commands := agent.Commands{"mine": {"/no such program"}}
	stop := work(t, url, workers.WorkerConfig{Workers: 1, Tuning: tuning(), Commands: commands, Log: log.log()})
	for log.count("--exec yours=COMMAND") == 0 && log.count("a job failed") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the coordinator ends with %v", err)
	}
	if log.count("a job failed") > 0 {
		t.Error("the program of one agent is started though that of the other is not here")
	}
}
