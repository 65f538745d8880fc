package natsq_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestOneRunHasOneSetOfSettings(t *testing.T) {
	_, a, b := pair(t, natsq.Options{})
	s := settings(1)
	put(t, a, s, s)
	got, err := b.Settings(t.Context(), s.Run())
	if err != nil || got.Differs(s) != nil {
		t.Errorf("settings are %+v, %v", got, err)
	}
	if _, err := b.Settings(t.Context(), settings(2).Run()); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
}

// positions returns settings with random start positions of about 60 bytes.
func positions(n int) *dataset.Settings {
	random := rand.New(rand.NewPCG(1, 2))
	s := settings(1)
	for range n {
		s.Starts = append(s.Starts, fmt.Sprintf("%016x%016x/%016x w %d", random.Uint64(), random.Uint64(), random.Uint64(), random.IntN(99)))
	}
	return s
}

func TestLargeSettingsAreStored(t *testing.T) {
	url, a, b := pair(t, natsq.Options{})
	s := positions(20_000)
	run := put(t, a, s, s)[0]
	got, err := b.Settings(t.Context(), run)
	if err != nil || got.Differs(s) != nil {
		t.Fatalf("settings are not what was stored: %v", err)
	}
	enqueue(t, a, run, 1)
	done(t, next(t, b, run))
	if err := a.Forget(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	_, js := admin(t, url)
	stream, err := js.Stream(t.Context(), "KV_SANDTABLE_RUNS")
	if err != nil || stream.CachedInfo().State.Msgs != 0 {
		t.Errorf("the bucket still has %+v, %v", stream.CachedInfo().State, err)
	}
}

func TestSettingsThatAreTooLargeAreRefusedWithTheLimit(t *testing.T) {
	_, q, _ := pair(t, natsq.Options{})
	wantError(t, q.PutRun(within(t, soon), positions(320_000)), "320000 start positions", "must be 16777216 or fewer")
}

func TestDamagedSettingsAreReplacedByTheCoordinator(t *testing.T) {
	url, coordinator, worker := pair(t, natsq.Options{})
	s := settings(1)
	run := put(t, coordinator, s)[0]
	conn, _ := admin(t, url)
	for _, damage := range []*nats.Msg{
		{Data: []byte("hello")},
		{Data: []byte(`{}`)},
		{Data: []byte(`{"variant":"toy","rules":{"toy":2},"job_episodes":"10"}`)},
		{Header: nats.Header{"Sandtable-Parts": {"1000000000"}}},
		{Header: nats.Header{"Sandtable-Parts": {"1"}}},
	} {
		damage.Subject = "$KV.SANDTABLE_RUNS." + run + ".settings"
		if _, err := conn.RequestMsg(damage, soon); err != nil {
			t.Fatal(err)
		}
		if _, err := worker.Settings(t.Context(), run); err == nil {
			t.Errorf("settings %q are read", damage.Data)
		}
		if _, err := worker.AllRuns(t.Context()); err != nil {
			t.Errorf("one damaged run hides all: %v", err)
		}
		put(t, coordinator, s)
		if got, err := worker.Settings(t.Context(), run); err != nil || got.Differs(s) != nil {
			t.Errorf("settings are %+v, %v", got, err)
		}
	}
}

func jobsOf(t *testing.T, numbers ...int64) dataset.Jobs {
	t.Helper()
	jobs, err := dataset.JobsOf(numbers...)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func progress(t *testing.T, q *natsq.Queue, run string) queue.Progress {
	t.Helper()
	p, err := q.Progress(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProgressAndEndAreWhatWasPublishedLast(t *testing.T) {
	_, collector, coordinator := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	if p := progress(t, coordinator, run); p.Run != "" {
		t.Errorf("progress is %+v", p)
	}
	end := func(want int64) {
		t.Helper()
		if end, err := collector.End(t.Context(), run); err != nil || end != want {
			t.Errorf("end is %d, %v, want %d", end, err, want)
		}
	}
	end(-1)
	want := queue.Progress{
		Run: run, Jobs: jobsOf(t, 0, 1, 5), Dead: jobsOf(t, 3), Episodes: 30, Plies: 1 << 60, Arrived: queue.Arrived{Jobs: 2}, Speed: 1.5,
		At: time.Now().UTC().Truncate(time.Microsecond),
	}
	for range 2 {
		if err := errors.Join(collector.PutProgress(t.Context(), &want), coordinator.PutEnd(t.Context(), run, 6)); err != nil {
			t.Fatal(err)
		}
	}
	if p := progress(t, coordinator, run); fmt.Sprint(p) != fmt.Sprint(want) {
		t.Errorf("progress is %+v, want %+v", p, want)
	}
	end(6)
	if err := coordinator.PutEnd(t.Context(), run, -1); err != nil {
		t.Fatal(err)
	}
	end(-1)
}

func TestProgressOfSharesIsCombined(t *testing.T) {
	_, collector, coordinator := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	now := time.Now().UTC().Truncate(time.Microsecond)
	publish := func(p queue.Progress) {
		t.Helper()
		p.Run = run
		if err := collector.PutProgress(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
	}
	publish(queue.Progress{Jobs: jobsOf(t, 0, 1, 2), Episodes: 30, At: now.Add(-time.Hour)}) // of a single collector, before there were two
	publish(queue.Progress{Share: queue.Share{Index: 0, Of: 2}, Jobs: jobsOf(t, 0, 2, 4, 8), Episodes: 40, Plies: 5, Speed: 1, At: now})
	publish(queue.Progress{Share: queue.Share{Index: 1, Of: 2}, Jobs: jobsOf(t, 1, 3, 5), Dead: jobsOf(t, 7), Episodes: 30, Plies: 6, Speed: 2, At: now.Add(-time.Minute)})
	p := progress(t, coordinator, run)
	want := queue.Progress{
		Run: run, Jobs: jobsOf(t, 0, 1, 2, 3, 4, 5, 8), Dead: jobsOf(t, 7), Episodes: 70, Plies: 11, Speed: 3, At: now.Add(-time.Minute),
	}
	if fmt.Sprint(p) != fmt.Sprint(want) {
		t.Errorf("progress is %+v, want %+v", p, want)
	}
	wrong := queue.Progress{Run: run, Share: queue.Share{Index: 1, Of: 2}, Jobs: jobsOf(t, 2)}
	wantError(t, collector.PutProgress(t.Context(), &wrong), "job 2", "share 1/2")
}

// A long run of several collectors must fit into a message, and be read quickly.
func TestProgressOfManyJobsOfAShareIsSmall(t *testing.T) {
	url, collector, coordinator := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	const jobs = 1_000_000
	for index := range 4 {
		var mine []int64
		for job := int64(index); job < jobs; job += 4 {
			mine = append(mine, job)
		}
		p := queue.Progress{Run: run, Share: queue.Share{Index: index, Of: 4}, Jobs: jobsOf(t, mine...)}
		if err := collector.PutProgress(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
	}
	if p := progress(t, coordinator, run); p.Jobs.String() != "0-999999" {
		t.Errorf("%d jobs in %d bytes", p.Jobs.Len(), len(p.Jobs.String()))
	}
	_, js := admin(t, url)
	stream, err := js.Stream(t.Context(), "KV_SANDTABLE_RUNS")
	if err != nil || stream.CachedInfo().State.Bytes > 10_000 {
		t.Errorf("the bucket has %d bytes, %v", stream.CachedInfo().State.Bytes, err)
	}
}

// Whatever is in the bucket, the roles go on as if it were not there.
func TestForeignValuesAreIgnored(t *testing.T) {
	var log record
	url, q, _ := pair(t, natsq.Options{Log: log.logger()})
	run := put(t, q, settings(1))[0]
	conn, _ := admin(t, url)
	for key, value := range map[string]string{
		"progress": `{"run":"other"}`, "progress.1-2": `hello`, "progress.0-3": `{}`, "progress.0-2": fmt.Sprintf(`{"run":%q,"episodes":"-4"}`, run),
		"end": `"many"`, "orders": `{"paused":true,"more":1}`,
	} {
		if _, err := conn.Request("$KV.SANDTABLE_RUNS."+run+"."+key, []byte(value), soon); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if p := progress(t, q, run); p.Run != "" {
			t.Errorf("progress is %+v", p)
		}
	}
	end, err1 := q.End(t.Context(), run)
	orders, err2 := q.Orders(t.Context(), run)
	if end != -1 || orders != (queue.Orders{}) || err1 != nil || err2 != nil {
		t.Errorf("end %d, orders %+v, %v, %v", end, orders, err1, err2)
	}
	if runs, err := q.Runs(t.Context()); err != nil || !slices.Equal(runs, []string{run}) {
		t.Errorf("runs are %v, %v", runs, err)
	}
	for _, key := range []string{"progress", "progress.1-2", "progress.0-2", "end", "orders"} {
		if n := log.count("key=" + run + "." + key + " "); n != 1 {
			t.Errorf("key %s is logged %d times", key, n)
		}
	}
}

func TestAnOperatorSeesAndOrdersRuns(t *testing.T) {
	_, q, operator := pair(t, natsq.Options{})
	endless := settings(2)
	endless.Episodes = 0
	runs := put(t, q, settings(1), endless, settings(3))
	enqueue(t, q, runs[0], 4)
	store(t, q, result(runs[0], 3, 10))
	p := queue.Progress{Run: runs[0], Jobs: jobsOf(t, 0), Episodes: 10}
	if err := errors.Join(q.PutProgress(t.Context(), &p), q.PutEnd(t.Context(), runs[1], 7)); err != nil {
		t.Fatal(err)
	}
	for run, orders := range map[string]queue.Orders{runs[0]: {Workers: 3}, runs[1]: {Paused: true}, runs[2]: {Cancelled: true}} {
		if err := operator.PutOrders(t.Context(), run, orders); err != nil {
			t.Fatal(err)
		}
	}
	states, err := operator.AllRuns(t.Context())
	if err != nil || len(states) != 3 {
		t.Fatalf("runs are %+v, %v", states, err)
	}
	byRun := map[string]queue.RunState{}
	for _, s := range states {
		byRun[s.Run] = s
	}
	if s := byRun[runs[0]]; s.Jobs != 100 || !s.Queued.Jobs[4] || !s.Queued.Results[3] || s.Progress.Episodes != 10 || s.Orders.Workers != 3 || s.Settings.Seed != 1 {
		t.Errorf("run 0 is %+v", s)
	}
	if s := byRun[runs[1]]; s.Jobs != 7 || !s.Orders.Paused {
		t.Errorf("run 1 is %+v", s)
	}
	open, err := q.Runs(t.Context())
	if err != nil || !slices.Equal(open, runs[:1]) {
		t.Errorf("open runs are %v, %v", open, err)
	}
	if err := operator.PutOrders(t.Context(), runs[1], queue.Orders{}); err != nil {
		t.Fatal(err)
	}
	if open, err := q.Runs(t.Context()); err != nil || len(open) != 2 || !slices.IsSorted(open) {
		t.Errorf("open runs are %v, %v", open, err)
	}
	wantError(t, operator.PutOrders(t.Context(), runs[0], queue.Orders{Workers: -1}), "-1")
	if err := operator.PutOrders(t.Context(), settings(9).Run(), queue.Orders{Paused: true}); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
}

func TestARunThatIsForgottenLeavesNothingAndMayComeAgain(t *testing.T) {
	url, q, operator := pair(t, natsq.Options{})
	_, js := admin(t, url)
	s := settings(1)
	run := s.Run()
	for range 2 {
		put(t, q, s)
		enqueue(t, q, run, 0, 1)
		next(t, q, run)
		store(t, q, result(run, 1, 10))
		collect(t, q, run, queue.Share{Index: 1, Of: 2})
		collect(t, q, run, queue.Share{Index: 0, Of: 2})
		p := queue.Progress{Run: run, Plies: 3}
		if err := errors.Join(q.PutProgress(t.Context(), &p), q.PutEnd(t.Context(), run, 5),
			operator.PutOrders(t.Context(), run, queue.Orders{Workers: 1})); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(operator.Forget(t.Context(), run), operator.Forget(t.Context(), settings(2).Run())); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Settings(t.Context(), run); !errors.Is(err, queue.ErrNoRun) {
			t.Errorf("error is %v", err)
		}
		for _, name := range []string{"SANDTABLE_JOBS", "SANDTABLE_RESULTS", "KV_SANDTABLE_RUNS"} {
			stream, err := js.Stream(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if state := stream.CachedInfo().State; state.Msgs != 0 || state.Consumers != 0 {
				t.Errorf("stream %s still has %d messages and %d consumers", name, state.Msgs, state.Consumers)
			}
		}
		// Its coordinator does not bring it back.
		if _, err := q.Queued(t.Context(), run); !errors.Is(err, queue.ErrNoRun) {
			t.Errorf("error is %v", err)
		}
	}
}

func TestWorkersReportAndAreQuarantined(t *testing.T) {
	url, worker, operator := pair(t, natsq.Options{})
	report := func(name string) string {
		t.Helper()
		reason, err := worker.ReportWorker(t.Context(), &queue.WorkerState{
			Name: name, Host: "h", Cores: 2, Playing: map[string]int{"r": 1}, Quarantined: "says the worker itself",
		})
		if err != nil {
			t.Fatal(err)
		}
		return reason
	}
	names := []string{"host.example:17", "z", "a worker/ü"}
	for _, name := range names {
		if reason := report(name); reason != "" {
			t.Errorf("worker %s is quarantined: %s", name, reason)
		}
	}
	conn, _ := admin(t, url)
	for key, value := range map[string]string{"forged": `{"name":"another"}`, "hello": "hello"} {
		if _, err := conn.Request("$KV.SANDTABLE_WORKERS."+key, []byte(value), soon); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(operator.Quarantine(t.Context(), names[2], "plays differently"), operator.Quarantine(t.Context(), "unseen", "")); err != nil {
		t.Fatal(err)
	}
	states, err := operator.Workers(t.Context())
	if err != nil || len(states) != 3 || states[0].Name != names[2] || states[0].Quarantined != "plays differently" || states[1].Quarantined != "" || states[1].Cores != 2 {
		t.Errorf("workers are %+v, %v", states, err)
	}
	if reason := report(names[2]); reason != "plays differently" {
		t.Errorf("reason is %q", reason)
	}
	if reason := report("unseen"); reason == "" {
		t.Error("a quarantine without a reason has no effect")
	}
	if err := operator.Pardon(t.Context(), names[2]); err != nil {
		t.Fatal(err)
	}
	if reason := report(names[2]); reason != "" {
		t.Errorf("reason is %q", reason)
	}
	if runs, err := operator.AllRuns(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("runs are %+v, %v", runs, err)
	}
}

// Limits protect the disk, and the ack wait and the deliveries are what the promises of
// doc.go rest on.
func TestStreamsAndConsumersHaveTheirLimits(t *testing.T) {
	url, q, _ := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	collect(t, q, run, queue.Share{})
	_, js := admin(t, url)
	for name, want := range map[string]struct {
		bytes int64
		age   time.Duration
	}{
		"SANDTABLE_JOBS": {bytes: 16 << 20}, "SANDTABLE_RESULTS": {bytes: 1 << 30},
		"KV_SANDTABLE_RUNS": {bytes: 64 << 20}, "KV_SANDTABLE_WORKERS": {4 << 20, time.Minute},
	} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if c := stream.CachedInfo().Config; c.MaxBytes != want.bytes || c.MaxAge != want.age || c.Storage.String() != "File" {
			t.Errorf("stream %s is %+v", name, c)
		}
		for info := range stream.ListConsumers(t.Context()).Info() {
			c := info.Config
			if c.AckWait != 30*time.Second || c.MaxDeliver != -1 || c.MaxAckPending != -1 {
				t.Errorf("consumer %s is %+v", info.Name, c)
			}
			if !strings.Contains(info.Name, run) {
				t.Errorf("consumer %s", info.Name)
			}
		}
	}
}
