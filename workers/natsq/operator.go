package natsq

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// runKeys returns the keys of the runs in the bucket: the names that follow the point, by
// run.
func (q *Queue) runKeys(ctx context.Context) (map[string][]string, error) {
	subjects, err := q.list(ctx, bucketStream(runsBucket), keys(runsBucket)+"*.*")
	if err != nil {
		return nil, err
	}
	runs := map[string][]string{}
	for _, subject := range subjects {
		run, key, _ := strings.Cut(strings.TrimPrefix(subject, keys(runsBucket)), ".")
		if run+"." != quarantinePrefix {
			runs[run] = append(runs[run], key)
		}
	}
	return runs, nil
}

// storedRuns returns the keys of the runs whose settings are stored. It looks after what
// other runs have left from time to time.
func (q *Queue) storedRuns(ctx context.Context) (runs map[string][]string, err error) {
	err = q.persist(ctx, "listing the runs", func(ctx context.Context) (err error) {
		runs, err = q.runKeys(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	q.housekeep(ctx)
	maps.DeleteFunc(runs, func(_ string, keys []string) bool { return !slices.Contains(keys, settingsKey) })
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.settings, func(run string, _ *dataset.Settings) bool { return runs[run] == nil })
	return runs, nil
}

// Runs implements queue.Worker.
func (q *Queue) Runs(ctx context.Context) ([]string, error) {
	runs, err := q.storedRuns(ctx)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		if slices.Contains(runs[run], ordersKey) {
			orders, err := q.Orders(ctx, run)
			if err != nil {
				return nil, err
			}
			if orders.Paused || orders.Cancelled {
				continue
			}
		}
		open = append(open, run)
	}
	return open, nil
}

// AllRuns implements queue.Operator. It leaves out runs whose settings cannot be read, and
// logs them.
func (q *Queue) AllRuns(ctx context.Context) ([]queue.RunState, error) {
	runs, err := q.storedRuns(ctx)
	if err != nil {
		return nil, err
	}
	var states []queue.RunState
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		state, err := q.runState(ctx, run)
		bad := (*damaged)(nil)
		switch {
		case errors.Is(err, queue.ErrNoRun): // forgotten meanwhile
		case errors.As(err, &bad):
			q.options.Log.Error("a run is left out", "error", err)
		case err != nil:
			return nil, err
		default:
			states = append(states, state)
		}
	}
	return states, nil
}

func (q *Queue) runState(ctx context.Context, run string) (queue.RunState, error) {
	settings, err := q.knownSettings(ctx, run)
	if err != nil {
		return queue.RunState{}, err
	}
	state := queue.RunState{Run: run, Settings: settings, Jobs: settings.Jobs()}
	var end int64
	var err1, err2, err3, err4 error
	state.Queued, err1 = q.Queued(ctx, run)
	state.Progress, err2 = q.Progress(ctx, run)
	state.Orders, err3 = q.Orders(ctx, run)
	end, err4 = q.End(ctx, run)
	if end >= 0 && (state.Jobs < 0 || end < state.Jobs) {
		state.Jobs = end
	}
	return state, errors.Join(err1, err2, err3, err4)
}

// Forget implements queue.Coordinator and queue.Operator.
func (q *Queue) Forget(ctx context.Context, run string) error {
	q.mu.Lock()
	delete(q.put, run)
	delete(q.settings, run)
	q.mu.Unlock()
	return q.persist(ctx, "forgetting run "+run, func(ctx context.Context) error { return q.erase(ctx, run, false) })
}

// Retire implements queue.Coordinator. Housekeeping removes the progress.
func (q *Queue) Retire(ctx context.Context, run string) error {
	q.mu.Lock()
	delete(q.put, run)
	delete(q.settings, run)
	q.mu.Unlock()
	return q.persist(ctx, "retiring run "+run, func(ctx context.Context) error { return q.erase(ctx, run, true) })
}

// removeKeys removes the keys of a run, except perhaps those of its progress.
func (q *Queue) removeKeys(ctx context.Context, run string, keepProgress bool) error {
	if !keepProgress {
		return q.remove(ctx, runsBucket, run+".>")
	}
	subjects, err := q.list(ctx, bucketStream(runsBucket), keys(runsBucket)+run+".>")
	if err != nil {
		return err
	}
	for _, subject := range subjects {
		key := strings.TrimPrefix(subject, keys(runsBucket))
		if strings.HasPrefix(key, run+"."+progressKey) {
			continue
		}
		if err := q.remove(ctx, runsBucket, key); err != nil {
			return err
		}
	}
	return nil
}

// erase removes everything of a run, except perhaps its progress: first what makes roles
// begin to work on it.
func (q *Queue) erase(ctx context.Context, run string, keepProgress bool) error {
	if err := q.remove(ctx, runsBucket, run+"."+settingsKey); err != nil {
		return err
	}
	if err := q.dropConsumer(ctx, jobsStream, workersConsumer+run); err != nil {
		return err
	}
	if err := q.purge(ctx, jobsStream, jobsPrefix+run+".>"); err != nil {
		return err
	}
	collectors, err := q.consumers(ctx, resultsStream, collectorConsumer+run+"-")
	if err != nil {
		return err
	}
	// Without its key, a collector whose consumer is gone knows that the run is forgotten.
	if err := q.removeKeys(ctx, run, keepProgress); err != nil {
		return err
	}
	for _, name := range collectors {
		if err := q.dropConsumer(ctx, resultsStream, name); err != nil {
			return err
		}
	}
	return q.purge(ctx, resultsStream, resultsPrefix+run+".>")
}
