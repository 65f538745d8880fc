package natsq_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestAJobIsQueuedOncePerKind(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	enqueue(t, coordinator, run, 4, 4)
	held := next(t, worker, run)
	if *held.Job() != (queue.Job{Run: run, Number: 4}) || held.Deliveries() != 1 {
		t.Errorf("job is %+v, delivery %d", held.Job(), held.Deliveries())
	}
	enqueue(t, coordinator, run, 4) // while it is being played
	noJob(t, worker, run)
	again := queue.Job{Run: run, Number: 4, Kind: queue.Again}
	if err := coordinator.Enqueue(t.Context(), &again); err != nil {
		t.Fatal(err)
	}
	if second := next(t, worker, run); *second.Job() != again {
		t.Errorf("job is %+v", second.Job())
	}
	done(t, held)
	enqueue(t, coordinator, run, 4) // again, on purpose
	next(t, worker, run)
}

func TestAnAuditArrivesWithTheWorkerThatMustNotPlayIt(t *testing.T) {
	_, collector, worker := pair(t, natsq.Options{})
	run := put(t, collector, settings(1))[0]
	audit := queue.Job{Run: run, Number: 9, Kind: queue.Audit, Not: "host 1/π"}
	if err := collector.RequestAudit(t.Context(), &audit); err != nil {
		t.Fatal(err)
	}
	if q := queued(t, collector, run); !q.Audits[9] || len(q.Jobs) != 0 || q.Waiting != 1 {
		t.Errorf("queued are %+v", q)
	}
	if held := next(t, worker, run); *held.Job() != audit {
		t.Errorf("job is %+v", held.Job())
	}
	wantError(t, collector.RequestAudit(t.Context(), &queue.Job{Run: run}), "must be an audit")
}

func TestNumbersThatNoJobHasAreRefused(t *testing.T) {
	_, q, _ := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	for _, number := range []int64{-1, 1 << 40, math.MaxInt64} {
		wantError(t, q.Enqueue(t.Context(), &queue.Job{Run: run, Number: number}), "cannot be queued")
	}
	wantError(t, q.PutEnd(t.Context(), run, math.MaxInt64), "must be below")
}

func TestRunsAreServedInTheOrderGiven(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	runs := put(t, coordinator, settings(1), settings(2), settings(3))
	for _, run := range runs {
		enqueue(t, coordinator, run, 0, 1)
	}
	order := []string{runs[2], runs[0]}
	var got []string
	for range 4 {
		held := next(t, worker, order...)
		got = append(got, held.Job().Run)
		done(t, held)
	}
	if want := []string{runs[2], runs[2], runs[0], runs[0]}; !slices.Equal(got, want) {
		t.Errorf("runs are %v, want %v", got, want)
	}
	noJob(t, worker, order...) // although runs[1] has jobs
}

func TestAJobThatIsQueuedDuringTheWaitIsDelivered(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	runs := put(t, coordinator, settings(1), settings(2))
	for _, run := range runs {
		queued := make(chan struct{})
		time.AfterFunc(300*time.Millisecond, func() {
			defer close(queued)
			enqueue(t, coordinator, run, 5)
		})
		held, err := worker.NextJob(within(t, soon), runs)
		<-queued
		if err != nil || held == nil || held.Job().Run != run {
			t.Fatalf("held is %+v, %v", held, err)
		}
		done(t, held)
	}
}

// Every request is answered by one run only. The requests to the others must not swallow
// their next job.
func TestAWorkerThatHasAJobTakesItsOtherRequestsBack(t *testing.T) {
	url, coordinator, worker := pair(t, natsq.Options{AckWait: time.Hour})
	other := connect(t, natsq.Options{URL: url})
	runs := put(t, coordinator, settings(1), settings(2))
	for job := range int64(20) {
		queued := make(chan struct{})
		time.AfterFunc(50*time.Millisecond, func() {
			defer close(queued)
			enqueue(t, coordinator, runs[0], job)
		})
		held := next(t, worker, runs...)
		<-queued
		enqueue(t, coordinator, runs[1], job)
		done(t, next(t, other, runs[1]))
		done(t, held)
	}
}

// When many runs begin at once, the waiting workers are sent jobs that they do not take.
func TestJobsOfManyRunsThatBeginAtOnceAreDeliveredAtMostTwice(t *testing.T) {
	url, coordinator, _ := pair(t, natsq.Options{})
	var all []*dataset.Settings
	for seed := range uint64(10) {
		all = append(all, settings(seed+1))
	}
	runs := put(t, coordinator, all...)
	ctx, stop := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	defer func() { stop(); workers.Wait() }()
	finished := make(chan queue.HeldJob, 10*len(runs))
	for range 6 {
		worker := connect(t, natsq.Options{URL: url})
		workers.Go(func() {
			for ctx.Err() == nil {
				held, err := worker.NextJob(ctx, runs)
				if err != nil || held == nil {
					continue
				}
				if held.Done(ctx) == nil {
					finished <- held
				}
			}
		})
	}
	for job := range int64(20) {
		time.Sleep(20 * time.Millisecond) // so that all workers wait
		missing := map[string]bool{}
		for _, run := range runs {
			missing[run] = true
		}
		for len(missing) > 0 {
			for run := range missing { // of those that were released too
				enqueue(t, coordinator, run, job)
			}
			for wait := time.After(200 * time.Millisecond); len(missing) > 0 && wait != nil; {
				select {
				case held := <-finished:
					delete(missing, held.Job().Run)
					if n := held.Deliveries(); n > 2 {
						t.Errorf("a job is delivered %d times", n)
					}
				case <-wait:
					wait = nil
				}
			}
		}
	}
}

func TestAWorkerThatStopsStrandsNoJob(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{AckWait: time.Hour})
	runs := put(t, coordinator, settings(1), settings(2))
	for job := range int64(30) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan queue.HeldJob, 1)
		go func() {
			held, _ := worker.NextJob(ctx, runs)
			ended <- held
		}()
		time.Sleep(time.Duration(job) * time.Millisecond)
		go cancel()
		enqueue(t, coordinator, runs[1], job)
		if held := <-ended; held != nil {
			done(t, held)
			continue
		}
		done(t, next(t, coordinator, runs[1]))
	}
}

func TestAJobThatFailedComesAgainAfterAPause(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	enqueue(t, coordinator, run, 0)
	if err := next(t, worker, run).Retry(t.Context(), 1500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	noJob(t, worker, run)
	if held := next(t, worker, run); held.Deliveries() != 2 {
		t.Errorf("delivery %d, want 2", held.Deliveries())
	}
}

func TestAJobThatIsReleasedLeavesTheQueue(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	for range 3 {
		enqueue(t, coordinator, run, 0)
		held := next(t, worker, run)
		if held.Deliveries() != 1 {
			t.Errorf("delivery %d, want 1", held.Deliveries())
		}
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if q := queued(t, coordinator, run); len(q.Jobs) != 0 {
			t.Errorf("queued are %+v", q)
		}
	}
}

func TestAJobThatIsHeldIsNotDeliveredToAnother(t *testing.T) {
	_, worker, other := pair(t, natsq.Options{AckWait: 900 * time.Millisecond})
	run := put(t, other, settings(1))[0]
	enqueue(t, other, run, 0)
	held := next(t, worker, run)
	for range 2 { // for more than two ack waits
		noJob(t, other, run)
	}
	if err := worker.Close(); err != nil {
		t.Fatal(err)
	}
	if again := next(t, other, run); again.Deliveries() != 2 {
		t.Errorf("delivery %d of a dead worker's job, want 2", again.Deliveries())
	}
	if err := held.Done(t.Context()); err == nil {
		t.Error("a queue that is closed acknowledges")
	}
}

// A process that lives, and whose job does not move, loses it.
func TestAJobWithoutProgressIsDeliveredToAnother(t *testing.T) {
	_, worker, other := pair(t, natsq.Options{AckWait: time.Second, StuckAfter: 2 * time.Second})
	run := put(t, other, settings(1))[0]
	enqueue(t, other, run, 0)
	held := next(t, worker, run)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				held.Extend()
			}
		}
	}()
	for range 3 {
		noJob(t, other, run)
	}
	close(stop)
	if again := next(t, other, run); again.Deliveries() != 2 {
		t.Errorf("delivery %d, want 2", again.Deliveries())
	}
}

func TestAJobOfAForgottenOrWithdrawnRunCanStillBeDone(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	for _, end := range []func(context.Context, string) error{coordinator.Withdraw, coordinator.Forget} {
		put(t, coordinator, settings(1))
		enqueue(t, coordinator, run, 0)
		held := next(t, worker, run)
		if err := end(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		done(t, held)
	}
}

func TestQueuedCountsWhatWaitsAndWhoIsIdle(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	runs := put(t, coordinator, settings(1), settings(2))
	enqueue(t, coordinator, runs[0], 3, 5)
	held := next(t, worker, runs[0])
	q := queued(t, coordinator, runs[0])
	if !q.Jobs[3] || !q.Jobs[5] || len(q.Jobs) != 2 || q.Waiting != 1 || q.Idle != 0 {
		t.Errorf("queued are %+v", q)
	}
	done(t, held)
	done(t, next(t, worker, runs[0]))
	go func() { _, _ = worker.NextJob(t.Context(), runs) }()
	eventually(t, "idle", func() bool { return queued(t, coordinator, runs[1]).Idle == 1 })
}

func TestOrdersLimitTheWorkersOfARun(t *testing.T) {
	_, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	enqueue(t, coordinator, run, 0, 1, 2)
	limit := func(workers int) {
		t.Helper()
		if err := worker.PutOrders(t.Context(), run, queue.Orders{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if orders, err := coordinator.Orders(t.Context(), run); err != nil || orders.Workers != workers {
			t.Fatalf("orders are %+v, %v", orders, err)
		}
	}
	limit(1)
	held := next(t, worker, run)
	noJob(t, worker, run)
	limit(2)
	next(t, worker, run)
	noJob(t, worker, run)
	limit(0)
	next(t, worker, run)
	done(t, held)
}

func TestAForeignJobIsRemoved(t *testing.T) {
	url, coordinator, worker := pair(t, natsq.Options{})
	run := put(t, coordinator, settings(1))[0]
	conn, _ := admin(t, url)
	for subject, data := range map[string]string{
		".play.first": "", ".play.-1": "", ".play.01": "", ".play.9223372036854775807": "", ".sing.3": "", ".play.7": "hello",
		".audit.7": "", ".audit.8": `{"not":"w"} more`, ".audit.9": `{"run":"other"}`, ".again.7": `{}`,
	} {
		if _, err := conn.Request("sandtable.jobs."+run+subject, []byte(data), soon); err != nil {
			t.Fatal(err)
		}
	}
	enqueue(t, coordinator, run, 1)
	q := queued(t, coordinator, run)
	for _, job := range []int64{-1, 3, math.MaxInt64} {
		if q.Jobs[job] {
			t.Errorf("job %d counts as queued", job)
		}
	}
	if held := next(t, worker, run); held.Job().Number != 1 || held.Job().Kind != queue.Play {
		t.Errorf("job is %+v", held.Job())
	}
	noJob(t, worker, run)
	if q := queued(t, coordinator, run); len(q.Jobs) != 1 || len(q.Audits) != 0 {
		t.Errorf("queued are %+v", q)
	}
}
