package workers

import (
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func TestARunThatWaitsBehindAnotherIsNotStalled(t *testing.T) {
	const patience = time.Minute
	s := newStall()
	queued := &queue.Queued{Jobs: map[int64]bool{7: true}}
	look := func(run string, done ...int64) (time.Duration, bool) {
		jobs, err := dataset.JobsOf(done...)
		if err != nil {
			t.Fatal(err)
		}
		return s.long(run, &queue.Progress{Jobs: jobs}, queued, patience)
	}
	after := func(d time.Duration) { s.moved = s.moved.Add(-d) }
	look("a")
	after(40 * time.Second)
	look("a", 0) // it gets on
	after(40 * time.Second)
	if _, long := look("b"); long {
		t.Error("run b is said to be stalled while a gets on")
	}
	after(40 * time.Second)
	if since, long := look("b"); !long || since < 80*time.Second || since > 100*time.Second {
		t.Errorf("none gets on for 80 s: %v, %v", since, long)
	}
	after(50 * time.Second)
	if _, long := look("a", 0); long {
		t.Error("it is said again before twice the time")
	}
	after(50 * time.Second)
	if _, long := look("a", 0); !long {
		t.Error("it is not said again after twice the time")
	}
	queued.Jobs = nil
	if _, long := look("a", 0); long {
		t.Error("without jobs nothing is stalled")
	}
}
