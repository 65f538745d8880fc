package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// PutProgress implements queue.Collector.
func (q *Queue) PutProgress(ctx context.Context, progress *queue.Progress) error {
	if err := checkProgress(progress, progress.Run); err != nil {
		return err
	}
	stored := *progress
	var err1, err2 error
	stored.Jobs, err1 = rows(progress.Jobs, progress.Share)
	stored.Dead, err2 = rows(progress.Dead, progress.Share)
	data, err := json.Marshal(&stored)
	if err := errors.Join(err1, err2, err); err != nil {
		return fmt.Errorf("progress of run %s: %w", progress.Run, err)
	}
	key := progress.Run + "." + shareKey(progressKey, progress.Share)
	return q.persist(ctx, "storing the progress of run "+progress.Run, func(ctx context.Context) error {
		return q.putKey(ctx, runsBucket, key, nil, data)
	})
}

// checkProgress refuses what no collector publishes.
func checkProgress(p *queue.Progress, run string) error {
	switch {
	case p.Run != run:
		return fmt.Errorf("run is %q, must be %q", p.Run, run)
	case p.Jobs.Max() >= maxJob || p.Dead.Max() >= maxJob:
		return fmt.Errorf("job %d is above any job of a farm", max(p.Jobs.Max(), p.Dead.Max()))
	case min(p.Episodes, p.Plies, p.Bytes, p.Shards, p.Arrived.Jobs, p.Arrived.Episodes, p.Arrived.Plies) < 0 || p.Speed < 0:
		return fmt.Errorf("progress of run %s has a negative number", run)
	}
	return p.Share.Validate()
}

// Progress implements queue.Coordinator. The time of the combined progress is that of the
// oldest part.
func (q *Queue) Progress(ctx context.Context, run string) (queue.Progress, error) {
	var keysOfRun []string
	err := q.persist(ctx, "listing the progress of run "+run, func(ctx context.Context) (err error) {
		keysOfRun, err = q.list(ctx, bucketStream(runsBucket), keys(runsBucket)+run+".>")
		return err
	})
	if err != nil {
		return queue.Progress{}, err
	}
	var parts []queue.Progress
	for _, subject := range keysOfRun {
		key := strings.TrimPrefix(subject, keys(runsBucket))
		share, ok := parseShareKey(progressKey, strings.TrimPrefix(key, run+"."))
		if !ok {
			continue
		}
		var part queue.Progress
		found, err := q.read(ctx, key, &part)
		if err != nil {
			return queue.Progress{}, err
		}
		if err := checkProgress(&part, run); found && (err != nil || shareKey("", part.Share) != shareKey("", share)) {
			if q.foreign.isNew(key, fmt.Sprint(part)) {
				q.options.Log.Error("progress that is not a collector's is ignored", "key", key, "error", err)
			}
			continue
		}
		if found {
			parts = append(parts, part)
		}
	}
	return combined(parts)
}

// combined returns the sum of the progress of shares. When the number of collectors has
// changed, those of the number that was published last count.
func combined(parts []queue.Progress) (queue.Progress, error) {
	if len(parts) == 0 {
		return queue.Progress{}, nil
	}
	last := slices.MaxFunc(parts, func(a, b queue.Progress) int { return a.At.Compare(b.At) })
	if last.Share.Of <= 1 {
		last.Share = queue.Share{}
		return last, nil
	}
	sum := queue.Progress{Run: last.Run, At: last.At}
	jobs, dead := make([]dataset.Jobs, last.Share.Of), make([]dataset.Jobs, last.Share.Of)
	for _, p := range parts {
		if p.Share.Of != last.Share.Of {
			continue
		}
		jobs[p.Share.Index], dead[p.Share.Index] = p.Jobs, p.Dead
		sum.Episodes += p.Episodes
		sum.Plies += p.Plies
		sum.Bytes += p.Bytes
		sum.Shards += p.Shards
		sum.Arrived.Jobs += p.Arrived.Jobs
		sum.Arrived.Episodes += p.Arrived.Episodes
		sum.Arrived.Plies += p.Arrived.Plies
		sum.Speed += p.Speed
		if p.At.Before(sum.At) {
			sum.At = p.At
		}
	}
	var err1, err2 error
	sum.Jobs, err1 = joined(jobs)
	sum.Dead, err2 = joined(dead)
	return sum, errors.Join(err1, err2)
}
