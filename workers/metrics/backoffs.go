package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// MaxCauses is the number of causes of backoffs that a Farm counts separately. It counts
// all others as the cause "other".
const MaxCauses = 16

// backoffs counts pauses before something is tried again, by cause.
type backoffs struct {
	count, seconds *prometheus.CounterVec

	mu     sync.Mutex
	causes map[string]bool
}

func newBackoffs(r registry) *backoffs {
	return &backoffs{
		count:   r.counters("backoffs_total", "Pauses before something that failed was tried again, by cause.", "cause"),
		seconds: r.counters("backoff_seconds_total", "Length in seconds of the pauses before something that failed was tried again, by cause.", "cause"),
		causes:  map[string]bool{},
	}
}

func (b *backoffs) add(cause string, pause time.Duration) {
	cause = b.label(bounded(cause))
	b.count.WithLabelValues(cause).Inc()
	if pause > 0 {
		b.seconds.WithLabelValues(cause).Add(pause.Seconds())
	}
}

func (b *backoffs) label(cause string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.causes[cause] {
		if len(b.causes) >= MaxCauses {
			return "other"
		}
		b.causes[cause] = true
	}
	return cause
}
