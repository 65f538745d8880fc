package natsq_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

func start(t *testing.T, o natsq.ServerOptions) *natsq.Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	s, err := natsq.StartServer(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, o natsq.Options) *natsq.Queue {
	t.Helper()
	q, err := natsq.Connect(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

func settings(seed uint64) *dataset.Settings {
	return &dataset.Settings{Variant: "toy", Rules: []byte(`{"toy":1}`), Seed: seed, Episodes: 100, JobEpisodes: 10}
}

// within is a context for what must not happen, or must happen at once.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

const (
	never = 300 * time.Millisecond
	soon  = time.Minute
)

func enqueue(t *testing.T, q *natsq.Queue, s *dataset.Settings, jobs ...int64) {
	t.Helper()
	for _, job := range jobs {
		if err := q.Enqueue(t.Context(), workers.NewJob(s, job)); err != nil {
			t.Fatal(err)
		}
	}
}

func next(t *testing.T, q *natsq.Queue) (workers.HeldJob, *workers.Job) {
	t.Helper()
	held, err := q.NextJob(within(t, soon))
	if err != nil {
		t.Fatal(err)
	}
	job, err := held.Job()
	if err != nil {
		t.Fatal(err)
	}
	return held, job
}

func noJob(t *testing.T, q *natsq.Queue) {
	t.Helper()
	if held, err := q.NextJob(within(t, never)); err == nil {
		job, _ := held.Job()
		t.Fatalf("job %d is given out", job.Number)
	}
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", err, word)
		}
	}
}

func TestAJobIsQueuedOnceAndPlayedAsItWasQueued(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	enqueue(t, q, s, 4, 4)
	held, job := next(t, q)
	if err := job.Validate(); err != nil {
		t.Error(err)
	}
	if job.Run != s.Run() || job.Number != 4 || job.First != 40 || job.Count != 10 || held.Deliveries() != 1 {
		t.Errorf("job is %+v, delivery %d", job, held.Deliveries())
	}
	enqueue(t, q, s, 4) // while it is being played
	noJob(t, q)
	if err := held.Done(t.Context()); err != nil {
		t.Fatal(err)
	}
	noJob(t, q)
	enqueue(t, q, s, 4) // again, on purpose
	next(t, q)
}

func TestAServerThatShutsDownIsWaitedFor(t *testing.T) {
	for range 5 {
		server := start(t, natsq.ServerOptions{})
		q := connect(t, natsq.Options{URL: server.URL()})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := q.NextJob(ctx)
			ended <- err
		}()
		time.Sleep(50 * time.Millisecond) // a request for a job is on the server
		server.Close()
		select {
		case err := <-ended:
			t.Errorf("asking for a job ends with %v", err)
		case <-time.After(100 * time.Millisecond):
			stop()
			<-ended
		}
		stop()
	}
}

func TestAJobThatFailedComesAgainAfterAPause(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL(), RetryDelay: time.Millisecond})
	enqueue(t, q, settings(1), 0)
	held, _ := next(t, q)
	if err := held.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	if held, _ = next(t, q); held.Deliveries() != 2 {
		t.Errorf("delivery %d, want 2", held.Deliveries())
	}
}

func TestGivingAJobBackIsNotCounted(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL(), RetryDelay: time.Millisecond})
	enqueue(t, q, settings(1), 0)
	held, _ := next(t, q)
	if err := held.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		held, _ := next(t, q)
		if held.Deliveries() != 2 {
			t.Errorf("delivery %d, want 2", held.Deliveries())
		}
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAJobThatIsHeldIsNotGivenToAnother(t *testing.T) {
	o := natsq.Options{URL: start(t, natsq.ServerOptions{}).URL(), AckWait: 500 * time.Millisecond}
	worker, other := connect(t, o), connect(t, o)
	enqueue(t, worker, settings(1), 0)
	held, _ := next(t, worker)
	for range 4 { // for more than two ack waits
		noJob(t, other)
	}
	if err := worker.Close(); err != nil {
		t.Fatal(err)
	}
	if again, _ := next(t, other); again.Deliveries() != 2 {
		t.Errorf("delivery %d of a dead worker's job, want 2", again.Deliveries())
	}
	if err := held.Done(t.Context()); err == nil {
		t.Error("a queue that is closed acknowledges")
	}
}

func TestAJobThatWasWithdrawnCanStillBeDone(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	enqueue(t, q, s, 0)
	held, _ := next(t, q)
	if err := q.Withdraw(t.Context(), s.Run()); err != nil {
		t.Fatal(err)
	}
	if err := held.Done(within(t, soon)); err != nil {
		t.Error(err)
	}
}

func TestNoJobsAreGivenOutWhileResultsPileUp(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL(), ResultBytes: 1000})
	s := settings(1)
	enqueue(t, q, s, 0, 1, 2)
	held, _ := next(t, q)
	if err := q.StoreParts(t.Context(), []workers.Part{{Run: s.Run(), Data: make([]byte, 2000), Total: &workers.Total{}}}); err != nil {
		t.Fatal(err)
	}
	if err := held.Done(t.Context()); err != nil {
		t.Fatal(err)
	}
	noJob(t, q)
	inbox, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	arrival, err := inbox.Next(within(t, soon))
	if err != nil {
		t.Fatal(err)
	}
	noJob(t, q)
	arrival.Ack()
	next(t, q)
}

func TestAResultArrivesAsItWasStored(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	data := make([]byte, 3*workers.PartBytes)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	total := workers.Total{Episodes: 10, Plies: 1000, Sum: 77}
	parts := make([]workers.Part, 3)
	for i := range parts {
		parts[i] = workers.Part{Run: s.Run(), Job: 7, Index: i, Data: data[i*workers.PartBytes:][:workers.PartBytes], Worker: "somebody"}
	}
	parts[2].Total = &total
	for range 2 { // the second time they are known by their ids
		if err := q.StoreParts(t.Context(), parts); err != nil {
			t.Fatal(err)
		}
	}
	queued, err := q.Queued(t.Context(), s.Run())
	if err != nil || queued.Messages != 3 || !queued.Results[7] || len(queued.Jobs) != 0 {
		t.Errorf("queued are %+v, %v", queued, err)
	}
	inbox, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	got := map[int]*workers.Part{}
	for range parts {
		arrival, err := inbox.Next(within(t, soon))
		if err != nil {
			t.Fatal(err)
		}
		got[arrival.Part.Index] = arrival.Part
	}
	for i := range parts {
		want := &parts[i]
		if p := got[i]; p == nil || p.Run != want.Run || p.Job != 7 || p.Worker != "somebody" || string(p.Data) != string(want.Data) ||
			(p.Total == nil) != (want.Total == nil) || p.Total != nil && *p.Total != total {
			t.Errorf("part %d did not arrive as it was stored", i)
		}
	}
}

func TestADeadLetterArrivesEveryTime(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	letter := workers.DeadLetter{Run: s.Run(), Job: 3, First: 30, Count: 10, Error: "it hurts", Worker: "w", Deliveries: 5}
	inbox, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	for range 2 {
		if err := q.StoreDeadLetter(t.Context(), &letter); err != nil {
			t.Fatal(err)
		}
		arrival, err := inbox.Next(within(t, soon))
		if err != nil || arrival.Dead == nil || *arrival.Dead != letter {
			t.Fatalf("arrived is %+v, %v", arrival, err)
		}
		arrival.Ack()
	}
}

func TestOneRunHasOneSetOfSettings(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	for range 2 {
		if err := q.PutRun(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	got, err := q.Settings(t.Context(), s.Run())
	if err != nil || got.Differs(s) != nil {
		t.Errorf("settings are %+v, %v", got, err)
	}
	if _, err := q.Settings(t.Context(), settings(2).Run()); !errors.Is(err, workers.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
}

func TestProgressAndEndAreWhatWasPublishedLast(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	run := settings(1).Run()
	if p, err := q.Progress(t.Context(), run); err != nil || p.Run != "" {
		t.Errorf("progress is %+v, %v", p, err)
	}
	if end, err := q.End(t.Context(), run); err != nil || end != -1 {
		t.Errorf("end is %d, %v", end, err)
	}
	jobs, err := dataset.JobsOf(0, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	want := workers.Progress{Run: run, Jobs: jobs, Episodes: 30, Plies: 1 << 60, Arrived: workers.Arrived{Jobs: 2}}
	if err := errors.Join(q.PutProgress(t.Context(), &want), q.PutEnd(t.Context(), run, 6)); err != nil {
		t.Fatal(err)
	}
	if p, err := q.Progress(t.Context(), run); err != nil || fmt.Sprint(p) != fmt.Sprint(want) {
		t.Errorf("progress is %+v, %v", p, err)
	}
	if end, err := q.End(t.Context(), run); err != nil || end != 6 {
		t.Errorf("end is %d, %v", end, err)
	}
}

func TestAnEarlierCollectorGetsNothingMore(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	first, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	letter := workers.DeadLetter{Run: s.Run(), Job: 1}
	if err := q.StoreDeadLetter(t.Context(), &letter); err != nil {
		t.Fatal(err)
	}
	// It has not asked for anything before, so that nobody could tell it.
	_, err = first.Next(within(t, soon))
	wantError(t, err, "another collector has taken over")
	if arrival, err := second.Next(within(t, soon)); err != nil || arrival.Dead == nil || *arrival.Dead != letter {
		t.Errorf("arrived is %+v, %v", arrival, err)
	}
}

func TestAClosedInboxDeliversNothing(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	s := settings(1)
	for job := range int64(2) {
		if err := q.StoreDeadLetter(t.Context(), &workers.DeadLetter{Run: s.Run(), Job: job}); err != nil {
			t.Fatal(err)
		}
	}
	inbox, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inbox.Next(within(t, soon)); err != nil {
		t.Fatal(err)
	}
	if err := inbox.Close(); err != nil {
		t.Fatal(err)
	}
	if arrival, err := inbox.Next(within(t, soon)); !errors.Is(err, jetstream.ErrMsgIteratorClosed) {
		t.Errorf("a closed inbox delivers %+v, %v", arrival, err)
	}
}

// Limits protect the disk, and the ack wait and the window of duplicates are what
// exactly-once data rest on: doc.go.
func TestStreamsAndConsumersHaveTheirLimits(t *testing.T) {
	url := start(t, natsq.ServerOptions{}).URL()
	q := connect(t, natsq.Options{URL: url})
	inbox, err := q.Collect(t.Context(), settings(1).Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]jetstream.StreamConfig{
		"JOBS":     {MaxBytes: 256 << 20, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true, MaxMsgSize: -1, Duplicates: 2 * time.Minute},
		"EPISODES": {MaxBytes: 1 << 30, MaxMsgsPerSubject: -1, MaxMsgSize: 516 << 10, Duplicates: time.Minute},
		"KV_RUNS":  {MaxBytes: 64 << 20},
	} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		got := stream.CachedInfo().Config
		if got.MaxBytes != want.MaxBytes || got.Storage != jetstream.FileStorage {
			t.Errorf("stream %s has at most %d bytes in %v, want %d in a file", name, got.MaxBytes, got.Storage, want.MaxBytes)
		}
		if name == "KV_RUNS" {
			continue
		}
		if got.MaxMsgsPerSubject != want.MaxMsgsPerSubject || got.DiscardNewPerSubject != want.DiscardNewPerSubject || got.MaxMsgSize != want.MaxMsgSize ||
			got.Duplicates != want.Duplicates || got.Retention != jetstream.WorkQueuePolicy || got.Discard != jetstream.DiscardNew {
			t.Errorf("stream %s is %+v", name, got)
		}
		consumers := 0
		for info := range stream.ListConsumers(t.Context()).Info() {
			consumers++
			c := info.Config
			if c.AckPolicy != jetstream.AckExplicitPolicy || c.AckWait != 30*time.Second || c.MaxDeliver != -1 || c.MaxAckPending != -1 {
				t.Errorf("consumer %s is %+v", info.Name, c)
			}
			if name == "JOBS" && c.MaxWaiting != 1<<16 || name == "EPISODES" && (c.InactiveThreshold != 24*time.Hour || c.FilterSubject != "sandtable.episodes."+settings(1).Run()+".*") {
				t.Errorf("consumer %s is %+v", info.Name, c)
			}
		}
		if consumers != 1 {
			t.Errorf("stream %s has %d consumers", name, consumers)
		}
	}
}

func TestAClosedQueueLeavesNoGoroutine(t *testing.T) {
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL()})
	keepers := func() int {
		stacks := make([]byte, 8<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "(*keeper).run(")
	}
	before := keepers()
	if err := errors.Join(q.Close(), q.Close()); err != nil {
		t.Fatal(err)
	}
	if after := keepers(); before < 1 || after != before-1 {
		t.Errorf("%d goroutines report to the server before Close, %d after it", before, after)
	}
}
