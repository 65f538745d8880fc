package workers

import "time"

// A stall is a time in which no job of a run gets done.
type stall struct {
	programs []string  // external programs that the run needs on its workers
	done     int64     // jobs that need nothing more or have results
	moved    time.Time // when done changed last
	told     time.Duration
}

// long reports whether it is time to say that jobs wait or are being played and
// none has been done: after the patience, and after twice as long each time.
func (s *stall) long(progress *Progress, queued *Queued, patience time.Duration) bool {
	done := progress.Jobs.Len() + progress.Dead.Len() + int64(len(queued.Results))
	if done != s.done || len(queued.Jobs) == 0 {
		s.done, s.moved, s.told = done, time.Now(), 0
		return false
	}
	if time.Since(s.moved) < max(patience, 2*s.told) {
		return false
	}
	s.told = time.Since(s.moved)
	return true
}
