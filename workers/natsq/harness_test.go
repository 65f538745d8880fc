package natsq_test

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// TestMain runs more tests at a time than there are cores, since they mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

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

// plain starts a server with other options than a farm's.
func plain(t *testing.T, o *server.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(soon) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
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

// pair returns two queues with their own connections to a new server. The test runs in
// parallel with others.
func pair(t *testing.T, o natsq.Options) (url string, a, b *natsq.Queue) {
	t.Helper()
	t.Parallel()
	o.URL = start(t, natsq.ServerOptions{}).URL()
	return o.URL, connect(t, o), connect(t, o)
}

// admin returns a client of JetStream that does not belong to a farm.
func admin(t *testing.T, url string, o ...nats.Option) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	conn, err := nats.Connect(url, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return conn, js
}

func settings(seed uint64) *dataset.Settings {
	return &dataset.Settings{Variant: "toy", Rules: []byte(`{"toy":1}`), Seed: seed, Episodes: 1000, JobEpisodes: 10}
}

// within is a context for what must not happen, or must happen at once.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

const soon = time.Minute

// put stores runs and returns their ids.
func put(t *testing.T, q *natsq.Queue, all ...*dataset.Settings) (runs []string) {
	t.Helper()
	for _, s := range all {
		if err := q.PutRun(within(t, soon), s); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, s.Run())
	}
	return runs
}

func enqueue(t *testing.T, q *natsq.Queue, run string, jobs ...int64) {
	t.Helper()
	for _, job := range jobs {
		if err := q.Enqueue(within(t, soon), &queue.Job{Run: run, Number: job}); err != nil {
			t.Fatal(err)
		}
	}
}

// next returns the next job of some runs, for which it waits.
func next(t *testing.T, q *natsq.Queue, runs ...string) queue.HeldJob {
	t.Helper()
	for ctx := within(t, soon); ; {
		held, err := q.NextJob(ctx, runs)
		if err != nil {
			t.Fatal(err)
		}
		if held != nil {
			return held
		}
	}
}

// noJob checks that there is no job of some runs.
func noJob(t *testing.T, q *natsq.Queue, runs ...string) {
	t.Helper()
	held, err := q.NextJob(within(t, soon), runs)
	if err != nil {
		t.Fatal(err)
	}
	if held != nil {
		t.Fatalf("job %+v is delivered", held.Job())
	}
}

func done(t *testing.T, held queue.HeldJob) {
	t.Helper()
	if err := held.Done(within(t, soon)); err != nil {
		t.Fatal(err)
	}
}

func collect(t *testing.T, q *natsq.Queue, run string, share queue.Share) queue.Inbox {
	t.Helper()
	inbox, err := q.Collect(within(t, soon), run, share)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inbox.Close() })
	return inbox
}

func arrival(t *testing.T, inbox queue.Inbox) queue.Arrival {
	t.Helper()
	arrival, err := inbox.Next(within(t, soon))
	if err != nil {
		t.Fatal(err)
	}
	return arrival
}

// result is the result of a job in parts of the given sizes.
func result(run string, job int64, sizes ...int) []queue.Part {
	parts := make([]queue.Part, len(sizes))
	for i, size := range sizes {
		parts[i] = queue.Part{Run: run, Job: job, Index: i, Data: bytes.Repeat([]byte{byte(job), byte(i)}, (size+1)/2)[:size], Worker: "w"}
	}
	parts[len(parts)-1].Total = &queue.Total{Episodes: 10, Plies: 100, Sum: 7}
	return parts
}

func store(t *testing.T, q *natsq.Queue, parts []queue.Part) {
	t.Helper()
	if err := q.StoreResult(within(t, soon), parts); err != nil {
		t.Fatal(err)
	}
}

func queued(t *testing.T, q *natsq.Queue, run string) queue.Queued {
	t.Helper()
	queued, err := q.Queued(within(t, soon), run)
	if err != nil {
		t.Fatal(err)
	}
	return queued
}

// eventually waits until something is the case.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for ctx := within(t, soon); !is(); time.Sleep(20 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("not %s within %v", what, soon)
		}
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

// record is a log that several goroutines write.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) has(words string) bool { return r.count(words) > 0 }

func (r *record) count(words string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.text.String(), words)
}

func (r *record) logger() *slog.Logger { return slog.New(slog.NewTextHandler(r, nil)) }

// health keeps what Options.Ready and Options.Backoff report.
type health struct {
	mu     sync.Mutex
	reason error
	causes map[string]int
}

func (h *health) options(o natsq.Options) natsq.Options {
	h.causes = map[string]int{}
	o.Ready = func(reason error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.reason = reason
	}
	o.Backoff = func(cause string, _ time.Duration) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.causes[cause]++
	}
	return o
}

func (h *health) ready() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reason == nil
}

// says reports whether the queue is not ready for a reason with the given words.
func (h *health) says(words string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reason != nil && strings.Contains(h.reason.Error(), words)
}

func (h *health) backoffs(cause string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.causes[cause]
}
