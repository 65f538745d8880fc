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
)

// quickRetry is an embedded server on which failed jobs come again at once.
func quickRetry(dir string) func(context.Context) (workers.Queue, error) {
	return natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, "nats")},
		natsq.Options{RetryDelay: time.Millisecond})
}

func TestAPoisonJobBecomesADeadLetterAndIsRequeued(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 30, 3)
	cfg := newFarm(t.TempDir(), s)
	cfg.Open = quickRetry(cfg.Dir)
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
	var letter workers.DeadLetter
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
	cfg.Open = quickRetry(cfg.Dir)
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
	go func() { done <- roles(t, url, dir, s) }()
	for range tuned.MaxDeliveries {
		q := connect(t, url, o)
		if _, err := q.NextJob(context.Background()); err != nil {
			t.Fatal(err)
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

func TestAWorkerRefusesRulesThatItCannotRebuild(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 4, 2)
	s.Digest = "sha256:" + strings.Repeat("0", 64)
	url := server(t, t.TempDir(), "127.0.0.1:0").URL()
	q := connect(t, url, natsq.Options{RetryDelay: time.Millisecond})
	if err := q.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	for job := range s.Jobs() {
		if err := q.Enqueue(context.Background(), workers.NewJob(&s, job)); err != nil {
			t.Fatal(err)
		}
	}
	meter := &tally{}
	defer startWorkers(t, url, 1, meter, natsq.Options{RetryDelay: time.Millisecond})()
	dir := t.TempDir()
	_, err := workers.Collect(context.Background(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()})
	var dead *workers.DeadJobsError
	if !errors.As(err, &dead) || dead.Jobs.Len() != 2 {
		t.Fatalf("the run ends with %v", err)
	}
	letters, err := workers.DeadLetters(dir)
	if err != nil || len(letters) != 2 || letters[0].Deliveries != 5 || !strings.Contains(letters[0].Error, s.Digest) {
		t.Errorf("dead letters are %+v, %v", letters, err)
	}
	if meter.get(&meter.episodes) != 0 {
		t.Error("something was played")
	}
}

func TestAResultThatCannotBeReadBecomesADeadLetter(t *testing.T) {
	s := settings(t, "ntxuva/basic", "random", 6, 3)
	q := connect(t, server(t, t.TempDir(), "127.0.0.1:0").URL(), natsq.Options{})
	if err := q.PutRun(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	junk, empty := []byte("this is no episode"), crc(nil)
	for _, part := range []workers.Part{
		{Run: s.Run(), Job: 0, Data: junk, Worker: "liar", Total: &workers.Total{Episodes: 3, Sum: crc(junk)}},
		{Run: s.Run(), Job: 1, Data: junk, Worker: "mixed", Total: &workers.Total{Episodes: 3, Sum: empty}},
		{Run: s.Run(), Job: 2, Data: junk, Worker: "stranger", Total: &workers.Total{Episodes: 3, Sum: empty}},
	} {
		if err := q.StoreParts(context.Background(), []workers.Part{part}); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	report, err := workers.Collect(context.Background(), workers.CollectorConfig{Queue: q, Dir: dir, Run: s.Run(), Tuning: tuning()})
	var dead *workers.DeadJobsError
	if !errors.As(err, &dead) || dead.Jobs.String() != "0-1" || report.Episodes != 0 {
		t.Fatalf("the run ends with %+v, %v", report, err)
	}
	letters, err := workers.DeadLetters(dir)
	if err != nil || len(letters) != 2 {
		t.Fatalf("dead letters are %+v, %v", letters, err)
	}
	if letters[0].Worker != "liar" || !strings.Contains(letters[0].Error, "episode 0 of its result cannot be read") {
		t.Errorf("dead letter is %+v", letters[0])
	}
	if letters[1].Worker != "mixed" || !strings.Contains(letters[1].Error, "do not match") {
		t.Errorf("dead letter is %+v", letters[1])
	}
}

func TestRequeueOfWhatIsNoDataSet(t *testing.T) {
	if _, err := workers.Requeue(t.TempDir()); !errors.Is(err, dataset.ErrNoDataSet) {
		t.Errorf("error is %v", err)
	}
}
