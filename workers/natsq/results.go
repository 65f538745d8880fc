package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// kindHeader is a header of each message of the stream of results.
const (
	kindHeader = "Sandtable-Kind"
	kindPart   = "part"
	kindAudit  = "audit"
	kindDead   = "dead"

	partHeader = "Sandtable-Part" // JSON of partFields
)

// partFields describe a part; the message carries the part's data.
type partFields struct {
	Index  int          `json:"index"`
	Worker string       `json:"worker"`
	Total  *queue.Total `json:"total,omitempty"`
}

// StoreResult implements queue.Worker. It sends several parts at a time.
func (q *Queue) StoreResult(ctx context.Context, parts []queue.Part) error {
	const most = 4
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := make(chan struct{}, most)
	var all sync.WaitGroup
	var mu sync.Mutex
	var first error
	for i := range parts {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := q.storePart(ctx, &parts[i]); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = err
				}
				cancel()
			}
		})
	}
	all.Wait()
	return first
}

func (q *Queue) storePart(ctx context.Context, part *queue.Part) error {
	if len(part.Data) > queue.PartBytes {
		return fmt.Errorf("part %d of job %d has %d bytes, must be %d or fewer", part.Index, part.Job, len(part.Data), queue.PartBytes)
	}
	fields, err := json.Marshal(partFields{Index: part.Index, Worker: part.Worker, Total: part.Total})
	if err != nil {
		return fmt.Errorf("part %d of job %d: %w", part.Index, part.Job, err)
	}
	msg := nats.NewMsg(resultSubject(part.Run, part.Job))
	msg.Header = nats.Header{kindHeader: {kindPart}, partHeader: {string(fields)}}
	msg.Data = part.Data
	err = q.persist(ctx, fmt.Sprintf("storing part %d of job %d of run %s", part.Index, part.Job, part.Run), func(ctx context.Context) error {
		return q.publish(ctx, resultsStream, msg)
	})
	if err == nil {
		q.room.stored(part.Run, msg.Size())
	}
	return err
}

// StoreAudit implements queue.Worker.
func (q *Queue) StoreAudit(ctx context.Context, audit *queue.AuditResult) error {
	return q.storeJSON(ctx, kindAudit, audit.Run, audit.Job, audit)
}

// StoreDeadLetter implements queue.Worker. It shortens an error that is too long for a
// message.
func (q *Queue) StoreDeadLetter(ctx context.Context, letter *queue.DeadLetter) error {
	const most = 64 << 10
	short := *letter
	if len(short.Error) > most {
		short.Error = short.Error[:most] + " …"
	}
	return q.storeJSON(ctx, kindDead, letter.Run, letter.Job, &short)
}

func (q *Queue) storeJSON(ctx context.Context, kind, run string, job int64, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s of job %d: %w", kind, job, err)
	}
	msg := nats.NewMsg(resultSubject(run, job))
	if kind == kindAudit {
		msg.Subject += auditSuffix
	}
	msg.Header = nats.Header{kindHeader: {kind}}
	msg.Data = data
	return q.persist(ctx, fmt.Sprintf("storing the %s of job %d of run %s", kind, job, run), func(ctx context.Context) error {
		return q.publish(ctx, resultsStream, msg)
	})
}

// limits are what a result of a run can be.
type limits struct {
	jobs int64                                   // 0 to jobs−1
	job  func(number int64) (first, count int64) // its episodes
}

// arrival decodes a message of the stream of results. Whatever no worker stores is an
// error.
func (l *limits) arrival(subject string, header nats.Header, data []byte) (queue.Arrival, error) {
	run, job, audit, err := parseResultSubject(subject)
	if err != nil {
		return queue.Arrival{}, err
	}
	if job >= l.jobs {
		return queue.Arrival{}, fmt.Errorf("run %s has %d jobs, and none with the number %d", run, l.jobs, job)
	}
	kind := header.Get(kindHeader)
	if audit != (kind == kindAudit) {
		return queue.Arrival{}, fmt.Errorf("kind %q does not belong to subject %q", kind, subject)
	}
	first, count := l.job(job)
	switch kind {
	case kindPart:
		var fields partFields
		if err := strict([]byte(header.Get(partHeader)), &fields); err != nil {
			return queue.Arrival{}, fmt.Errorf("header %s: %w", partHeader, err)
		}
		if fields.Index < 0 || fields.Index >= 1<<16 || len(data) > queue.PartBytes {
			return queue.Arrival{}, fmt.Errorf("part %d with %d bytes, must be 0 to %d with %d or fewer", fields.Index, len(data), 1<<16-1, queue.PartBytes)
		}
		if err := checkTotal(fields.Total, count); err != nil {
			return queue.Arrival{}, err
		}
		return queue.Arrival{Part: &queue.Part{
			Run: run, Job: job, Index: fields.Index, Data: data, Worker: fields.Worker, Total: fields.Total,
		}}, nil
	case kindAudit:
		answer := new(queue.AuditResult)
		if err := strict(data, answer); err != nil {
			return queue.Arrival{}, fmt.Errorf("answer to an audit: %w", err)
		}
		if answer.Run != run || answer.Job != job {
			return queue.Arrival{}, fmt.Errorf("answer to an audit is of job %d of run %s", answer.Job, answer.Run)
		}
		return queue.Arrival{Audit: answer}, checkTotal(&answer.Total, count)
	case kindDead:
		letter := new(queue.DeadLetter)
		if err := strict(data, letter); err != nil {
			return queue.Arrival{}, fmt.Errorf("dead letter: %w", err)
		}
		switch {
		case letter.Run != run || letter.Job != job:
			err = fmt.Errorf("dead letter is of job %d of run %s", letter.Job, letter.Run)
		case letter.First != first || letter.Count != count:
			err = fmt.Errorf("dead letter has %d episodes from %d on, must have %d from %d on", letter.Count, letter.First, count, first)
		case letter.Deliveries < 0:
			err = errors.New("dead letter has a negative number of deliveries")
		}
		return queue.Arrival{Dead: letter}, err
	}
	return queue.Arrival{}, fmt.Errorf("header %s is %q, must be %s, %s or %s", kindHeader, kind, kindPart, kindAudit, kindDead)
}

// checkTotal refuses the total of a whole result that a job of a number of episodes cannot
// have.
func checkTotal(total *queue.Total, episodes int64) error {
	if total != nil && (total.Episodes != episodes || total.Plies < 0) {
		return fmt.Errorf("total is %d episodes and %d plies; the job has %d episodes", total.Episodes, total.Plies, episodes)
	}
	return nil
}
