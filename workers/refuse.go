package workers

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A worker that has no command for an external program gives the jobs that name
// it back for others, uncounted, and waits before it asks for the next: not at
// once longRest, because jobs of other runs may lie behind them.
const (
	shortRest = 10 * time.Millisecond
	longRest  = 5 * time.Second
)

// rest waits after a job that was refused, twice as long after each further one.
// The error is that of ctx.
func (w *worker) rest(ctx context.Context, end JobEnd) error {
	if end != JobRefused {
		w.row = 0
		return nil
	}
	pause := min(shortRest<<min(w.row, 10), longRest)
	w.row++
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// refusals tells people of the runs of which a process refuses jobs, once each.
type refusals struct {
	log  *slog.Logger
	mu   sync.Mutex
	runs map[string]bool
}

func (r *refusals) tell(job *Job, cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs[job.Run] {
		return
	}
	if r.runs == nil {
		r.runs = map[string]bool{}
	}
	r.runs[job.Run] = true
	r.log.Warn("the jobs of a run are left to other workers", "run", job.Run, "reason", cause)
}
