package workers

import "testing"

// lastDepth is a Meter that keeps the last depth of the queue.
type lastDepth struct {
	Meter
	jobs, parts int64
}

func (m *lastDepth) QueueDepth(jobs, parts int64) { m.jobs, m.parts = jobs, parts }

func TestTheDepthOfTheQueueIsThatOfAllRuns(t *testing.T) {
	last := &lastDepth{Meter: metered(nil)}
	all := depths{meter: last, runs: map[string][2]int64{}}
	a, b := all.of("a"), all.of("b")
	a.QueueDepth(3, 1)
	b.QueueDepth(5, 0)
	a.QueueDepth(2, 4)
	if last.jobs != 7 || last.parts != 4 {
		t.Errorf("the depth is %d jobs and %d parts, want 7 and 4", last.jobs, last.parts)
	}
	b.QueueDepth(0, 0)
	a.QueueDepth(0, 0)
	if last.jobs != 0 || last.parts != 0 {
		t.Errorf("at the end the depth is %d jobs and %d parts", last.jobs, last.parts)
	}
}
