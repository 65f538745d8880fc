package workers

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// A score counts what the goroutines of a worker process have done.
type score struct {
	done, failed atomic.Int64 // jobs
	games, plies atomic.Int64
}

// publish publishes the state of the process, and obeys a quarantine.
func (r *roster) publish(ctx context.Context, state *queue.WorkerState) error {
	state.At = time.Now()
	state.Done, state.Failed = r.score.done.Load(), r.score.failed.Load()
	state.Games = r.games.per(state.At, float64(r.score.games.Load()))
	state.Plies = r.plies.per(state.At, float64(r.score.plies.Load()))
	r.report(state)
	reason, err := r.Queue.ReportWorker(ctx, state)
	if err != nil {
		return err
	}
	r.quarantine(reason)
	return nil
}

// A rate measures how fast a count grows over the last minute.
type rate struct {
	at    []time.Time
	count []float64
}

// per takes in a count and returns its growth per second.
func (r *rate) per(now time.Time, count float64) float64 {
	const window = time.Minute
	r.at, r.count = append(r.at, now), append(r.count, count)
	for len(r.at) > 2 && now.Sub(r.at[1]) >= window {
		r.at, r.count = r.at[1:], r.count[1:]
	}
	seconds := now.Sub(r.at[0]).Seconds()
	if seconds <= 0 {
		return 0
	}
	return (count - r.count[0]) / seconds
}
