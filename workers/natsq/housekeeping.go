package natsq

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// housekeeping removes what is left of runs that were forgotten: the result of a worker that
// was paused until its run had ended, or the last progress of a collector. Every process
// that lists runs does it, if it has the right to.
type housekeeping struct {
	every time.Duration
	age   time.Duration // for which a run has had no settings when it is removed

	mu     sync.Mutex
	last   time.Time
	denied bool                 // the user has not the right to
	since  map[string]time.Time // when runs were first seen without settings
}

func newHousekeeping() *housekeeping {
	return &housekeeping{every: 20 * time.Second, age: time.Minute, since: map[string]time.Time{}}
}

// housekeep looks for leftovers from time to time. What it cannot do now, it or another
// process does later.
func (q *Queue) housekeep(ctx context.Context) {
	if !q.keeping.mu.TryLock() {
		return
	}
	defer q.keeping.mu.Unlock()
	if q.keeping.denied || time.Since(q.keeping.last) < q.keeping.every {
		return
	}
	q.keeping.last = time.Now()
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	left, err := q.leftovers(ctx)
	if err != nil {
		q.options.Log.Debug("leftovers are not looked for", "error", err)
		return
	}
	since := map[string]time.Time{}
	for _, run := range left {
		since[run] = time.Now()
		if before, known := q.keeping.since[run]; known {
			since[run] = before
		}
		if time.Since(since[run]) < q.keeping.age {
			continue
		}
		err := q.erase(ctx, run, false)
		if err == nil {
			q.options.Log.Warn("removed what was left of a run that was forgotten", "run", run)
			continue
		}
		q.options.Log.Debug("leftovers of a run stay", "run", run, "error", err)
		var denied *denial
		q.keeping.denied = errors.As(err, &denied)
	}
	q.keeping.since = since
}

// leftovers returns the runs that have messages or keys and no settings. It looks at the
// settings last, so that a run that has just been put is not among them.
func (q *Queue) leftovers(ctx context.Context) ([]string, error) {
	found := map[string]bool{}
	for _, stream := range []struct{ name, prefix, filter string }{
		{jobsStream, jobsPrefix, ">"}, {resultsStream, resultsPrefix, ">"}, {bucketStream(runsBucket), keys(runsBucket), ">"},
	} {
		subjects, err := q.list(ctx, stream.name, stream.prefix+stream.filter)
		if err != nil {
			return nil, err
		}
		for _, subject := range subjects {
			run, _, whole := strings.Cut(strings.TrimPrefix(subject, stream.prefix), ".")
			if !whole {
				q.removeForeign(ctx, stream.name, subject, errors.New("it is not that of a run"))
				continue
			}
			found[run] = true
		}
	}
	delete(found, strings.TrimSuffix(quarantinePrefix, "."))
	runs, err := q.runKeys(ctx)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(found, func(run string, _ bool) bool { return slices.Contains(runs[run], settingsKey) })
	return slices.Collect(maps.Keys(found)), nil
}
