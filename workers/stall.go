package workers

import (
	"sync"
	"time"
)

// A stall is a time in which no job gets done of the runs that share workers.
type stall struct {
	mu    sync.Mutex
	done  map[string]int64 // by run: jobs that need nothing more or have results
	moved time.Time        // when one of them changed last
	told  time.Duration
}

func newStall() *stall { return &stall{done: map[string]int64{}, moved: time.Now()} }

// long reports whether it is time to say that jobs of the run wait or are being played
// and none of any run has been done, and for how long: after the patience, and after
// twice as long each time.
func (s *stall) long(run string, progress *Progress, queued *Queued, patience time.Duration) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := progress.Jobs.Len() + progress.Dead.Len() + int64(len(queued.Results))
	if done != s.done[run] || len(queued.Jobs) == 0 {
		s.done[run], s.moved, s.told = done, time.Now(), 0
		return 0, false
	}
	since := time.Since(s.moved)
	if since < max(patience, 2*s.told) {
		return 0, false
	}
	s.told = since
	return since, true
}
