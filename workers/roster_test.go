package workers_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/external/externaltest"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// refusalMeter counts refusals.
type refusalMeter struct {
	tally
	looks [workers.Refusals]int
	now   [workers.Refusals]int
}

func (m *refusalMeter) RunRefused(reason workers.Refusal) { m.add(&m.looks[reason], 1) }
func (m *refusalMeter) RunsRefused(now [workers.Refusals]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = now
}

func TestARunThatAWorkerCannotPlayIsLeftToOthersUncounted(t *testing.T) {
	t.Parallel()
	version := settings(t, "ntxuva/4", "random", 8, 4)
	version.Digest = "sha256:" + strings.Repeat("0", 64)
	settingsFault := settings(t, "ntxuva/4", "random", 8, 4)
	settingsFault.Agents[0] = "alphabeta:depth=many"
	for name, c := range map[string]struct {
		s      dataset.Settings
		reason workers.Refusal
		text   string
	}{
		"another version": {version, workers.RefusedVersion, version.Digest},
		"no program":      {settings(t, "ntxuva/4", mine, 8, 4), workers.RefusedProgram, "--exec mine=COMMAND"},
		"much memory":     {settings(t, "ntxuva/4", "alphabeta:depth=1,hash=1024", 8, 4), workers.RefusedMemory, "of 2 workers need about 4096 MiB, and the limit is 4095 MiB"},
		"an odd agent":    {settingsFault, workers.RefusedSettings, "many"},
	} {
		t.Run(name, func(t *testing.T) {
			q, other := newMemoryQueue(), settings(t, "ntxuva/4", "greedy", 8, 4)
			for job := range int64(2) {
				if err := errors.Join(q.PutRun(t.Context(), &c.s), q.Enqueue(t.Context(), &queue.Job{Run: c.s.Run(), Number: job})); err != nil {
					t.Fatal(err)
				}
			}
			var log logbook
			meter := &refusalMeter{}
			stop := startOn(t, q, workers.WorkerConfig{Workers: 2, Memory: 4095 << 20, Log: log.log(), Meter: meter})
			defer stop()
			if err := rolesOn(t, q, t.TempDir(), other); err != nil { // it plays what it can
				t.Fatal(err)
			}
			waitFor(t, func() bool { return meter.get(&meter.looks[c.reason]) >= 3 })
			waitFor(t, func() bool { return q.worker("w").Refused[c.s.Run()] != "" })
			stop()
			if why := q.worker("w").Refused[c.s.Run()]; !strings.Contains(why, c.text) {
				t.Errorf("the worker reports that it refuses the run because %q, want %q", why, c.text)
			}
			if meter.now[c.reason] != 1 || log.count("a run is left to other workers") != 1 {
				t.Errorf("refused are %v, the log is\n%s", meter.now, &log.text)
			}
			if n := q.deliveries(); n != 0 {
				t.Errorf("jobs were delivered %d times", n)
			}
		})
	}
}

func TestARefusedRunIsLookedAtMoreAndMoreSeldom(t *testing.T) {
	s := settings(t, "ntxuva/4", mine, 8, 4)
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var at []time.Time
	q.fault = func(call, _ string) error {
		if call == "Settings" {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Now())
		}
		return nil
	}
	looks := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(at)
	}
	tuned := tuning()
	tuned.Rest, tuned.RestMost, tuned.Scout = 16*time.Millisecond, 64*time.Millisecond, time.Millisecond
	defer startOn(t, q, workers.WorkerConfig{Workers: 1, Tuning: tuned})()
	waitFor(t, func() bool { return looks() >= 6 })
	mu.Lock()
	defer mu.Unlock()
	// Rests of 16, 32, 64, 64, … ms, each between 3/4 and 5/4 of that.
	for i, least := range []time.Duration{12, 24, 48, 48, 48} {
		if rest := at[i+1].Sub(at[i]); rest < least*time.Millisecond {
			t.Errorf("rest %d is %v, want %v or more", i, rest, least*time.Millisecond)
		}
	}
}

func TestARunIsPlayedOnceItsReasonIsGone(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	var healed atomic.Bool
	wrong := &otherSettings{q, &healed}
	stop := startOn(t, wrong, workers.WorkerConfig{Workers: 1})
	defer stop()
	done, dir := make(chan error, 1), t.TempDir()
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return q.worker("w").Refused[s.Run()] != "" })
	healed.Store(true)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 8)
}

// otherSettings is a queue whose settings are those of another run.
type otherSettings struct {
	queue.Worker
	healed *atomic.Bool
}

func (o *otherSettings) Settings(ctx context.Context, run string) (*dataset.Settings, error) {
	s, err := o.Worker.Settings(ctx, run)
	if err == nil && !o.healed.Load() {
		other := *s
		other.Seed++
		s = &other
	}
	return s, err
}

// restMeter keeps the rests after failures.
type restMeter struct {
	tally
	rests []time.Duration
}

func (m *restMeter) Backoff(cause string, pause time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rests = append(m.rests, pause)
}

// One worker has a program that crashes at its first move, the other one that plays.
func TestABrokenProgramHarmsOnlyItsWorker(t *testing.T) {
	t.Parallel()
	s := settings(t, "ntxuva/basic", mine, 60, 1)
	q, dir := newMemoryQueue(), t.TempDir()
	tuned := tuning()
	tuned.Rest, tuned.RestMost = 10*time.Millisecond, time.Hour
	var broken restMeter
	var log logbook
	defer startOn(t, q, workers.WorkerConfig{Name: "broken", Workers: 2, Tuning: tuned, Meter: &broken, Log: log.log(), Commands: agent.Commands{"mine": externaltest.Command(t, "exits")}})()
	slow := &tally{onEpisode: func(int) { time.Sleep(5 * time.Millisecond) }}
	defer startOn(t, q, workers.WorkerConfig{Name: "healthy", Workers: 1, Tuning: tuned, Meter: slow, Commands: agent.Commands{"mine": externaltest.Command(t, "legal")}})()
	if err := rolesOn(t, q, dir, s); err != nil {
		t.Fatal(err)
	}
	for ep := range episodesIn(t, dir) {
		if ep.Reason == env.Crashed || ep.Worker != "healthy" {
			t.Errorf("episode %d by %s ends by %v", ep.Number, ep.Worker, ep.Reason)
		}
	}
	if n := broken.get(&broken.dead) + slow.get(&slow.dead); n != 0 {
		t.Errorf("%d jobs are dead", n)
	}
	if log.count("out of memory") == 0 {
		t.Error("the log does not say how the program ends")
	}
	broken.mu.Lock()
	defer broken.mu.Unlock()
	for i, rest := range broken.rests {
		if want := 10 * time.Millisecond << i; rest != want {
			t.Errorf("rest %d is %v, want %v", i, rest, want)
		}
	}
	if len(broken.rests) == 0 {
		t.Error("the worker does not rest")
	}
}

func TestCrashesAreResultsIfTheWorkerKeepsThem(t *testing.T) {
	t.Parallel()
	s := settings(t, "ntxuva/basic", mine, 4, 2)
	for _, keep := range []bool{true, false} {
		q := newMemoryQueue()
		f := memoryFarm(t, q, s)
		f.Commands, f.KeepCrashes, f.Tuning.MaxDeliveries = agent.Commands{"mine": externaltest.Command(t, "exits")}, keep, 2
		report, err := f.play(t.Context())
		var dead *workers.DeadJobsError
		if keep && (err != nil || report.Episodes != 4) || !keep && (!errors.As(err, &dead) || report.Episodes != 0) {
			t.Errorf("keep %v: %+v, %v", keep, report, err)
		}
		letters, err := workers.DeadLetters(f.Dir)
		if err != nil || !keep && (len(letters) != 2 || !strings.Contains(letters[0].Error, "exit status 3")) {
			t.Errorf("dead letters are %+v, %v", letters, err)
		}
	}
}

func TestAWorkerThatIsQuarantinedTakesNoJobs(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := q.Quarantine(t.Context(), "w", "it lies"); err != nil {
		t.Fatal(err)
	}
	var log logbook
	defer startOn(t, q, workers.WorkerConfig{Workers: 2, Log: log.log()})()
	done, dir := make(chan error, 1), t.TempDir()
	go func() { done <- rolesOn(t, q, dir, s) }()
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 2 })
	time.Sleep(50 * time.Millisecond)
	if q.deliveries() != 0 {
		t.Error("a job was delivered")
	}
	if log.count("it lies") != 1 {
		t.Error("the log does not say why")
	}
	if err := q.Pardon(t.Context(), "w"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantDataSet(t, dir, s, 8)
}

func TestAWorkerReportsWhatItDoes(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 80, 4)
	q := newMemoryQueue()
	block := make(chan struct{})
	meter := &tally{onEpisode: func(n int) {
		if n == 41 {
			<-block
		}
	}}
	defer startOn(t, q, workers.WorkerConfig{Workers: 1, Version: "v9", Memory: 1 << 30, Meter: meter})()
	done := make(chan error, 1)
	go func() { done <- rolesOn(t, q, t.TempDir(), s) }()
	waitFor(t, func() bool {
		w := q.worker("w")
		return w.Done == 10 && w.Playing[s.Run()] == 1 && w.Games > 0 && w.Plies > w.Games && w.Version == "v9" && w.Memory == 1<<30 && w.Failed == 0
	})
	close(block)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { w := q.worker("w"); return w.Done == 20 && len(w.Playing) == 0 })
}

// The game of a slow agent may take longer than a lease.
func TestEachPlyExtendsTheHoldOnAJob(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 4, 4)
	q := newMemoryQueue()
	if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run()})); err != nil {
		t.Fatal(err)
	}
	job := q.jobs[0]
	stop := startOn(t, q, workers.WorkerConfig{Workers: 1})
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 0 })
	stop()
	plies := 0
	for _, ep := range episodesOf(t, s, 0) {
		plies += ep.Plies() - ep.OpeningPlies
	}
	if job.extended < plies {
		t.Errorf("the hold was extended %d times in %d plies", job.extended, plies)
	}
}

func TestAWorkerPlaysRunsInTurn(t *testing.T) {
	q := newMemoryQueue()
	var runs []dataset.Settings
	for _, agent := range []string{"random", "greedy"} {
		s := settings(t, "ntxuva/4", agent, 0, 1)
		runs = append(runs, s)
		for job := range int64(400) {
			if err := errors.Join(q.PutRun(t.Context(), &s), q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: job})); err != nil {
				t.Fatal(err)
			}
		}
	}
	tuned := tuning()
	tuned.Turn = 10 * time.Millisecond
	meter := &tally{onEpisode: func(int) { time.Sleep(time.Millisecond) }}
	stop := startOn(t, q, workers.WorkerConfig{Workers: 1, Tuning: tuned, Meter: meter})
	waitFor(t, func() bool { return meter.get(&meter.episodes) > 200 })
	stop()
	for _, s := range runs {
		if left := len(queued(t, q, s.Run()).Jobs); left == 400 || left < 200 {
			t.Errorf("%d of 400 jobs of a run are left", left)
		}
	}
}

func TestAJobThatTheRunDoesNotHaveIsRemoved(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	for _, job := range []int64{-1, 2, 1 << 62} {
		if err := q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: job}); err != nil {
			t.Fatal(err)
		}
	}
	stop := startOn(t, q, workers.WorkerConfig{Workers: 1})
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 0 })
	stop()
	if n := queued(t, q, s.Run()).Messages; n != 0 {
		t.Errorf("%d results are stored", n)
	}
}

func TestAWorkerTakesAnAuditOfItsOwnResultNotAsItsJob(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 8, 4)
	q := newMemoryQueue()
	if err := errors.Join(q.PutRun(t.Context(), &s), q.RequestAudit(t.Context(), &queue.Job{Run: s.Run(), Number: 1, Kind: queue.Audit, Not: "w"})); err != nil {
		t.Fatal(err)
	}
	defer startOn(t, q, workers.WorkerConfig{Workers: 1})()
	waitFor(t, func() bool { return q.deliveries() > 2 })
	if !queued(t, q, s.Run()).Audits[1] || queued(t, q, s.Run()).Messages != 0 {
		t.Error("the audit is answered by the worker that is audited")
	}
	defer startOn(t, q, workers.WorkerConfig{Name: "other", Workers: 1})()
	waitFor(t, func() bool { return queued(t, q, s.Run()).Messages == 1 })
	want := partOf(s.Run(), 1, "", episodesOf(t, s, 1))
	if got := q.runs[s.Run()].results[0].Audit; got.Worker != "other" || got.Job != 1 || got.Total != *want.Total {
		t.Errorf("the answer is %+v, want %+v", got, want.Total)
	}
}

func TestTheSameRunIntoANewFolderIsPlayedAgain(t *testing.T) {
	t.Parallel()
	s := settings(t, "ntxuva/4", "random", 24, 4)
	q := newMemoryQueue()
	defer startOn(t, q, workers.WorkerConfig{Workers: 2})()
	parent := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		dir := filepath.Join(parent, name)
		if name == "c" { // what a coordinator that was killed has not forgotten
			all, err := dataset.JobsOf(0, 1, 2, 3, 4, 5)
			if err != nil {
				t.Fatal(err)
			}
			stale := queue.Progress{Run: s.Run(), Jobs: all, Episodes: 24, At: time.Now().Add(-time.Hour)}
			if err := q.PutProgress(t.Context(), &stale); err != nil {
				t.Fatal(err)
			}
		}
		if err := rolesOn(t, q, dir, s); err != nil {
			t.Fatal(err)
		}
		wantDataSet(t, dir, s, 24)
		if _, err := q.Settings(t.Context(), s.Run()); !errors.Is(err, queue.ErrNoRun) {
			t.Errorf("the queue has not forgotten the run: %v", err)
		}
	}
}
