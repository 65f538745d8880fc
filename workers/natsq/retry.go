package natsq

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// attempt is the time limit of one call, after which it is repeated.
const attempt = 5 * time.Second

// Causes of a backoff; see Options.Backoff.
const (
	causeConnection = "connection"
	causeAnswer     = "answer"
	causeStream     = "stream"
	causeRoom       = "room"
)

// persist repeats a call until it succeeds, fails permanently, or ctx is done.
func (q *Queue) persist(ctx context.Context, what string, call func(context.Context) error) error {
	var pause backoff
	var logged time.Time
	for {
		limited, cancel := context.WithTimeout(ctx, attempt)
		err := call(limited)
		cancel()
		if missing := (*missingStream)(nil); errors.As(err, &missing) && ctx.Err() == nil {
			if err = q.mend(ctx, missing); err == nil {
				if err := sleep(ctx, pause.next()); err != nil {
					return err
				}
				continue
			}
		}
		if err == nil {
			q.waits.end(what)
			return nil
		}
		if ctx.Err() != nil {
			q.waits.end(what)
			return ctx.Err()
		}
		err = inWords(err)
		if !passing(err) {
			q.waits.end(what)
			return fmt.Errorf("%s: %w", what, err)
		}
		const rare = 10 * time.Second
		if time.Since(logged) > rare {
			logged = time.Now()
			q.options.Log.Warn("the call is repeated", "what", what, "error", err)
		}
		if pause > 0 {
			q.waits.begin(what, fmt.Errorf("%s: %w", what, err))
		}
		delay := pause.next()
		q.options.Backoff(q.cause(err), delay)
		if err := sleep(ctx, delay); err != nil {
			q.waits.end(what)
			return err
		}
	}
}

// A backoff counts the pauses that were made.
type backoff int

// next returns the next pause: from 50 ms on, each twice as long, up to 5 s, and a random
// part of it, so that the workers of a farm do not all return at once.
func (b *backoff) next() time.Duration {
	const first, most = 50 * time.Millisecond, 5 * time.Second
	pause := min(first<<min(*b, 10), most)
	*b++
	return pause/2 + rand.N(pause/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
