package natsq_test

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/natsq"
)

func TestARunThatIsForgottenMayComeAgain(t *testing.T) {
	url := start(t, natsq.ServerOptions{}).URL()
	q := connect(t, natsq.Options{URL: url})
	results := resultsStream(t, url)
	s := settings(1)
	run := s.Run()
	for range 2 {
		inbox, err := q.Collect(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if err := inbox.Close(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(q.PutRun(t.Context(), s), q.PutProgress(t.Context(), &workers.Progress{Run: run, Plies: 3}), q.PutEnd(t.Context(), run, 5)); err != nil {
			t.Fatal(err)
		}
		if p, err := q.Progress(t.Context(), run); err != nil || p.Plies != 3 {
			t.Errorf("progress is %+v, %v", p, err)
		}
		if err := errors.Join(q.Forget(t.Context(), run), q.Forget(t.Context(), settings(2).Run())); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Settings(t.Context(), run); !errors.Is(err, workers.ErrNoRun) {
			t.Errorf("error is %v", err)
		}
		p, err1 := q.Progress(t.Context(), run)
		end, err2 := q.End(t.Context(), run)
		if err1 != nil || err2 != nil || p.Run != "" || end != -1 {
			t.Errorf("there are still %+v and end %d, %v, %v", p, end, err1, err2)
		}
		if info, err := results.Info(t.Context()); err != nil || info.State.Consumers != 0 {
			t.Errorf("there are still %d consumers, %v", info.State.Consumers, err)
		}
	}
}

// resultsStream is the stream of results of a server.
func resultsStream(t *testing.T, url string) jetstream.Stream {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "EPISODES")
	if err != nil {
		t.Fatal(err)
	}
	return stream
}
