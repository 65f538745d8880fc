package natsq_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// streams are all streams of a farm.
var streams = [...]string{"SANDTABLE_JOBS", "SANDTABLE_RESULTS", "KV_SANDTABLE_RUNS", "KV_SANDTABLE_WORKERS"}

// A run goes on after each stream, and after all of them, was removed under its roles.
func TestARunSurvivesTheLossOfItsStreams(t *testing.T) {
	var log record
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(log.text.String())
		}
	})
	url, coordinator, worker := pair(t, natsq.Options{Log: log.logger()})
	collector := connect(t, natsq.Options{URL: url, Log: log.logger()})
	_, js := admin(t, url)
	s := settings(1)
	run := put(t, coordinator, s)[0]
	if err := coordinator.PutEnd(t.Context(), run, 77); err != nil {
		t.Fatal(err)
	}
	inbox := collect(t, collector, run, queue.Share{})
	arrived := make(chan queue.Arrival)
	ended := make(chan error, 1)
	go func() {
		for {
			a, err := inbox.Next(t.Context())
			if err != nil {
				ended <- err
				return
			}
			a.Ack()
			arrived <- a
		}
	}()
	for round, lost := range [][]string{streams[:1], streams[1:2], streams[2:3], streams[3:], streams[:]} {
		for _, name := range lost {
			if err := js.DeleteStream(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		// The coordinator looks from time to time, as it always does.
		job := int64(round)
		eventually(t, "stored again", func() bool {
			queued(t, coordinator, run)
			_, err1 := js.Consumer(t.Context(), "SANDTABLE_JOBS", "workers-"+run)
			_, err2 := js.Stream(t.Context(), "KV_SANDTABLE_RUNS")
			time.Sleep(100 * time.Millisecond)
			got, err := worker.Settings(t.Context(), run)
			return err1 == nil && err2 == nil && err == nil && got.Differs(s) == nil
		})
		if end, err := collector.End(t.Context(), run); err != nil || end != 77 {
			t.Errorf("round %d: end is %d, %v", round, end, err)
		}
		enqueue(t, coordinator, run, job)
		held := next(t, worker, run)
		store(t, worker, result(run, job, 10))
		done(t, held)
		if _, err := worker.ReportWorker(within(t, soon), &queue.WorkerState{Name: "w"}); err != nil {
			t.Fatal(err)
		}
		for {
			select {
			case a := <-arrived:
				if a.Part.Job != job {
					continue
				}
			case err := <-ended:
				t.Fatalf("round %d: the collector ends with %v", round, err)
			case <-within(t, soon).Done():
				t.Fatalf("round %d: the result does not arrive", round)
			}
			break
		}
		p := queue.Progress{Run: run, Jobs: jobsOf(t, job)}
		if err := collector.PutProgress(within(t, soon), &p); err != nil {
			t.Fatal(err)
		}
	}
	if !log.has("stored a run again that the NATS server had lost") || !log.has("the consumer of a collector did not exist and is made again") {
		t.Error("the log does not say what was done")
	}
}

// Without the right to create streams, a role waits, says for what, and resumes.
func TestARoleWithoutRightsWaitsForTheStreams(t *testing.T) {
	as := farmServer(t)
	coordinator := connect(t, as("coordinator"))
	var log record
	var workerHealth, collectorHealth health
	o := workerHealth.options(as("worker"))
	o.Log = log.logger()
	worker := connect(t, o)
	collector := connect(t, collectorHealth.options(as("collector")))
	run := put(t, coordinator, settings(1))[0]
	inbox := collect(t, collector, run, queue.Share{})

	_, js := admin(t, as("admin").URL, nats.UserInfo("admin", "admin-secret"))
	for _, name := range streams {
		if err := js.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	stored := make(chan error, 1)
	go func() { stored <- worker.StoreResult(t.Context(), result(run, 1, 10)) }()
	arrived := make(chan queue.Arrival, 1)
	go func() {
		if a, err := inbox.Next(t.Context()); err == nil {
			arrived <- a
		}
	}()
	eventually(t, "waiting", func() bool {
		return workerHealth.says("SANDTABLE_RESULTS does not exist") && collectorHealth.says("does not exist")
	})
	if workerHealth.backoffs("stream") == 0 || !log.has("stream SANDTABLE_RESULTS does not exist; a coordinator creates it") {
		t.Error("the worker does not say what it waits for")
	}
	queued(t, coordinator, run)
	if err := <-stored; err != nil {
		t.Error(err)
	}
	select {
	case <-arrived:
	case <-within(t, soon).Done():
		t.Error("the result does not arrive")
	}
	eventually(t, "ready", func() bool { return workerHealth.ready() && collectorHealth.ready() })
}

func TestConsumersThatVanishAreMadeAgainByTheirOwner(t *testing.T) {
	url, coordinator, worker := pair(t, natsq.Options{})
	_, js := admin(t, url)
	run := put(t, coordinator, settings(1))[0]
	if err := js.DeleteConsumer(t.Context(), "SANDTABLE_JOBS", "workers-"+run); err != nil {
		t.Fatal(err)
	}
	enqueue(t, coordinator, run, 3)
	noJob(t, worker, run) // a worker makes no consumer
	queued(t, coordinator, run)
	next(t, worker, run)

	inbox := collect(t, worker, run, queue.Share{})
	stream, err := js.Stream(t.Context(), "SANDTABLE_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	for name := range stream.ConsumerNames(t.Context()).Name() {
		if err := js.DeleteConsumer(t.Context(), "SANDTABLE_RESULTS", name); err != nil {
			t.Fatal(err)
		}
	}
	store(t, worker, result(run, 1, 10))
	take(t, inbox, 1)
}

// Many goroutines ask while consumers and the server go.
func TestWorkersSurviveAServerThatRestarts(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), freeAddress(t)
	server, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: dir, Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	var h health
	q := connect(t, h.options(natsq.Options{URL: server.URL(), AckWait: time.Second}))
	s := settings(1)
	run := put(t, q, s)[0]
	const jobs = 60
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	played := map[int64]bool{}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for ctx.Err() == nil {
				held, err := q.NextJob(ctx, []string{run})
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				if held == nil {
					continue
				}
				job := held.Job().Number
				if q.StoreResult(ctx, result(run, job, 10)) != nil || held.Done(ctx) != nil {
					continue
				}
				mu.Lock()
				played[job] = true
				mu.Unlock()
			}
		})
	}
	for round := range int64(3) {
		for job := range int64(jobs / 3) {
			enqueue(t, q, run, round*jobs/3+job)
		}
		server.Close()
		eventually(t, "unready", func() bool { return !h.ready() })
		if server, err = natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: dir, Listen: address}); err != nil {
			t.Fatal(err)
		}
	}
	defer server.Close()
	eventually(t, "played", func() bool {
		queued(t, q, run)
		mu.Lock()
		defer mu.Unlock()
		return len(played) == jobs
	})
	eventually(t, "ready", h.ready)
	if h.backoffs("connection") == 0 {
		t.Error("no backoff is reported")
	}
	stop()
	all.Wait()
	// Everything that was stored is there.
	results := queued(t, q, run).Results
	for job := range played {
		if !results[job] {
			t.Errorf("the result of job %d is lost", job)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestConnectWaitsForAServer(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	var log record
	var h health
	connected := make(chan error, 1)
	var q *natsq.Queue
	go func() {
		var err error
		q, err = natsq.Connect(t.Context(), h.options(natsq.Options{URL: "nats://u:secret@" + address, Log: log.logger()}))
		connected <- err
	}()
	eventually(t, "waiting", func() bool { return h.says("connection refused") && log.has("waiting for the NATS server") })
	server, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: t.TempDir(), Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := <-connected; err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if !h.ready() || h.backoffs("connection") == 0 {
		t.Errorf("not ready because of %v; %d backoffs", h.reason, h.backoffs("connection"))
	}
	if log.has("secret") {
		t.Error("the log contains the password")
	}
}

func TestConnectWaitsAsLongAsItShould(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{-1, 300 * time.Millisecond} {
		_, err := natsq.Connect(within(t, soon), natsq.Options{URL: "nats://user:secret@127.0.0.1:1", Wait: wait})
		wantError(t, err, "no NATS server at nats://user:hidden@127.0.0.1:1", "connection refused")
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("error %q contains the password", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := natsq.Connect(ctx, natsq.Options{URL: "nats://127.0.0.1:1"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
}

// A server may start with the wrong configuration for some time.
func TestRefusedCredentialsAreTriedAgainLater(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), freeAddress(t)
	startWith := func(token string) *natsq.Server {
		server, err := natsq.StartServer(t.Context(), natsq.ServerOptions{Dir: dir, Listen: address, Token: token})
		if err != nil {
			t.Fatal(err)
		}
		return server
	}
	server := startWith("first")
	file := filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	var h health
	q := connect(t, h.options(natsq.Options{URL: server.URL(), TokenFile: file}))
	run := put(t, q, settings(1))[0]
	server.Close()
	server = startWith("second")
	eventually(t, "refused", func() bool { return h.says("rejects the credentials") })
	time.Sleep(time.Second) // several attempts
	if h.ready() {
		t.Error("ready, although the server rejects the credentials")
	}
	server.Close()
	server = startWith("first")
	eventually(t, "ready", h.ready)
	enqueue(t, q, run, 1)
	// The file is read again at each attempt.
	server.Close()
	write("third")
	server = startWith("third")
	defer server.Close()
	enqueue(t, q, run, 2)
	if jobs := queued(t, q, run).Jobs; len(jobs) != 2 {
		t.Errorf("jobs are %v", jobs)
	}
}

func TestRefusedCredentialsEndConnectUnlessItIsToldToWait(t *testing.T) {
	t.Parallel()
	url := start(t, natsq.ServerOptions{Token: "right"}).URL()
	connect(t, natsq.Options{URL: url, Token: "right"})
	for _, token := range []string{"", "wrong"} {
		_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url, Token: token})
		wantError(t, err, "rejects the credentials", url)
	}
	var h health
	_, err := natsq.Connect(within(t, soon), h.options(natsq.Options{URL: url, Token: "wrong", Wait: 300 * time.Millisecond}))
	wantError(t, err, "rejects the credentials")
	if h.backoffs("connection") == 0 {
		t.Error("it was tried once")
	}
}

// Damage to the settings of a run that is being played is mended.
func TestTheCoordinatorMendsSettingsOfARunningRun(t *testing.T) {
	url, coordinator, worker := pair(t, natsq.Options{})
	s := settings(1)
	run := put(t, coordinator, s)[0]
	conn, _ := admin(t, url)
	if _, err := conn.Request("$KV.SANDTABLE_RUNS."+run+".settings", []byte("hello"), soon); err != nil {
		t.Fatal(err)
	}
	eventually(t, "mended", func() bool {
		queued(t, coordinator, run)
		got, err := worker.Settings(t.Context(), run)
		return err == nil && got.Differs(s) == nil
	})
}

// A worker of which no run takes a request says why.
func TestAWorkerSaysThatNoCoordinatorOpensItsRuns(t *testing.T) {
	var log record
	var h health
	_, coordinator, worker := pair(t, h.options(natsq.Options{Log: log.logger()}))
	eventually(t, "unready", func() bool {
		noJob(t, worker, "unknown")
		return h.says("run unknown are not open to workers")
	})
	if !log.has("no jobs are delivered") {
		t.Error("nothing is logged")
	}
	run := put(t, coordinator, settings(1))[0]
	noJob(t, worker, "unknown", run)
	if !h.ready() {
		t.Errorf("not ready because of %v", h.reason)
	}
}
