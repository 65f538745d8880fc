package natsq

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// What a worker stores after its run was forgotten is removed by whoever lists runs.
func TestLateResultsOfForgottenRunsAreRemoved(t *testing.T) {
	t.Parallel()
	server, err := StartServer(t.Context(), ServerOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	open := func() *Queue {
		q, err := server.Connect(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = q.Close() })
		q.keeping.every, q.keeping.age = 0, 200*time.Millisecond
		return q
	}
	operator, worker := open(), open()
	worker.keeping.denied = true // as that of a user without the right
	kept := &dataset.Settings{Variant: "toy", Rules: []byte(`{}`), Episodes: 100, JobEpisodes: 10}
	if err := operator.PutRun(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	store := func(run string) {
		t.Helper()
		part := queue.Part{Run: run, Job: 3, Total: &queue.Total{Episodes: 10}}
		if err := worker.StoreResult(t.Context(), []queue.Part{part}); err != nil {
			t.Fatal(err)
		}
	}
	store(kept.Run())
	store("forgotten")
	if err := errors.Join(
		worker.PutProgress(t.Context(), &queue.Progress{Run: "forgotten", Share: queue.Share{Index: 1, Of: 2}}),
		worker.Enqueue(t.Context(), &queue.Job{Run: "forgotten", Number: 4}),
		worker.Quarantine(t.Context(), "w", "it lies"),
		worker.conn.Publish("sandtable.results.forgotten", nil),
	); err != nil {
		t.Fatal(err)
	}
	left := func(run string) int {
		info, err := operator.info(t.Context(), resultsStream, resultsPrefix+run)
		if err != nil {
			t.Fatal(err)
		}
		n := len(info.State.Subjects)
		for stream, filter := range map[string]string{
			jobsStream: jobsPrefix + run + ".>", resultsStream: resultsPrefix + run + ".>", bucketStream(runsBucket): keys(runsBucket) + run + ".>",
		} {
			subjects, err := operator.list(t.Context(), stream, filter)
			if err != nil {
				t.Fatal(err)
			}
			n += len(subjects)
		}
		return n
	}
	if _, err := operator.AllRuns(t.Context()); err != nil || left("forgotten") < 3 {
		t.Fatalf("%d messages are left at once, %v", left("forgotten"), err)
	}
	for deadline := time.Now().Add(time.Minute); left("forgotten") > 0; time.Sleep(20 * time.Millisecond) {
		if _, err := operator.Runs(t.Context()); err != nil || time.Now().After(deadline) {
			t.Fatalf("%d messages are left, %v", left("forgotten"), err)
		}
	}
	if n := left(kept.Run()); n != 2 {
		t.Errorf("%d messages of the other run are left, want its settings and a result", n)
	}
	if reason, err := worker.quarantined(t.Context(), "w"); err != nil || reason == "" {
		t.Errorf("the quarantine is gone, %v", err)
	}
}

func TestErrorsThatPass(t *testing.T) {
	api := func(status int, code jetstream.ErrorCode, text string) error {
		return failure(fmt.Appendf(nil, `{"error":{"code":%d,"err_code":%d,"description":%q}}`, status, code, text), "S")
	}
	for _, c := range []struct {
		err    error
		passes bool
		words  string
	}{
		{context.DeadlineExceeded, true, "the NATS server does not answer: context deadline exceeded"},
		{nats.ErrNoResponders, true, "JetStream of the NATS server does not answer: nats: no responders available for request"},
		{nats.ErrConnectionReconnecting, true, "nats: connection reconnecting"},
		{nats.ErrConnectionClosed, false, "nats: connection closed"},
		{nats.ErrMaxPayload, false, "nats: maximum payload exceeded"},
		{api(503, 10008, "JetStream system temporarily unavailable"), true, ""},
		{api(503, 10077, "maximum bytes exceeded"), true, "stream S is full: nats: API error: code=503 err_code=10077 description=maximum bytes exceeded"},
		{api(400, 10002, "resource limits exceeded for account"), true, "stream S is full: nats: API error: code=400 err_code=10002 description=resource limits exceeded for account"},
		{api(400, 10003, "bad request"), false, ""},
		{api(404, 10059, "stream not found"), true, "stream S does not exist; a coordinator creates it"},
		{&permanentError{nats.ErrTimeout}, false, "nats: timeout"},
		{&denial{verb: "publish", subject: "$JS.ACK.SANDTABLE_JOBS.x", user: "u", err: nats.ErrPermissionViolation}, false, `user "u" may not publish to $JS.ACK.SANDTABLE_JOBS.x; a worker needs this right`},
	} {
		worded := inWords(c.err)
		if passing(worded) != c.passes || !errors.Is(worded, c.err) || c.words != "" && worded.Error() != c.words {
			t.Errorf("%q passes: %v, want %q, %v", worded, passing(worded), c.words, c.passes)
		}
	}
	if full := api(503, 10077, "maximum messages per subject exceeded"); isFull(full) || !isQueued(full) {
		t.Errorf("a job that is queued counts as a full stream: %v", full)
	}
}

func TestPausesGrowAndDiffer(t *testing.T) {
	var a, b backoff
	same := true
	for i := range 100 {
		x, y := a.next(), b.next()
		same = same && x == y
		if x < 25*time.Millisecond || x > 5*time.Second || i > 10 && x < 2500*time.Millisecond {
			t.Errorf("pause %d is %v", i, x)
		}
	}
	if same {
		t.Error("two processes return at the same times")
	}
}
