package natsq_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

func TestAServerThatIsNotThere(t *testing.T) {
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: "nats://user:secret@127.0.0.1:1"})
	wantError(t, err, "no NATS server at nats://user:hidden@127.0.0.1:1", "connection refused")
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("error %q tells the password", err)
	}
}

func TestCredentialsThatTheServerRefuses(t *testing.T) {
	url := start(t, natsq.ServerOptions{Token: "right"}).URL()
	connect(t, natsq.Options{URL: url, Token: "right"})
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: url, Token: "wrong"})
	wantError(t, err, "rejects the credentials", url)
	_, err = natsq.Connect(t.Context(), natsq.Options{URL: url})
	wantError(t, err, "rejects the credentials")
}

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
	} {
		_, err := natsq.Connect(t.Context(), c.options)
		wantError(t, err, c.want)
	}
}

// plain starts a server with other options than a farm's.
func plain(t *testing.T, o *server.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog, o.StoreDir = "127.0.0.1", server.RANDOM_PORT, true, true, t.TempDir()
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

func TestAServerWithoutJetStream(t *testing.T) {
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: plain(t, &server.Options{})})
	wantError(t, err, "JetStream", "not enabled", "start it with -js")
}

func TestAServerThatTakesOnlySmallMessages(t *testing.T) {
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: plain(t, &server.Options{JetStream: true, MaxPayload: 1000})})
	wantError(t, err, "1000 bytes", "max_payload")
}

func TestAServerWithoutRoom(t *testing.T) {
	url := plain(t, &server.Options{JetStream: true, JetStreamMaxStore: 1 << 20})
	_, err := natsq.Connect(t.Context(), natsq.Options{URL: url})
	wantError(t, err, "stream JOBS", "MiB", "insufficient storage")
}

func TestAForeignStreamIsRefused(t *testing.T) {
	url := plain(t, &server.Options{JetStream: true})
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "JOBS", Subjects: []string{"other"}}); err != nil {
		t.Fatal(err)
	}
	_, err = natsq.Connect(t.Context(), natsq.Options{URL: url})
	wantError(t, err, "stream JOBS", "subjects is [other], must be [sandtable.jobs.*.*] for a farm")
}

func TestAForeignMessageIsRemoved(t *testing.T) {
	url := start(t, natsq.ServerOptions{}).URL()
	q := connect(t, natsq.Options{URL: url})
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s := settings(1)
	for _, subject := range []string{"sandtable.jobs." + s.Run() + ".first", "sandtable.episodes." + s.Run() + ".5"} {
		if _, err := conn.Request(subject, []byte("hello"), soon); err != nil {
			t.Fatal(err)
		}
	}
	enqueue(t, q, s, 1)
	if _, job := next(t, q); job.Number != 1 {
		t.Errorf("job %d", job.Number)
	}
	inbox, err := q.Collect(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer inbox.Close()
	letter := workers.DeadLetter{Run: s.Run(), Job: 1}
	if err := q.StoreDeadLetter(t.Context(), &letter); err != nil {
		t.Fatal(err)
	}
	if arrival, err := inbox.Next(within(t, soon)); err != nil || arrival.Dead == nil || *arrival.Dead != letter {
		t.Errorf("arrived is %+v, %v", arrival, err)
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

func TestTheStoreOfAnEmbeddedServerOutlivesItUnlessTheRunIsPurged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nats")
	open := natsq.Embedded(natsq.ServerOptions{Dir: dir}, natsq.Options{})
	s := settings(1)
	for round := range 3 {
		q, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Enqueue(t.Context(), workers.NewJob(s, 0)); err != nil {
			t.Fatal(err)
		}
		held, err := q.NextJob(within(t, soon)) // what the last round held is there at once
		if err != nil {
			t.Fatal(err)
		}
		if held.Deliveries() != 1 {
			t.Errorf("round %d: delivery %d, want 1", round, held.Deliveries())
		}
		if round == 2 {
			if err := q.Purge(t.Context(), s.Run()); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store is still there: %v", err)
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
	if err := errors.Join(first.PutRun(t.Context(), s), first.Enqueue(t.Context(), workers.NewJob(s, 3))); err != nil {
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
	if err := errors.Join(second.Purge(t.Context(), s.Run()), second.Close()); err != nil {
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
