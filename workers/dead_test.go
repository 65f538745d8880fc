package workers_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestAPoisonJobBecomesADeadLetterAndIsRequeued(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 30, 3)
	cfg := newFarm(t.TempDir(), s)
	cfg.Workers = 1
	cfg.Tuning.MaxDeliveries = 3
	// One worker plays the jobs in order, so the tenth episode is in job 3; the
	// counter stands at 9 whenever that job begins.
	meter := &tally{}
	meter.onEpisode = func(n int) {
		if n == 10 {
			meter.add(&meter.episodes, -1)
			panic("poison")
		}
	}
	cfg.Meter = meter
	report, err := cfg.play(context.Background())
	var dead *workers.DeadJobsError
	if !errors.As(err, &dead) || dead.Jobs.Len() == 0 || report.Complete {
		t.Fatalf("the run ends with %+v, %v", report, err)
	}
	if want := workers.DeadLetterPath(cfg.Dir, dead.Jobs.Max()); !strings.Contains(err.Error(), want) {
		t.Errorf("error %q does not name %s", err, want)
	}
	data, err := os.ReadFile(workers.DeadLetterPath(cfg.Dir, 3))
	if err != nil {
		t.Fatal(err)
	}
	var letter queue.DeadLetter
	if err := json.Unmarshal(data, &letter); err != nil {
		t.Fatal(err)
	}
	if letter.Job != 3 || letter.First != 9 || letter.Count != 3 || letter.Deliveries != 3 ||
		letter.Worker == "" || !strings.Contains(letter.Error, "panic in job 3") || !strings.Contains(letter.Error, "poison") {
		t.Errorf("dead letter is %+v", letter)
	}

	// Until it is requeued, the job stays dead.
	cfg.Meter = nil
	if _, err := cfg.play(context.Background()); !errors.As(err, &dead) {
		t.Errorf("the run ends with %v", err)
	}
	letters, err := workers.Requeue(cfg.Dir)
	if err != nil || int64(len(letters)) != dead.Jobs.Len() {
		t.Errorf("requeued %+v, %v", letters, err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Dir, workers.DeadFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the dead letters is still there: %v", err)
	}
	report, err = cfg.play(context.Background())
	if err != nil || !report.Complete {
		t.Errorf("after requeueing: %+v, %v", report, err)
	}
	wantDataSet(t, cfg.Dir, s, 30)
}

func TestAJobThatFailsOnceIsTriedAgain(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 30, 3)
	cfg := newFarm(t.TempDir(), s)
	meter := &tally{}
	meter.onEpisode = func(n int) {
		if n == 10 {
			panic("a passing fault")
		}
	}
	cfg.Meter = meter
	if _, err := cfg.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	if meter.redelivered != 1 || meter.dead != 0 || meter.ends[workers.JobFailed] != 1 {
		t.Errorf("counted %+v", meter)
	}
	wantDataSet(t, cfg.Dir, s, 30)
}

func TestAJobThatKillsItsWorkersBecomesADeadLetter(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 3, 3)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	o := natsq.Options{AckWait: 200 * time.Millisecond}
	tuned := tuning()
	tuned.MaxDeliveries = 2
	dir, done := t.TempDir(), make(chan error, 1)
	go func() { done <- roles(t, url, o, dir, s) }()
	for range tuned.MaxDeliveries {
		q := connect(t, url, o)
		for held := queue.HeldJob(nil); held == nil; {
			var err error
			if held, err = q.NextJob(t.Context(), []string{s.Run()}); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Close(); err != nil { // as when the process dies
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	worked := make(chan error, 1)
	meter, q := &tally{}, connect(t, url, o)
	go func() {
		worked <- workers.Work(ctx, workers.WorkerConfig{Queue: q, Workers: 1, Meter: meter, Tuning: tuned})
	}()
	var dead *workers.DeadJobsError
	if err := <-done; !errors.As(err, &dead) {
		t.Fatalf("the run ends with %v", err)
	}
	cancel()
	if err := <-worked; err != nil {
		t.Error(err)
	}
	letters, err := workers.DeadLetters(dir)
	if err != nil || len(letters) != 1 || letters[0].Deliveries != 3 || !strings.Contains(letters[0].Error, "died") {
		t.Errorf("dead letters are %+v, %v", letters, err)
	}
	if meter.episodes != 0 {
		t.Error("the job was played once more")
	}
}

func TestAResultThatCannotBeReadIsNoResult(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 6, 3)
	junk, empty := []byte("this is no episode"), crc(nil)
	for _, trust := range []bool{false, true} {
		q := newMemoryQueue()
		if err := q.PutRun(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		for _, part := range []queue.Part{
			{Run: s.Run(), Job: 0, Data: junk, Worker: "liar", Total: &queue.Total{Episodes: 3, Sum: crc(junk)}},
			{Run: s.Run(), Job: 1, Data: junk, Worker: "mixed", Total: &queue.Total{Episodes: 3, Sum: empty}},
			{Run: s.Run(), Job: 2, Data: junk, Worker: "stranger", Total: &queue.Total{Episodes: 3, Sum: empty}},
		} {
			if err := q.StoreResult(t.Context(), []queue.Part{part}); err != nil {
				t.Fatal(err)
			}
		}
		var log logbook
		f := memoryFarm(t, q, s)
		f.Trust, f.Log = trust, log.log()
		if _, err := f.play(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantDataSet(t, f.Dir, s, 6)
		if len(q.quarantined) != 1 || !strings.Contains(q.quarantined["liar"], "episode 0 of its result cannot be read") {
			t.Errorf("quarantined are %v", q.quarantined)
		}
		if log.count(`the parts of the result of worker \"mixed\" do not match`) != 1 || log.count("belongs to no job") != 1 {
			t.Errorf("the log is\n%s", &log.text)
		}
	}
}

func TestRequeueOfWhatIsNoDataSet(t *testing.T) {
	if _, err := workers.Requeue(t.TempDir()); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("error is %v", err)
	}
}
