package natsq

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// waits keeps what the queue waits for, and reports the first reason.
type waits struct {
	mu      sync.Mutex
	reasons map[string]error // by what is done
	ready   func(error)
}

// begin records why something waits.
func (w *waits) begin(what string, reason error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.reasons[what]
	w.reasons[what] = reason
	if before == nil || before.Error() != reason.Error() {
		w.ready(w.first())
	}
}

// end records that something does not wait any more.
func (w *waits) end(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.reasons[what]; known {
		delete(w.reasons, what)
		w.ready(w.first())
	}
}

// first returns one of the reasons, or nil.
func (w *waits) first() error {
	if len(w.reasons) == 0 {
		return nil
	}
	return w.reasons[slices.MinFunc(slices.Collect(maps.Keys(w.reasons)), cmp.Compare)]
}
