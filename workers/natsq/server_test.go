package natsq_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestOptionsThatCannotBe(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		options natsq.Options
		want    string
	}{
		{natsq.Options{}, "URL of the NATS server is empty"},
		{natsq.Options{URL: "localhost:4222"}, "must be nats://HOST:PORT"},
		{natsq.Options{URL: "http://localhost"}, "must be nats://HOST:PORT"},
		{natsq.Options{URL: "nats://localhost", Cert: missing}, "must be given together"},
		{natsq.Options{URL: "nats://localhost", Cert: missing, Key: missing}, "client certificate"},
		{natsq.Options{URL: "nats://localhost", CA: missing}, missing},
		{natsq.Options{URL: "nats://localhost", Creds: missing}, missing},
		{natsq.Options{URL: "nats://localhost", Replicas: 2}, "replicas is 2"},
		{natsq.Options{URL: "nats://localhost", ResultBytes: 1 << 20}, "must be 8388608 or more"},
		{natsq.Options{URL: "nats://localhost", JobBytes: -1}, "JobBytes is -1"},
	} {
		_, err := natsq.Connect(t.Context(), c.options)
		wantError(t, err, c.want)
	}
}

func TestAServerWithoutJetStream(t *testing.T) {
	t.Parallel()
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: plain(t, &server.Options{})})
	wantError(t, err, "JetStream", "not enabled", "start the server with -js")
}

func TestAServerThatTakesOnlySmallMessages(t *testing.T) {
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: plain(t, &server.Options{JetStream: true, MaxPayload: 1000})})
	wantError(t, err, "1000 bytes", "max_payload")
}

func TestAServerWithoutRoomForAnyFarm(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true, JetStreamMaxStore: 4 << 20})
	_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url})
	wantError(t, err, "stream SANDTABLE_", "MiB", "needs more storage", "insufficient storage")
	url = plain(t, &server.Options{JetStream: true, JetStreamMaxStore: 100 << 20})
	_, err = natsq.Connect(within(t, soon), natsq.Options{URL: url, ResultBytes: 200 << 20})
	wantError(t, err, "stream SANDTABLE_RESULTS", "200 MiB", "needs more storage")
}

// The streams are smaller on a small server, and large enough for a farm.
func TestASmallServer(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{48 << 20, 300 << 20} {
		url := plain(t, &server.Options{JetStream: true, JetStreamMaxStore: size})
		q := connect(t, natsq.Options{URL: url})
		run := put(t, q, positions(20_000))[0]
		enqueue(t, q, run, 1)
		held := next(t, q, run)
		store(t, q, result(run, 1, queue.PartBytes, queue.PartBytes))
		done(t, held)
		take(t, collect(t, q, run, queue.Share{}), 2)
		_, js := admin(t, url)
		stream, err := js.Stream(t.Context(), "SANDTABLE_RESULTS")
		if err != nil || stream.CachedInfo().Config.MaxBytes < 8<<20 || stream.CachedInfo().Config.MaxBytes > size {
			t.Errorf("a server of %d bytes has %+v, %v", size, stream.CachedInfo().Config, err)
		}
	}
}

func TestSizesAreOptions(t *testing.T) {
	url, _, _ := pair(t, natsq.Options{JobBytes: 2 << 20, ResultBytes: 20 << 20})
	sizes := func() (jobs, results int64) {
		_, js := admin(t, url)
		a, err1 := js.Stream(t.Context(), "SANDTABLE_JOBS")
		b, err2 := js.Stream(t.Context(), "SANDTABLE_RESULTS")
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		return a.CachedInfo().Config.MaxBytes, b.CachedInfo().Config.MaxBytes
	}
	want := func(jobs, results int64) {
		t.Helper()
		if j, r := sizes(); j != jobs || r != results {
			t.Errorf("sizes are %d and %d, want %d and %d", j, r, jobs, results)
		}
	}
	want(2<<20, 20<<20)
	connect(t, natsq.Options{URL: url, ResultBytes: 30 << 20}) // changes the existing stream
	want(2<<20, 30<<20)
	connect(t, natsq.Options{URL: url}) // leaves them
	want(2<<20, 30<<20)
}

// A full stream is waited for, and named.
func TestAFullStreamIsNamed(t *testing.T) {
	var h health
	_, q, _ := pair(t, h.options(natsq.Options{ResultBytes: 8 << 20}))
	run := put(t, q, settings(1))[0]
	for job := range int64(14) {
		store(t, q, result(run, job, queue.PartBytes))
	}
	stored := make(chan error, 1)
	go func() { stored <- q.StoreResult(t.Context(), result(run, 14, queue.PartBytes, queue.PartBytes, 10)) }()
	eventually(t, "waiting for room", func() bool { return h.says("stream SANDTABLE_RESULTS is full") })
	if h.backoffs("room") == 0 {
		t.Error("no backoff is reported")
	}
	take(t, collect(t, q, run, queue.Share{}), 14)
	if err := <-stored; err != nil {
		t.Error(err)
	}
}

func TestAFullBucketRefusesARun(t *testing.T) {
	url, q, _ := pair(t, natsq.Options{})
	conn, _ := admin(t, url)
	for key := range 200 {
		answer, err := conn.Request(fmt.Sprintf("$KV.SANDTABLE_RUNS.old.settings.%d", key), make([]byte, 512<<10), soon)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(answer.Data), "error") {
			break
		}
	}
	wantError(t, q.PutRun(within(t, soon), positions(20_000)), "KV_SANDTABLE_RUNS is full", "forget runs that are complete")
}

func TestAForeignStreamIsRefused(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true})
	_, js := admin(t, url)
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "SANDTABLE_JOBS", Subjects: []string{"other"}}); err != nil {
		t.Fatal(err)
	}
	_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url})
	wantError(t, err, "stream SANDTABLE_JOBS", "subjects is [other], must be [sandtable.jobs.*.*.*] for a farm")
}

// An older build's streams beside those of this one do not matter.
func TestStreamsOfOlderBuildsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true})
	_, js := admin(t, url)
	for name, subject := range map[string]string{"JOBS": "sandtable.jobs.*.*", "EPISODES": "sandtable.episodes.*.*"} {
		if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{subject}}); err != nil {
			t.Fatal(err)
		}
	}
	q := connect(t, natsq.Options{URL: url})
	run := put(t, q, settings(1))[0]
	enqueue(t, q, run, 1)
	next(t, q, run)
	for _, name := range []string{"JOBS", "EPISODES"} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil || stream.CachedInfo().State.Msgs != 0 {
			t.Errorf("stream %s has %+v, %v", name, stream.CachedInfo().State, err)
		}
	}
}

func TestAPortInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, err = natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: t.TempDir(), Listen: listener.Addr().String()})
	wantError(t, err, "address already in use")
}

func TestAnAddressThatIsNone(t *testing.T) {
	for _, address := range []string{"localhost", "localhost:nats"} {
		_, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: t.TempDir(), Listen: address})
		wantError(t, err, address, "HOST:PORT")
	}
}

func TestAStoreThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: filepath.Join(file, "store")})
	wantError(t, err, file)
}

func TestTheStoreOfAnEmbeddedServerOutlivesItUnlessTheRunIsForgotten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nats")
	open := natsq.Embedded(natsq.ServerOptions{Dir: dir}, natsq.Options{})
	s := settings(1)
	run := s.Run()
	for round := range 3 {
		q, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(q.PutRun(t.Context(), s), q.Enqueue(t.Context(), &queue.Job{Run: run})); err != nil {
			t.Fatal(err)
		}
		held, err := q.NextJob(within(t, soon), []string{run}) // what the last round held comes at once
		if err != nil || held == nil {
			t.Fatalf("round %d: held is %v, %v", round, held, err)
		}
		if held.Deliveries() != 1 {
			t.Errorf("round %d: delivery %d, want 1", round, held.Deliveries())
		}
		if round == 2 {
			if err := q.Forget(t.Context(), run); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store still exists: %v", err)
	}
}

func TestPort0IsAnyFreePort(t *testing.T) {
	a, b := start(t, natsq.ServerOptions{}), start(t, natsq.ServerOptions{})
	if a.URL() == b.URL() || strings.HasSuffix(a.URL(), ":4222") || strings.HasSuffix(b.URL(), ":4222") {
		t.Errorf("two servers on port 0 listen at %s and %s", a.URL(), b.URL())
	}
}

func TestTheStoreOfAnEmbeddedServerIsLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nats")
	open := natsq.Embedded(natsq.ServerOptions{Dir: dir}, natsq.Options{})
	first, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := settings(1)
	if err := errors.Join(first.PutRun(t.Context(), s), first.Enqueue(t.Context(), &queue.Job{Run: s.Run(), Number: 3})); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t.Context()); !errors.Is(err, dataset.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a second server on the store: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	// A server that cannot start leaves the store to the next one.
	broken := natsq.Embedded(natsq.ServerOptions{Dir: dir, Listen: "nowhere"}, natsq.Options{})
	if _, err := broken(t.Context()); err == nil {
		t.Error("a server listens nowhere")
	}
	second, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if queued, err := second.Queued(t.Context(), s.Run()); err != nil || !queued.Jobs[3] {
		t.Errorf("%+v, %v", queued, err)
	}
	if err := errors.Join(second.Forget(t.Context(), s.Run()), second.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAnEmbeddedServerThatCannotStartLeavesNothingBehind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nats")
	open := natsq.Embedded(natsq.ServerOptions{Dir: dir, Listen: "nowhere"}, natsq.Options{})
	if _, err := open(t.Context()); err == nil {
		t.Error("a server listens nowhere")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left behind: %v", err)
	}
}
