package natsq

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// quarantine is the value of the key of a worker process that takes no jobs.
type quarantine struct {
	Worker string    `json:"worker"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// ReportWorker implements queue.Worker.
func (q *Queue) ReportWorker(ctx context.Context, state *queue.WorkerState) (string, error) {
	report := *state
	report.Quarantined = ""
	data, err := json.Marshal(&report)
	if err != nil {
		return "", fmt.Errorf("report of worker %s: %w", state.Name, err)
	}
	err = q.persist(ctx, "storing the report of worker "+state.Name, func(ctx context.Context) error {
		return q.putKey(ctx, workersBucket, keyText(state.Name), nil, data)
	})
	if err != nil {
		return "", err
	}
	return q.quarantined(ctx, state.Name)
}

// quarantined returns why a worker process takes no jobs, or "".
func (q *Queue) quarantined(ctx context.Context, worker string) (string, error) {
	var value quarantine
	found, err := q.read(ctx, quarantinePrefix+keyText(worker), &value)
	if !found || err != nil || value.Worker != worker {
		return "", err
	}
	return cmp.Or(value.Reason, "no reason was given"), nil
}

// Quarantine implements queue.Collector.
func (q *Queue) Quarantine(ctx context.Context, worker, reason string) error {
	data, err := json.Marshal(quarantine{worker, reason, time.Now()})
	if err != nil {
		return fmt.Errorf("quarantine of worker %s: %w", worker, err)
	}
	return q.persist(ctx, "storing the quarantine of worker "+worker, func(ctx context.Context) error {
		return q.putKey(ctx, runsBucket, quarantinePrefix+keyText(worker), nil, data)
	})
}

// Pardon implements queue.Operator.
func (q *Queue) Pardon(ctx context.Context, worker string) error {
	return q.persist(ctx, "pardoning worker "+worker, func(ctx context.Context) error {
		return q.remove(ctx, runsBucket, quarantinePrefix+keyText(worker))
	})
}

// Workers implements queue.Operator.
func (q *Queue) Workers(ctx context.Context) ([]queue.WorkerState, error) {
	var reports, quarantines []*stored
	err := q.persist(ctx, "listing the workers", func(ctx context.Context) (err error) {
		if reports, err = q.getAll(ctx, workersBucket, "*"); err != nil {
			return err
		}
		quarantines, err = q.getAll(ctx, runsBucket, quarantinePrefix+"*")
		return err
	})
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for _, value := range quarantines {
		var q quarantine
		if strict(value.data, &q) == nil {
			reasons[q.Worker] = cmp.Or(q.Reason, "no reason was given")
		}
	}
	var states []queue.WorkerState
	for _, value := range reports {
		var state queue.WorkerState
		if err := json.Unmarshal(value.data, &state); err != nil || keyText(state.Name) != value.key {
			if q.foreign.isNew(value.key, string(value.data)) {
				q.options.Log.Error("a report that is not a worker's is ignored", "key", value.key, "error", err)
			}
			continue
		}
		state.Quarantined = reasons[state.Name]
		states = append(states, state)
	}
	slices.SortFunc(states, func(a, b queue.WorkerState) int { return cmp.Compare(a.Name, b.Name) })
	return states, nil
}

// getAll returns the values of the keys of a bucket that match a filter. It asks for
// several at a time.
func (q *Queue) getAll(ctx context.Context, bucket, filter string) ([]*stored, error) {
	const most = 16
	subjects, err := q.list(ctx, bucketStream(bucket), keys(bucket)+filter)
	if err != nil {
		return nil, err
	}
	values, errs := make([]*stored, len(subjects)), make([]error, len(subjects))
	slots := make(chan struct{}, most)
	var all sync.WaitGroup
	for i, subject := range subjects {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			values[i], errs[i] = q.get(ctx, bucket, strings.TrimPrefix(subject, keys(bucket)))
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(values, func(v *stored) bool { return v == nil }), nil
}
