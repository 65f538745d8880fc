package natsq_test

import (
	"errors"
	"testing"

	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestARetiredRunLeavesItsProgress(t *testing.T) {
	_, q, other := pair(t, natsq.Options{})
	run := put(t, q, settings(1))[0]
	put(t, other, settings(1)) // a second coordinator
	enqueue(t, q, run, 1, 2)
	store(t, q, result(run, 3, 10))
	collect(t, q, run, queue.Share{Index: 1, Of: 2})
	for index := range 2 {
		p := queue.Progress{Run: run, Share: queue.Share{Index: index, Of: 2}, Plies: 3}
		if err := q.PutProgress(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(q.PutEnd(t.Context(), run, 5), q.Retire(t.Context(), run)); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Settings(t.Context(), run); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("the settings of a retired run: %v", err)
	}
	if _, err := other.Queued(t.Context(), run); !errors.Is(err, queue.ErrNoRun) {
		t.Errorf("the jobs of a retired run: %v", err)
	}
	if p, err := other.Progress(t.Context(), run); err != nil || p.Plies != 6 {
		t.Errorf("the progress of a retired run: %+v, %v", p, err)
	}
	if runs, err := other.AllRuns(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("runs are %+v, %v", runs, err)
	}

	// The run can begin again, with what it had not left.
	put(t, other, settings(1))
	if end, err := other.End(t.Context(), run); err != nil || end != -1 {
		t.Errorf("end is %d, %v", end, err)
	}
	if now := queued(t, other, run); len(now.Jobs) != 0 || now.Messages != 0 {
		t.Errorf("queued are %+v", now)
	}
}
