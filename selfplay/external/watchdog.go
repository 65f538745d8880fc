package external

import (
	"sync"
	"time"
)

// A watchdog ends an exchange that takes longer than its limit. It measures time in
// slices. A slice that takes much longer than it should means that this process itself
// stood still, as in a throttled container or after SIGSTOP; that time is not the
// program's and does not count. When the limit is over, the watchdog waits for one more
// undisturbed slice, in which an answer that is in the pipe already is read.
type watchdog struct {
	end func() // of the exchange

	mu    sync.Mutex
	timer *time.Timer
	slice time.Duration
	left  time.Duration
	last  time.Time // of the last tick
	ended bool      // by stop or by end
	late  bool      // end was called
}

// Bounds of a slice. Between them it is a part of the limit.
const (
	sliceParts    = 16
	shortestSlice = 5 * time.Millisecond
	longestSlice  = 100 * time.Millisecond
)

// watch calls end when the limit is over, unless stop is called before.
func watch(limit time.Duration, end func()) *watchdog {
	w := &watchdog{
		end: end, left: limit, last: time.Now(),
		slice: min(max(limit/sliceParts, shortestSlice), longestSlice),
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.slice, w.tick)
	return w
}

func (w *watchdog) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	now := time.Now()
	passed := now.Sub(w.last)
	w.last = now
	most := 2 * w.slice
	if w.left <= 0 && passed < most {
		w.ended, w.late = true, true
		w.end()
		return
	}
	w.left -= min(passed, most)
	w.timer.Reset(w.slice)
}

// stop ends the watch and reports whether the exchange was late.
func (w *watchdog) stop() (late bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.timer.Stop()
	return w.late
}
