package workers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

var errFault = errors.New("a fault of the queue")

// nth returns a fault of the n-th call of a name, counted from 1.
func nth(name string, n int64) func(call, run string) error {
	var calls atomic.Int64
	return func(call, _ string) error {
		if call == name && calls.Add(1) == n {
			return errFault
		}
		return nil
	}
}

func TestEachErrorOfTheQueueIsReportedAndTheNextCallCompletesTheRun(t *testing.T) {
	fixed, open := settings(t, "ntxuva/4", "random", 40, 4), settings(t, "ntxuva/4", "random", 0, 4)
	for _, c := range []struct {
		call string
		n    int64
		s    dataset.Settings
		role string // that the error names; "" for those that belong to no role
	}{
		{"PutRun", 1, fixed, ""},
		{"PutRun", 2, fixed, "coordinator of run " + fixed.Run()},
		{"PutEnd", 1, open, ""},
		{"PutEnd", 2, open, "coordinator of run " + open.Run()},
		{"Queued", 1, fixed, "coordinator of run " + fixed.Run()},
		{"Progress", 1, fixed, "coordinator of run " + fixed.Run()},
		{"Enqueue", 1, fixed, "coordinator of run " + fixed.Run()},
		{"Enqueue", 3, fixed, "coordinator of run " + fixed.Run()},
		{"Orders", 1, fixed, "coordinator of run " + fixed.Run()},
		{"ReportWorker", 1, fixed, "worker "},
		{"Runs", 1, fixed, "worker "},
		{"NextJob", 1, fixed, "worker "},
		{"NextJob", 4, fixed, "worker "},
		{"Collect", 1, fixed, ""},
		{"PutProgress", 1, fixed, ""},
		{"PutProgress", 2, fixed, "collector of run " + fixed.Run()},
		{"Next", 1, fixed, "collector of run " + fixed.Run()},
		{"Next", 5, fixed, "collector of run " + fixed.Run()},
		{"End", 1, open, "collector of run " + open.Run()},
		{"CloseInbox", 1, fixed, "collector of run " + fixed.Run()},
		{"Forget", 1, fixed, ""},
		{"Close", 1, fixed, ""},
	} {
		t.Run(fmt.Sprintf("%s %d", c.call, c.n), func(t *testing.T) {
			q := newMemoryQueue()
			fault := nth(c.call, c.n)
			q.fault = func(call, run string) error {
				if call == "NextJob" && c.call == "End" {
					time.Sleep(20 * time.Millisecond) // the collector looks before the run has ended
				}
				return fault(call, run)
			}
			f := memoryFarm(t, q, c.s)
			if c.s.Episodes == 0 {
				f.Episodes = 40
			}
			_, err := f.play(t.Context())
			if !errors.Is(err, errFault) || !strings.Contains(err.Error(), c.role) {
				t.Fatalf("the farm ends with %v, want the fault of %q", err, c.role)
			}
			if q.open != 0 {
				t.Errorf("%d inboxes are open", q.open)
			}
			q.fault = nil
			q.lose()
			if report, err := f.play(t.Context()); err != nil || !report.Complete {
				t.Fatalf("the second call ends with %+v, %v", report, err)
			}
			wantDataSet(t, f.Dir, c.s, 40)
		})
	}
}

func TestACollectorThatFailsEndsTheOtherRunsToo(t *testing.T) {
	short, endless := settings(t, "ntxuva/4", "random", 40, 4), settings(t, "ntxuva/4", "greedy", 0, 4)
	q := newMemoryQueue()
	fault := nth("PutProgress", 2)
	q.fault = func(call, run string) error {
		if run == short.Run() {
			return fault(call, run)
		}
		return nil
	}
	f := memoryFarm(t, q, short)
	farm := workers.New(f.Config)
	reports, err := farm.Play(t.Context(), nil, workers.Run{Dir: f.Dir, Plan: plan(t, short)}, workers.Run{Dir: t.TempDir(), Plan: plan(t, endless)})
	if !errors.Is(err, errFault) || len(reports) != 2 || q.open != 0 {
		t.Errorf("%+v, %v, %d inboxes are open", reports, err, q.open)
	}
	// A worker may have been stopped in a job while another finished later ones.
	if found, err := replay.Verify(t.Context(), reports[1].Dir, 1, nil); err != nil || found.Episodes != reports[1].Episodes {
		t.Errorf("the data set has %d episodes, %v; want %d", found.Episodes, err, reports[1].Episodes)
	}
}

func TestARunThatEndsByTheClockReportsThatItsEndCannotBeStored(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 0, 4)
	q := newMemoryQueue()
	q.fault = nth("PutEnd", 3) // after those that announce the run
	f := memoryFarm(t, q, s)
	f.For = 20 * time.Millisecond
	if _, err := f.play(t.Context()); !errors.Is(err, errFault) || !strings.Contains(err.Error(), "coordinator of run "+s.Run()) {
		t.Errorf("error is %v", err)
	}
}

func TestAWorkerSurvivesAQueueThatDoesNotAcceptTheEndOfAJob(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 4)
	for _, call := range []string{"StoreResult", "Done", "Retry", "StoreDeadLetter"} {
		t.Run(call, func(t *testing.T) {
			q := newMemoryQueue()
			fault := nth(call, 1)
			q.fault = func(call, run string) error {
				err := fault(call, run)
				if err != nil {
					time.AfterFunc(time.Millisecond, q.lose) // the job is delivered again
				}
				return err
			}
			f := memoryFarm(t, q, s)
			var log logbook
			f.Log, f.Workers = log.log(), 1
			meter := &tally{}
			if call == "Retry" || call == "StoreDeadLetter" {
				// The tenth episode fails twice; see TestAPoisonJobBecomesADeadLetter.
				failures := 0
				meter.onEpisode = func(n int) {
					if n == 10 && failures < 2 {
						failures++
						meter.add(&meter.episodes, -2)
						panic("poison")
					}
				}
			}
			if call == "StoreDeadLetter" {
				f.Tuning.MaxDeliveries = 2
			}
			f.Meter = meter
			report, err := f.play(t.Context())
			var dead *workers.DeadJobsError
			if call == "StoreDeadLetter" {
				// The third delivery finds that the job has failed too often.
				if !errors.As(err, &dead) || dead.Jobs.String() != "2" || meter.dead != 1 {
					t.Fatalf("the run ends with %v, %d dead letters are counted", err, meter.dead)
				}
			} else if err != nil || !report.Complete {
				t.Fatalf("the run ends with %+v, %v", report, err)
			}
			if log.count(errFault.Error()) != 1 {
				t.Error("the log does not have the fault")
			}
			if err == nil {
				wantDataSet(t, f.Dir, s, 40)
			}
		})
	}
}

func TestAStoppedFarmReportsItsCauseWhateverTheQueueDoes(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 4000, 4)
	for _, call := range []string{"Withdraw", "Release"} {
		t.Run(call, func(t *testing.T) {
			q := newMemoryQueue()
			q.fault = nth(call, 1)
			f := memoryFarm(t, q, s)
			var log logbook
			f.Log = log.log()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f.Meter = &tally{onEpisode: func(n int) {
				if n == 10 {
					cancel()
				}
			}}
			if _, err := f.play(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, errFault) {
				t.Errorf("the farm ends with %v", err)
			}
			if log.count(errFault.Error()) != 1 {
				t.Error("the log does not have the fault")
			}
		})
	}
}

func TestACollectorThatCannotAskWhetherAllHasArrivedReportsIt(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 4)
	q := newMemoryQueue()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	q.fault = nth("Queued", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := workers.Collect(ctx, workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()})
	if !errors.Is(err, errFault) || q.open != 0 {
		t.Errorf("the collector ends with %v, %d inboxes are open", err, q.open)
	}
}

// store stores the results of jobs that a worker has played elsewhere.
func store(t *testing.T, q *memoryQueue, s dataset.Settings, jobs ...int64) {
	t.Helper()
	if err := q.PutRun(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, job := range jobs {
		if err := q.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: job}); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() {
		done <- workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Name: "w", Tuning: tuning()})
	}()
	waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) == 0 })
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestACollectorThatCannotWriteAcknowledgesNothing(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 4)
	for name, c := range map[string]struct {
		arrive func(*memoryQueue)
		block  string // the folder that is not a folder
	}{
		"a shard":       {func(q *memoryQueue) { store(t, q, s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) }, dataset.EpisodesFolder},
		"a dead letter": {func(q *memoryQueue) { store(t, q, s); bury(t, q, s, 3) }, workers.DeadFolder},
	} {
		t.Run(name, func(t *testing.T) {
			q, dir := newMemoryQueue(), t.TempDir()
			c.arrive(q)
			ctx, cancel := context.WithCancel(t.Context())
			cfg := workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()}
			cfg.Status = func(queue.Progress) { // the data set has been opened
				if err := os.RemoveAll(filepath.Join(dir, c.block)); err != nil {
					t.Error(err)
				}
				if err := os.WriteFile(filepath.Join(dir, c.block), nil, 0o666); err != nil {
					t.Error(err)
				}
			}
			before := queued(t, q, s.Run()).Messages
			if _, err := workers.Collect(ctx, cfg); err == nil || errors.Is(err, context.Canceled) || q.open != 0 {
				t.Errorf("the collector ends with %v, %d inboxes are open", err, q.open)
			}
			cancel()
			if left := queued(t, q, s.Run()).Messages; left != before {
				t.Errorf("%d of %d results are left", left, before)
			}
			if name == "a shard" { // and the next collector, with the folder as it was, writes it
				cfg.Status = nil
				if err := errors.Join(os.Remove(filepath.Join(dir, c.block)), os.Mkdir(filepath.Join(dir, c.block), 0o777)); err != nil {
					t.Fatal(err)
				}
				if _, err := workers.Collect(t.Context(), cfg); err != nil {
					t.Fatal(err)
				}
				wantDataSet(t, dir, s, 40)
			}
		})
	}
}

// bury stores the dead letter of a job.
func bury(t *testing.T, q queue.Worker, s dataset.Settings, job int64) {
	t.Helper()
	first, count := s.Job(job)
	err := q.StoreDeadLetter(t.Context(), &queue.DeadLetter{
		Run: s.Run(), Job: job, First: first, Count: count, Error: "it crashed", Worker: "w", Deliveries: 5,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestALookFillsTheWholeWindow(t *testing.T) {
	fixed, open := settings(t, "ntxuva/4", "random", 4000, 2), settings(t, "ntxuva/4", "random", 0, 2)
	for _, c := range []struct {
		s      dataset.Settings
		window int // of the tuning
		jobs   int // that one look queues
	}{{fixed, 7, 7}, {open, 7, 7}, {fixed, 0, 1024}, {open, 0, 128}} {
		q := newMemoryQueue()
		var enqueued, looks atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		q.fault = func(call, _ string) error {
			switch call {
			case "Enqueue":
				enqueued.Add(1)
			case "Queued":
				if looks.Add(1) == 2 {
					cancel()
				}
			}
			return nil
		}
		tuning := tuning()
		tuning.Window = c.window
		if err := workers.Coordinate(ctx, workers.CoordinatorConfig{Queue: q, Plan: plan(t, c.s), Tuning: tuning}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if n := enqueued.Load(); n != int64(c.jobs) {
			t.Errorf("window %d of a run of %d episodes: the first look queues %d jobs, want %d", c.window, c.s.Episodes, n, c.jobs)
		}
	}
}

func TestARunThatEndsByTheClockHasOneAndAHalfJobsPerWorker(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 0, 2)
	for workers, want := range map[int]int{1: 2, 4: 7} {
		q := newMemoryQueue()
		f := memoryFarm(t, q, s)
		f.Workers, f.For = workers, time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		block := make(chan struct{})
		q.fault = func(call, _ string) error {
			if call == "StoreResult" {
				<-block
			}
			return nil
		}
		done := make(chan error, 1)
		go func() {
			_, err := f.play(ctx)
			done <- err
		}()
		waitFor(t, func() bool { return len(queued(t, q, s.Run()).Jobs) >= want })
		time.Sleep(50 * time.Millisecond) // several looks
		if n := len(queued(t, q, s.Run()).Jobs); n != want {
			t.Errorf("%d workers: %d jobs are queued or being played, want %d", workers, n, want)
		}
		cancel()
		close(block)
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestShardsHoldWhatTheTuningSays(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 400, 4)
	q := newMemoryQueue()
	var all []int64
	for job := range s.Jobs() {
		all = append(all, job)
	}
	store(t, q, s, all...)
	bytes := map[int64]int64{}
	plies := map[int64]int64{}
	for _, result := range q.runs[s.Run()].results {
		bytes[result.Part.Job] += int64(len(result.Part.Data))
		if result.Part.Total != nil {
			plies[result.Part.Job] = result.Part.Total.Plies
		}
	}
	for name, c := range map[string]struct {
		size  map[int64]int64
		limit func(*workers.Tuning) *int64
	}{
		"bytes": {bytes, func(t *workers.Tuning) *int64 { return &t.ShardBytes }},
		"plies": {plies, func(t *workers.Tuning) *int64 { return &t.ShardPlies }},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()}
			total, most := int64(0), int64(0)
			for _, n := range c.size {
				total, most = total+n, max(most, n)
			}
			limit := total / 7
			*c.limit(&cfg.Tuning) = limit
			for _, result := range q.runs[s.Run()].results {
				result.acked = false
			}
			if _, err := workers.Collect(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			m, err := dataset.Load(cfg.Dir)
			if err != nil {
				t.Fatal(err)
			}
			for i, shard := range m.Shards {
				n := int64(0)
				for job := range shard.Jobs.All() {
					n += c.size[job]
				}
				if n >= limit+most || n < limit && i < len(m.Shards)-1 {
					t.Errorf("shard %d of %d holds %d %s, want %d and less than a job more", i, len(m.Shards), n, name, limit)
				}
			}
			wantDataSet(t, cfg.Dir, s, 400)
		})
	}
}

func TestACollectorWithoutTuningWritesOneShard(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 4)
	q, dir := newMemoryQueue(), t.TempDir()
	store(t, q, s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	report, err := workers.Collect(t.Context(), workers.CollectorConfig{
		Queue: q, Dir: dir, Run: s.Run(), Tuning: workers.Tuning{Settle: time.Millisecond}, // no coordinator retires the run
	})
	if err != nil || report.Shards != 1 || !report.Complete {
		t.Errorf("%+v, %v", report, err)
	}
	wantDataSet(t, dir, s, 40)
}

func TestAShardIsWrittenSomeTimeAfterTheFirstWholeJob(t *testing.T) {
	s := settings(t, "ntxuva/4", "random", 40, 4)
	q := newMemoryQueue()
	store(t, q, s, 0, 1, 2)
	cfg := workers.CollectorConfig{Queue: q, Dir: t.TempDir(), Run: s.Run(), Tuning: tuning()}
	cfg.Tuning.ShardAfter = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	begun := time.Now()
	var arrived, written time.Duration
	cfg.Status = func(p queue.Progress) {
		if p.Arrived.Jobs == 3 && arrived == 0 {
			arrived = time.Since(begun)
			if p.Arrived.Episodes != 12 || p.Arrived.Plies == 0 {
				t.Errorf("arrived are %+v", p.Arrived)
			}
		}
		if p.Episodes == 12 {
			written = time.Since(begun)
			if p.Arrived != (queue.Arrived{}) {
				t.Errorf("arrived are %+v when all is written", p.Arrived)
			}
			cancel()
		}
	}
	if _, err := workers.Collect(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if arrived == 0 || written < 100*time.Millisecond {
		t.Errorf("the jobs arrived after %v and were written after %v", arrived, written)
	}
}
