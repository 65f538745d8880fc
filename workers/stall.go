package workers

import (
	"slices"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A stall is a time in which nothing moves in the runs that share workers.
type stall struct {
	mu     sync.Mutex
	states map[string]stallState // by run
	moved  time.Time             // when one of them changed last
	warned time.Duration
}

// A stallState is what changes of a run when something moves.
type stallState struct{ finished, arrived, messages int64 }

func newStall() *stall { return &stall{states: map[string]stallState{}, moved: time.Now()} }

// long reports whether it is time to warn that jobs of the run wait or are being played, or
// its results wait, and nothing of any run has moved, and for how long: after the patience,
// and after twice as long each time.
func (s *stall) long(run string, progress *queue.Progress, queued *queue.Queued, patience time.Duration) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := stallState{progress.Jobs.Len() + progress.Dead.Len(), progress.Arrived.Jobs, queued.Messages}
	if state != s.states[run] || len(queued.Jobs)+len(queued.Results) == 0 {
		s.states[run], s.moved, s.warned = state, time.Now(), 0
		return 0, false
	}
	since := time.Since(s.moved)
	if since < max(patience, 2*s.warned) {
		return 0, false
	}
	s.warned = since
	return since, true
}

// A tail finds jobs to be played twice at the end of a run, when workers are idle.
type tail struct {
	idle  time.Time          // since when workers are idle and no job waits; zero if they are not
	twice map[int64]struct{} // jobs that were queued once more
}

func newTail() tail { return tail{twice: map[int64]struct{}{}} }

// again returns the jobs to be queued once more: those with the lowest numbers, which were
// queued first, one for each idle worker.
func (t *tail) again(queued *queue.Queued, after time.Duration) (jobs []int64) {
	if queued.Waiting > 0 || queued.Idle == 0 || len(queued.Jobs) == 0 {
		t.idle = time.Time{}
		return nil
	}
	if t.idle.IsZero() {
		t.idle = time.Now()
	}
	if time.Since(t.idle) < after {
		return nil
	}
	for job := range queued.Jobs {
		if _, is := t.twice[job]; !is && !queued.Results[job] {
			jobs = append(jobs, job)
		}
	}
	slices.Sort(jobs)
	jobs = jobs[:min(int64(len(jobs)), queued.Idle)]
	for _, job := range jobs {
		t.twice[job] = struct{}{}
	}
	return jobs
}
