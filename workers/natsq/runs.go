package natsq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// putRun is a run that this process has put, with what it stores again when the server
// loses it.
type putRun struct {
	settings *dataset.Settings
	end      int64     // −1 if none is stored
	limit    int       // of workers, by the orders
	bucket   time.Time // when the bucket was created that held the settings
	checked  time.Time // when the settings were last looked at
}

// PutRun implements queue.Coordinator.
func (q *Queue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	run := settings.Run()
	put := &putRun{settings: settings, end: -1}
	err := q.persist(ctx, "storing the settings of run "+run, func(ctx context.Context) error {
		return q.storeRun(ctx, run, put)
	})
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.put[run] = put
	return nil
}

// storeRun stores the settings and the end of a run if they are not stored, and opens its
// jobs to workers.
func (q *Queue) storeRun(ctx context.Context, run string, put *putRun) error {
	created, err := q.bucketCreated(ctx)
	if err != nil {
		return err
	}
	stored, err := q.readSettings(ctx, run)
	if bad := (*damaged)(nil); errors.As(err, &bad) {
		q.options.Log.Error("damaged settings are replaced", "error", err)
		stored, err = nil, nil
	}
	if err != nil {
		return err
	}
	if stored == nil {
		err = q.storeSettings(ctx, run, put.settings)
	} else if differ := stored.Differs(put.settings); differ != nil {
		err = &permanentError{differ}
	}
	if err != nil {
		return err
	}
	if put.end >= 0 {
		if err := q.storeEnd(ctx, run, put.end); err != nil {
			return err
		}
	}
	put.bucket, put.checked = created, time.Now()
	return q.openJobs(ctx, run, put.limit)
}

func (q *Queue) storeSettings(ctx context.Context, run string, settings *dataset.Settings) error {
	parts, value, header, err := packSettings(settings)
	if err != nil {
		return &permanentError{err}
	}
	for i, part := range parts {
		if err := q.putPart(ctx, settingsPartKey(run, i), part); err != nil {
			return err
		}
	}
	return noRoom(q.putKey(ctx, runsBucket, run+"."+settingsKey, header, value))
}

func (q *Queue) putPart(ctx context.Context, key string, data []byte) error {
	return noRoom(q.putKey(ctx, runsBucket, key, nil, data))
}

// noRoom makes the error of a bucket that is full permanent: it becomes empty only when a
// person forgets runs.
func noRoom(err error) error {
	var full *fullStream
	if errors.As(err, &full) {
		return &permanentError{fmt.Errorf("%w; forget runs that are complete", err)}
	}
	return err
}

// bucketCreated returns when the bucket of runs was created. A run that is missing from a
// bucket that existed before was forgotten; it is missing from a later one because the
// server lost it.
func (q *Queue) bucketCreated(ctx context.Context) (time.Time, error) {
	info, err := q.info(ctx, bucketStream(runsBucket), "")
	if err != nil {
		return time.Time{}, err
	}
	return info.Created, nil
}

// openJobs creates the consumer of a run's jobs, or changes its limit of workers.
func (q *Queue) openJobs(ctx context.Context, run string, limit int) error {
	if limit == 0 {
		limit = -1 // one job for each worker, however many there are
	}
	return q.makeConsumer(ctx, jobsStream, &jetstream.ConsumerConfig{
		Durable:       workersConsumer + run,
		FilterSubject: jobsPrefix + run + ".*.*",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       q.options.AckWait,
		MaxDeliver:    -1, // see doc.go
		MaxAckPending: limit,
		MaxWaiting:    1 << 16,
	})
}

// ours returns a run that this process has put, or nil.
func (q *Queue) ours(run string) *putRun {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.put[run]
}

// keepRun stores what the server has lost of a run that this process has put. The error
// wraps queue.ErrNoRun if another process has made the server forget the run.
func (q *Queue) keepRun(ctx context.Context, run string, jobsOpen bool) error {
	const rarely = 5 * time.Second
	q.mu.Lock()
	put := q.put[run]
	if put == nil || jobsOpen && time.Since(put.checked) < rarely {
		q.mu.Unlock()
		return nil
	}
	put.checked = time.Now()
	mine := *put
	q.mu.Unlock()

	created, err := q.bucketCreated(ctx)
	if err != nil {
		return err
	}
	value, err := q.get(ctx, runsBucket, run+"."+settingsKey)
	if err != nil {
		return err
	}
	if value == nil && created.Equal(mine.bucket) {
		return &permanentError{q.unknown(run)}
	}
	if value != nil && jobsOpen {
		if _, damage := parseSettings(value.data, run); damage == nil || value.header.Get(partsHeader) != "" {
			return nil // large settings are not read at each look
		}
	}
	if err := q.storeRun(ctx, run, &mine); err != nil {
		return err
	}
	q.options.Log.Warn("stored a run again that the NATS server had lost, or that was damaged", "run", run)
	q.mu.Lock()
	defer q.mu.Unlock()
	put.bucket = mine.bucket
	return nil
}

// PutEnd implements queue.Coordinator.
func (q *Queue) PutEnd(ctx context.Context, run string, jobs int64) error {
	if jobs >= maxJob {
		return fmt.Errorf("end of run %s is %d, must be below %d", run, jobs, int64(maxJob))
	}
	jobs = max(jobs, -1)
	err := q.persist(ctx, "storing the end of run "+run, func(ctx context.Context) error { return q.storeEnd(ctx, run, jobs) })
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if put := q.put[run]; put != nil {
		put.end = jobs
	}
	return nil
}

func (q *Queue) storeEnd(ctx context.Context, run string, jobs int64) error {
	if jobs < 0 {
		return q.remove(ctx, runsBucket, run+"."+endKey)
	}
	return q.putKey(ctx, runsBucket, run+"."+endKey, nil, fmt.Append(nil, jobs))
}

// End implements queue.Collector.
func (q *Queue) End(ctx context.Context, run string) (int64, error) {
	var jobs int64
	found, err := q.read(ctx, run+"."+endKey, &jobs)
	if !found || err != nil || jobs < 0 || jobs >= maxJob {
		return -1, err
	}
	return jobs, nil
}

// PutOrders implements queue.Operator.
func (q *Queue) PutOrders(ctx context.Context, run string, orders queue.Orders) error {
	if orders.Workers < 0 {
		return fmt.Errorf("number of workers is %d, must be 0 (no limit) or more", orders.Workers)
	}
	if _, err := q.Settings(ctx, run); err != nil {
		return err
	}
	return q.persist(ctx, "storing orders for run "+run, func(ctx context.Context) error {
		if orders == (queue.Orders{}) {
			return q.remove(ctx, runsBucket, run+"."+ordersKey)
		}
		data, err := json.Marshal(orders)
		if err != nil {
			return err
		}
		return q.putKey(ctx, runsBucket, run+"."+ordersKey, nil, data)
	})
}

// Orders implements queue.Coordinator and queue.Collector. The coordinator's queue applies
// the limit of workers.
func (q *Queue) Orders(ctx context.Context, run string) (orders queue.Orders, err error) {
	found, err := q.read(ctx, run+"."+ordersKey, &orders)
	if err != nil {
		return queue.Orders{}, err
	}
	if !found || orders.Workers < 0 {
		orders = queue.Orders{}
	}
	put := q.ours(run)
	if put == nil {
		return orders, nil
	}
	q.mu.Lock()
	changed := put.limit != orders.Workers
	put.limit = orders.Workers
	q.mu.Unlock()
	if !changed {
		return orders, nil
	}
	err = q.persist(ctx, "limiting the workers of run "+run, func(ctx context.Context) error {
		return q.openJobs(ctx, run, orders.Workers)
	})
	return orders, err
}

// read reads the value of a key of the bucket of runs, and reports whether there is one.
// A value that is not what it must be is logged once, and left out.
func (q *Queue) read(ctx context.Context, key string, into any) (found bool, err error) {
	var value *stored
	err = q.persist(ctx, "reading "+key, func(ctx context.Context) (err error) {
		value, err = q.get(ctx, runsBucket, key)
		return err
	})
	if value == nil || err != nil {
		return false, err
	}
	if err := strict(value.data, into); err != nil {
		if q.foreign.isNew(key, string(value.data)) {
			q.options.Log.Error("a value that is not a farm's is ignored", "key", key, "error", err)
		}
		return false, nil
	}
	return true, nil
}

// strict decodes JSON that must have no other fields and no further data.
func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("data follow the JSON value")
	}
	return nil
}
