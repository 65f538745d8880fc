package natsq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

const (
	waitForJob = time.Second     // how long a request for a job stays on the server
	answerTime = 2 * time.Second // after which an answer is not expected any more
	noConsumer = "503"           // status of the answer to a request that reached no consumer
)

// NextJob implements queue.Worker.
func (q *Queue) NextJob(ctx context.Context, runs []string) (queue.HeldJob, error) {
	open, err := q.withRoom(ctx, runs)
	if err != nil {
		return nil, err
	}
	if len(open) == 0 {
		return nil, sleep(ctx, waitForJob)
	}
	var held *heldJob
	err = q.guard(ctx, nextJobAPI, func(ctx context.Context) (err error) {
		held, err = q.nextJob(ctx, open)
		return err
	})
	if held == nil || err != nil {
		return nil, err // not an interface with a nil pointer
	}
	return held, nil
}

const nextJobAPI = apiPrefix + "CONSUMER.MSG.NEXT." + jobsStream + "." + workersConsumer

// nextJob asks for a job of each run in turn that has one now, and then waits for one of
// any run.
func (q *Queue) nextJob(ctx context.Context, runs []string) (*heldJob, error) {
	p := &pull{queue: q, inbox: q.conn.NewInbox(), messages: make(chan *nats.Msg, 2*len(runs)+1)}
	sub, err := q.conn.ChanSubscribe(p.inbox, p.messages)
	if err != nil {
		return nil, fmt.Errorf("requesting a job: %w", err)
	}
	defer p.end(sub)
	if len(runs) > 1 {
		for _, run := range runs {
			if err := p.ask(run, pullRequest{Batch: 1, NoWait: true}); err != nil {
				return nil, err
			}
			if held, err := p.wait(ctx, answerTime); held != nil || err != nil {
				return held, err
			}
		}
	}
	begun := time.Now()
	p.missing = 0
	for _, run := range runs {
		if err := p.ask(run, pullRequest{Batch: 1, Expires: waitForJob}); err != nil {
			return nil, err
		}
	}
	held, err := p.wait(ctx, waitForJob+answerTime)
	if err != nil {
		return nil, err
	}
	switch {
	case held == nil && p.unanswered > 0:
		q.unserved(&silence{errors.New("no answer to a request for a job")})
	case held == nil && p.missing == len(runs):
		q.unserved(fmt.Errorf("the jobs of run %s are not open to workers; its coordinator opens them", runs[0]))
	default:
		q.unserved(nil)
	}
	if held != nil || p.removed {
		return held, nil
	}
	// Runs without a consumer answer at once.
	return nil, sleep(ctx, max(0, waitForJob-time.Since(begun)))
}

// service is why a worker is not served.
type service struct {
	mu            sync.Mutex
	since, logged time.Time
}

// unserved reports why no run serves the worker when this lasts, and nil when one does.
func (q *Queue) unserved(reason error) {
	const what = "waiting for a job"
	const patience, rare = 3 * time.Second, time.Minute // a run that ends is not listed a moment later
	s := &q.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if reason == nil {
		s.since = time.Time{}
		q.waits.end(what)
		return
	}
	q.options.Backoff(q.cause(reason), waitForJob)
	if s.since.IsZero() {
		s.since = time.Now()
	}
	if time.Since(s.since) < patience {
		return
	}
	q.waits.begin(what, reason)
	if time.Since(s.logged) > rare {
		s.logged = time.Now()
		q.options.Log.Warn("no jobs are delivered", "error", reason)
	}
}

// A pull is a set of requests for a job, whose answers arrive in one channel. Requests
// that are not answered when the worker has a job are taken back.
type pull struct {
	queue      *Queue
	inbox      string
	messages   chan *nats.Msg
	unanswered int  // requests
	missing    int  // requests to runs that have no consumer
	removed    bool // a message that was not a job was removed
}

type pullRequest struct {
	Batch   int           `json:"batch"`
	NoWait  bool          `json:"no_wait,omitempty"`
	Expires time.Duration `json:"expires,omitempty"`
}

// ask sends a request to the consumer of a run.
func (p *pull) ask(run string, request pullRequest) error {
	data, err := json.Marshal(request)
	if err == nil {
		err = p.queue.conn.PublishRequest(nextJobAPI+run, p.inbox, data)
	}
	switch {
	case err == nil:
		p.unanswered++
	case !passing(err): // otherwise, it is as if there were no job
		return fmt.Errorf("requesting a job of run %s: %w", run, err)
	}
	return nil
}

// wait waits for a job until all requests are answered, or for some time.
func (p *pull) wait(ctx context.Context, most time.Duration) (*heldJob, error) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for p.unanswered > 0 {
		select {
		case msg := <-p.messages:
			p.unanswered--
			if held := p.queue.take(msg); held != nil {
				return held, nil
			}
			p.removed = p.removed || msg.Reply != ""
			if msg.Header.Get("Status") == noConsumer {
				p.missing++
			}
		case <-timer.C:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// take holds the job of a message. It returns nil for answers without a job, and for
// messages that are not jobs, which it removes.
func (q *Queue) take(msg *nats.Msg) *heldJob {
	if msg.Reply == "" {
		return nil // the request has expired, or the consumer does not exist
	}
	held, err := q.hold(msg)
	if err != nil {
		q.options.Log.Error("a message that is not a job is removed", "subject", msg.Subject, "error", err)
		_ = q.conn.Publish(msg.Reply, []byte(term)) // if this fails, it is delivered again, and removed then
		return nil
	}
	return held
}

// end takes back the requests that are not answered. A job that is under way is given
// back, so that it does not wait for the end of its lease. It then counts as delivered once
// more. When many runs begin at once, that can happen to a job again and again, so from its
// second delivery on it is released, and its count begins again.
func (p *pull) end(sub *nats.Subscription) {
	if p.unanswered == 0 {
		_ = sub.Unsubscribe() // it fails on a closed connection only
		return
	}
	q := p.queue
	if !q.begin() {
		_ = sub.Unsubscribe()
		return
	}
	go func() {
		defer q.late.Done()
		// What the server has sent before it knows of the end arrives before its
		// answer to the flush.
		if sub.Drain() != nil || q.conn.FlushTimeout(answerTime) != nil {
			return // without a connection, the lease ends by itself
		}
		for {
			select {
			case msg := <-p.messages:
				switch held := q.take(msg); {
				case held == nil:
				case held.deliveries == 1:
					_ = held.Retry(context.Background(), 0)
				default:
					_ = held.Release(context.Background())
				}
			default:
				return
			}
		}
	}()
}

// begin announces a goroutine for which Close waits. It reports false after Close.
func (q *Queue) begin() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.late.Add(1)
	}
	return !q.closed
}
