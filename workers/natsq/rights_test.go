package natsq_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// farmServer starts a server with the example configuration and returns the options of a
// user. The administrator, who may do everything, is not in the example.
func farmServer(t *testing.T) (as func(user string) natsq.Options) {
	t.Helper()
	for _, role := range []string{"coordinator", "worker", "collector", "operator", "farm"} {
		t.Setenv("SANDTABLE_"+strings.ToUpper(role)+"_PASSWORD", role+"-secret")
	}
	o, err := server.ProcessConfigFile("../deploy/nats/farm.conf")
	if err != nil {
		t.Fatal(err)
	}
	o.StoreDir = t.TempDir()
	o.Users = append(o.Users, &server.User{Username: "admin", Password: "admin-secret", Account: o.Users[0].Account})
	url := plain(t, o)
	return func(user string) natsq.Options {
		return natsq.Options{URL: url, User: user, Password: user + "-secret"}
	}
}

func TestEachRoleOfTheExampleConfigurationCanDoItsWork(t *testing.T) {
	as := farmServer(t)
	// The worker is there first, and waits for the streams.
	var h health
	early := h.options(as("worker"))
	worker := connect(t, early)
	listed := make(chan error, 1)
	go func() {
		_, err := worker.Runs(t.Context())
		listed <- err
	}()
	eventually(t, "waiting for the streams", func() bool { return h.says("KV_SANDTABLE_RUNS does not exist") })
	coordinator := connect(t, as("coordinator"))
	if err := <-listed; err != nil {
		t.Fatal(err)
	}
	eventually(t, "ready", h.ready)
	collector, operator := connect(t, as("collector")), connect(t, as("operator"))

	s := positions(5000)
	run := put(t, coordinator, s)[0]
	if err := errors.Join(coordinator.PutEnd(t.Context(), run, 50), operator.PutOrders(t.Context(), run, queue.Orders{Workers: 2})); err != nil {
		t.Fatal(err)
	}
	if orders, err := coordinator.Orders(t.Context(), run); err != nil || orders.Workers != 2 {
		t.Errorf("orders are %+v, %v", orders, err)
	}
	enqueue(t, coordinator, run, 1, 2, 3)
	if runs, err := worker.Runs(t.Context()); err != nil || len(runs) != 1 {
		t.Fatalf("runs are %v, %v", runs, err)
	}
	if got, err := worker.Settings(t.Context(), run); err != nil || got.Differs(s) != nil {
		t.Fatalf("settings differ, %v", err)
	}
	if _, err := worker.ReportWorker(t.Context(), &queue.WorkerState{Name: "w"}); err != nil {
		t.Fatal(err)
	}
	held := next(t, worker, run)
	store(t, worker, result(run, 1, queue.PartBytes, 10))
	if err := worker.StoreDeadLetter(t.Context(), &queue.DeadLetter{Run: run, Job: 2, First: 20, Count: 10}); err != nil {
		t.Fatal(err)
	}
	done(t, held)
	if err := next(t, worker, run).Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := next(t, worker, run).Retry(t.Context(), 0); err != nil {
		t.Fatal(err)
	}

	for _, share := range []queue.Share{{}, {Index: 1, Of: 2}} {
		inbox := collect(t, collector, run, share)
		if share.Of == 0 {
			for range 3 {
				arrival(t, inbox).Ack()
			}
		}
		p := queue.Progress{Run: run, Share: share, Jobs: jobsOf(t, 1)}
		if err := collector.PutProgress(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
		if err := inbox.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // the server learns that it does not ask
	}
	if end, err := collector.End(t.Context(), run); err != nil || end != 50 {
		t.Errorf("end is %d, %v", end, err)
	}
	audit := queue.Job{Run: run, Number: 1, Kind: queue.Audit, Not: "w"}
	if err := errors.Join(collector.RequestAudit(t.Context(), &audit), collector.Quarantine(t.Context(), "w", "it lies")); err != nil {
		t.Fatal(err)
	}
	for held := next(t, worker, run); ; held = next(t, worker, run) {
		if held.Job().Kind == queue.Audit {
			break
		}
		done(t, held)
	}
	if err := worker.StoreAudit(t.Context(), &queue.AuditResult{Run: run, Job: 1, Worker: "w", Total: queue.Total{Episodes: 10}}); err != nil {
		t.Fatal(err)
	}
	if why, err := worker.ReportWorker(t.Context(), &queue.WorkerState{Name: "w"}); err != nil || why != "it lies" {
		t.Errorf("quarantined for %q, %v", why, err)
	}

	if states, err := operator.AllRuns(t.Context()); err != nil || len(states) != 1 || states[0].Progress.Jobs.Len() != 1 {
		t.Errorf("runs are %+v, %v", states, err)
	}
	if workers, err := operator.Workers(t.Context()); err != nil || len(workers) != 1 || workers[0].Quarantined == "" {
		t.Errorf("workers are %+v, %v", workers, err)
	}
	if err := errors.Join(operator.Pardon(t.Context(), "w"), operator.PutOrders(t.Context(), run, queue.Orders{}),
		coordinator.Withdraw(t.Context(), run), coordinator.Retire(t.Context(), run), operator.Forget(t.Context(), run), coordinator.Forget(t.Context(), run)); err != nil {
		t.Fatal(err)
	}
}

// What a role may not do ends at once, and the error names the right.
func TestNoRoleOfTheExampleConfigurationCanDoTheWorkOfAnother(t *testing.T) {
	as := farmServer(t)
	all := map[string]*natsq.Queue{}
	for _, role := range []string{"coordinator", "worker", "collector", "operator"} {
		all[role] = connect(t, as(role))
	}
	s := settings(1)
	run := put(t, all["coordinator"], s)[0]
	enqueue(t, all["coordinator"], run, 0)
	held := next(t, all["worker"], run)
	store(t, all["worker"], result(run, 9, 10))

	type act func(context.Context, *natsq.Queue) error
	putRun := act(func(ctx context.Context, q *natsq.Queue) error { return q.PutRun(ctx, settings(2)) })
	putEnd := act(func(ctx context.Context, q *natsq.Queue) error { return q.PutEnd(ctx, run, 3) })
	enqueueJob := act(func(ctx context.Context, q *natsq.Queue) error {
		return q.Enqueue(ctx, &queue.Job{Run: run, Number: 7})
	})
	audit := act(func(ctx context.Context, q *natsq.Queue) error {
		return q.RequestAudit(ctx, &queue.Job{Run: run, Number: 7, Kind: queue.Audit})
	})
	withdraw := act(func(ctx context.Context, q *natsq.Queue) error { return q.Withdraw(ctx, run) })
	forget := act(func(ctx context.Context, q *natsq.Queue) error { return q.Forget(ctx, run) })
	takeJob := act(func(ctx context.Context, q *natsq.Queue) error {
		_, err := q.NextJob(ctx, []string{run})
		return err
	})
	storeResult := act(func(ctx context.Context, q *natsq.Queue) error { return q.StoreResult(ctx, result(run, 1, 10, 10)) })
	storeLetter := act(func(ctx context.Context, q *natsq.Queue) error {
		return q.StoreDeadLetter(ctx, &queue.DeadLetter{Run: run, Job: 1})
	})
	report := act(func(ctx context.Context, q *natsq.Queue) error {
		_, err := q.ReportWorker(ctx, &queue.WorkerState{Name: "w"})
		return err
	})
	receive := act(func(ctx context.Context, q *natsq.Queue) error {
		_, err := q.Collect(ctx, run, queue.Share{})
		return err
	})
	publish := act(func(ctx context.Context, q *natsq.Queue) error { return q.PutProgress(ctx, &queue.Progress{Run: run}) })
	quarantine := act(func(ctx context.Context, q *natsq.Queue) error { return q.Quarantine(ctx, "w", "why not") })
	order := act(func(ctx context.Context, q *natsq.Queue) error {
		return q.PutOrders(ctx, run, queue.Orders{Cancelled: true})
	})
	for role, acts := range map[string]map[string]act{
		"coordinator": {"sandtable.results.": storeResult, "CONSUMER.MSG.NEXT.SANDTABLE_JOBS": takeJob, ".collector": receive, ".progress": publish, ".orders": order},
		"worker": {
			".settings": putRun, ".end": putEnd, ".play.7": enqueueJob, ".audit.7": audit, "STREAM.PURGE": withdraw, "STREAM.PURGE.KV_": forget,
			".collector": receive, ".progress": publish, ".orders": order, "quarantine.w": quarantine,
		},
		"collector": {
			".settings": putRun, ".end": putEnd, ".play.7": enqueueJob, "STREAM.PURGE": withdraw, "STREAM.PURGE.KV_": forget, "MSG.NEXT": takeJob,
			".1.1": storeResult, "sandtable.results.": storeLetter, "$KV.SANDTABLE_WORKERS.w": report, ".orders": order,
		},
		"operator": {
			".settings": putRun, ".end": putEnd, ".play.7": enqueueJob, "MSG.NEXT": takeJob, "sandtable.results.": storeResult,
			".collector": receive, ".progress": publish, "quarantine.w": quarantine,
		},
	} {
		for subject, act := range acts {
			err := act(within(t, soon), all[role])
			if err == nil {
				t.Errorf("a %s may publish to %s", role, subject)
				continue
			}
			wantError(t, err, `user "`+role+`" may not publish to `, subject, "needs this right")
			if !errors.Is(err, nats.ErrPermissionViolation) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error is %v", err)
			}
		}
	}
	// What was tried has changed nothing.
	done(t, held)
	q := queued(t, all["coordinator"], run)
	if len(q.Jobs) != 0 || len(q.Audits) != 0 || q.Messages != 1 {
		t.Errorf("queued are %+v", q)
	}
}

func TestAnInboxWithoutRightsIsRefused(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true, Users: []*server.User{{
		Username: "u", Password: "secret",
		Permissions: &server.Permissions{Subscribe: &server.SubjectPermission{Deny: []string{"_INBOX.>"}}},
	}}})
	_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url, User: "u", Password: "secret"})
	wantError(t, err, `user "u" may not subscribe to _INBOX.`)
}
