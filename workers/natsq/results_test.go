package natsq_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// take receives and acknowledges a number of parts, in the order of their index.
func take(t *testing.T, inbox queue.Inbox, n int) (parts []queue.Part) {
	t.Helper()
	for range n {
		a := arrival(t, inbox)
		if a.Part == nil {
			t.Fatalf("arrived is %+v", a)
		}
		parts = append(parts, *a.Part)
		a.Ack()
	}
	slices.SortFunc(parts, func(a, b queue.Part) int { return a.Index - b.Index })
	return parts
}

func TestAResultArrivesAsItWasStored(t *testing.T) {
	_, worker, collector := pair(t, natsq.Options{})
	run := put(t, collector, settings(1))[0]
	parts := result(run, 7, queue.PartBytes, queue.PartBytes, 77)
	store(t, worker, parts)
	q := queued(t, collector, run)
	if q.Messages != 3 || !q.Results[7] || len(q.Jobs) != 0 {
		t.Errorf("queued are %+v", q)
	}
	got := take(t, collect(t, collector, run, queue.Share{}), 3)
	for i := range parts {
		g, w := got[i], parts[i]
		if g.Run != w.Run || g.Job != 7 || g.Worker != "w" || string(g.Data) != string(w.Data) || (g.Total == nil) != (w.Total == nil) ||
			g.Total != nil && *g.Total != *w.Total {
			t.Errorf("part %d did not arrive as it was stored", i)
		}
	}
	eventually(t, "acknowledged", func() bool { return queued(t, collector, run).Messages == 0 })
}

// A run whose data set was lost is played again at once, and its results are the same.
func TestAResultThatIsStoredAgainArrivesAgain(t *testing.T) {
	_, worker, collector := pair(t, natsq.Options{})
	run := put(t, collector, settings(1))[0]
	inbox := collect(t, collector, run, queue.Share{})
	for range 2 {
		store(t, worker, result(run, 7, 100, 100))
		take(t, inbox, 2)
	}
}

func TestDeadLettersAndAuditsArrive(t *testing.T) {
	_, worker, collector := pair(t, natsq.Options{})
	run := put(t, collector, settings(1))[0]
	inbox := collect(t, collector, run, queue.Share{})
	letter := queue.DeadLetter{Run: run, Job: 3, First: 30, Count: 10, Error: "it hurts", Worker: "w", Deliveries: 5}
	answer := queue.AuditResult{Run: run, Job: 4, Worker: "w", Total: queue.Total{Episodes: 10, Plies: 5, Sum: 1}}
	for range 2 {
		if err := worker.StoreDeadLetter(t.Context(), &letter); err != nil {
			t.Fatal(err)
		}
		if q := queued(t, collector, run); !q.Results[3] {
			t.Errorf("queued are %+v", q)
		}
		if a := arrival(t, inbox); a.Dead == nil || *a.Dead != letter || a.Job() != 3 {
			t.Fatalf("arrived is %+v", a)
		} else {
			a.Ack()
		}
		if err := worker.StoreAudit(t.Context(), &answer); err != nil {
			t.Fatal(err)
		}
		if q := queued(t, collector, run); q.Results[4] {
			t.Errorf("the answer to an audit counts as a result: %+v", q)
		}
		if a := arrival(t, inbox); a.Audit == nil || *a.Audit != answer || a.Job() != 4 {
			t.Fatalf("arrived is %+v", a)
		} else {
			a.Ack()
		}
	}
	letter.Error = strings.Repeat("trace ", 1<<20)
	if err := worker.StoreDeadLetter(t.Context(), &letter); err != nil {
		t.Fatal(err)
	}
	if a := arrival(t, inbox); a.Dead == nil || !strings.HasPrefix(a.Dead.Error, "trace trace") {
		t.Errorf("arrived is %+v", a)
	}
}

func TestSharesOfARunGoToDifferentCollectors(t *testing.T) {
	_, worker, other := pair(t, natsq.Options{})
	run := put(t, worker, settings(1))[0]
	inboxes := []queue.Inbox{collect(t, worker, run, queue.Share{Index: 0, Of: 2}), collect(t, other, run, queue.Share{Index: 1, Of: 2})}
	for job := range int64(20) {
		store(t, worker, result(run, job, 10))
	}
	for i, inbox := range inboxes {
		for _, part := range take(t, inbox, 10) {
			if part.Job%2 != int64(i) {
				t.Errorf("share %d/2 has job %d", i, part.Job)
			}
		}
	}
}

func TestACollectorOfASharedRunDoesNotTakeTheOthersShare(t *testing.T) {
	_, q, other := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	first := collect(t, q, run, queue.Share{Index: 1, Of: 4})
	store(t, q, result(run, 1, 10))
	take(t, first, 1)
	if _, err := other.Collect(t.Context(), run, queue.Share{Index: 1, Of: 2}); err == nil {
		t.Error("two collectors receive the same jobs")
	} else {
		wantError(t, err, "share 1/4", "share 1/2")
	}
	collect(t, other, run, queue.Share{Index: 0, Of: 2})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	// The server learns a moment later that nobody asks.
	eventually(t, "free", func() bool {
		inbox, err := other.Collect(t.Context(), run, queue.Share{Index: 1, Of: 2})
		return err == nil && inbox.Close() == nil
	})
}

func TestAnEarlierCollectorIsReplaced(t *testing.T) {
	_, a, b := pair(t, natsq.Options{})
	run := put(t, a, settings(1))[0]
	store(t, a, result(run, 1, 10))
	first := collect(t, a, run, queue.Share{})
	arrival(t, first) // is held, and not acknowledged
	second := collect(t, b, run, queue.Share{})
	take(t, second, 1)
	_, err := first.Next(within(t, soon))
	if !errors.Is(err, queue.ErrTakenOver) || !strings.Contains(err.Error(), run) {
		t.Errorf("error is %v", err)
	}
	store(t, a, result(run, 2, 10))
	take(t, second, 1)
}

func TestTheCollectorOfAForgottenRunEnds(t *testing.T) {
	_, a, b := pair(t, natsq.Options{})
	run := put(t, a, settings(1))[0]
	inbox := collect(t, a, run, queue.Share{})
	if err := b.Forget(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if _, err := inbox.Next(within(t, soon)); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
	if _, err := a.Collect(t.Context(), run, queue.Share{}); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("error is %v", err)
	}
}

func TestAClosedInboxDeliversNothing(t *testing.T) {
	_, q, _ := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	store(t, q, result(run, 1, 10, 10))
	inbox := collect(t, q, run, queue.Share{})
	arrival(t, inbox)
	if err := inbox.Close(); err != nil {
		t.Fatal(err)
	}
	if a, err := inbox.Next(within(t, soon)); err == nil {
		t.Errorf("a closed inbox delivers %+v", a)
	}
}

// Whatever no worker stores is removed, and the honest results arrive.
func TestAForeignResultIsRemoved(t *testing.T) {
	url, q, _ := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	conn, _ := admin(t, url)
	part := func(fields string) nats.Header {
		return nats.Header{"Sandtable-Kind": {"part"}, "Sandtable-Part": {fields}}
	}
	dead := nats.Header{"Sandtable-Kind": {"dead"}}
	for _, m := range []struct {
		subject string
		header  nats.Header
		data    string
	}{
		{".5.5", nil, "hello"},
		{".5.5", nats.Header{"Sandtable-Kind": {"song"}}, ""},
		{".5.5", part(""), ""},
		{".5.5", part(`{}{}`), ""},
		{".5.5", part(`{"index":-1,"worker":"w"}`), ""},
		{".5.5", part(`{"index":70000,"worker":"w"}`), ""},
		{".5.5", part(`{"index":0,"worker":"w","more":1}`), ""},
		{".5.5", part(`{"index":0,"worker":"w","total":{"episodes":9,"plies":1,"sum":1}}`), ""},
		{".5.5", part(`{"index":0,"worker":"w","total":{"episodes":10,"plies":-1,"sum":1}}`), ""},
		{".4.5", part(`{"index":0,"worker":"w"}`), ""},
		{".4.100", part(`{"index":0,"worker":"w"}`), ""},
		{".5.005", part(`{"index":0,"worker":"w"}`), ""},
		{".5.five", part(`{"index":0,"worker":"w"}`), ""},
		{".5.5.audit", part(`{"index":0,"worker":"w"}`), ""},
		{".5.5", dead, `{}`},
		{".5.5", dead, fmt.Sprintf(`{"run":%q,"job":"6","first":"60","count":"10"}`, run)},
		{".5.5", dead, fmt.Sprintf(`{"run":%q,"job":"5","first":"50","count":"9223372036854775807"}`, run)},
		{".5.5", dead, fmt.Sprintf(`{"run":%q,"job":"5","first":"50","count":"10","deliveries":-1000000}`, run)},
		{".5.5.audit", nats.Header{"Sandtable-Kind": {"audit"}}, `{}`},
		{".5.5", nats.Header{"Sandtable-Kind": {"audit"}}, fmt.Sprintf(`{"run":%q,"job":5,"worker":"w","total":{"episodes":10,"plies":1,"sum":1}}`, run)},
	} {
		msg := &nats.Msg{Subject: "sandtable.results." + run + m.subject, Header: m.header, Data: []byte(m.data)}
		if answer, err := conn.RequestMsg(msg, soon); err != nil || strings.Contains(string(answer.Data), "error") {
			t.Fatalf("%s: %s, %v", msg.Subject, answer.Data, err)
		}
	}
	store(t, q, result(run, 6, 10))
	inbox := collect(t, q, run, queue.Share{})
	if got := take(t, inbox, 1); got[0].Job != 6 {
		t.Errorf("arrived is job %d", got[0].Job)
	}
	eventually(t, "removed", func() bool { return queued(t, q, run).Messages == 0 })
}

func TestARunWithoutACollectorStopsNoOther(t *testing.T) {
	var log record
	var h health
	o := h.options(natsq.Options{RoomBytes: 3000, Log: log.logger()})
	_, q, worker := pair(t, o)
	runs := put(t, q, settings(1), settings(2))
	enqueue(t, q, runs[0], 10, 11)
	enqueue(t, q, runs[1], 20, 21)
	store(t, worker, result(runs[0], 1, 4000))
	time.Sleep(600 * time.Millisecond) // the size is looked at from time to time
	done(t, next(t, worker, runs...))
	if held, err := worker.NextJob(t.Context(), runs); err != nil || held == nil || held.Job().Run != runs[1] {
		t.Fatalf("held is %v, %v", held, err)
	}
	if !h.ready() {
		t.Errorf("not ready because of %v, although a run has room", h.reason)
	}
	noJob(t, worker, runs...)
	noJob(t, worker, runs[0])
	if !h.says("run "+runs[0]+" wait for a collector") || h.backoffs("room") == 0 {
		t.Errorf("the reason is %v", h.reason)
	}
	inbox := collect(t, q, runs[0], queue.Share{})
	a := arrival(t, inbox)
	noJob(t, worker, runs[0])
	a.Ack()
	next(t, worker, runs[0])
	if !h.ready() {
		t.Errorf("not ready because of %v", h.reason)
	}
}

// A run may take half of what is free, so that the results of jobs that are being played
// still fit when several runs have no collector.
func TestAbandonedRunsLeaveRoomInASmallStream(t *testing.T) {
	t.Parallel()
	q := connect(t, natsq.Options{URL: start(t, natsq.ServerOptions{}).URL(), ResultBytes: 12 << 20})
	var last int64 = 100
	for seed := range uint64(3) {
		run := put(t, q, settings(seed))[0]
		for job := int64(0); ; job++ {
			enqueue(t, q, run, job)
			held, err := q.NextJob(within(t, soon), []string{run})
			if err != nil {
				t.Fatal(err)
			}
			if held == nil {
				break
			}
			store(t, q, result(run, job, queue.PartBytes, queue.PartBytes))
			done(t, held)
		}
		n := queued(t, q, run).Messages
		if n == 0 || n > last {
			t.Errorf("run %d has %d parts after one with %d", seed, n, last)
		}
		last = n
	}
	late := put(t, q, settings(9))[0]
	store(t, q, result(late, 0, queue.PartBytes, queue.PartBytes))
	take(t, collect(t, q, late, queue.Share{}), 2)
}
