package natsq

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// attempt is the time limit of one call, after which it is repeated.
const attempt = 5 * time.Second

// persist repeats a call until it succeeds, fails permanently, or ctx is done.
func (q *Queue) persist(ctx context.Context, what string, call func(context.Context) error) error {
	pause := 50 * time.Millisecond
	for {
		limited, cancel := context.WithTimeout(ctx, attempt)
		err := call(limited)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(err):
			return fmt.Errorf("%s: %w", what, err)
		}
		q.options.Log.Warn("the NATS server does not answer; the call is repeated", "what", what, "error", err)
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, 2*time.Second)
	}
}

// passing reports whether an error may pass by itself: no answer, no connection, no
// leader, no room.
func passing(err error) bool {
	for _, target := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged,
		jetstream.ErrServerShutdown,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	const serviceUnavailable = 503
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == serviceUnavailable
}

// storeFailed is JetStream's error code for a message that a limit or the disk does
// not admit; only the text of the error says which.
const storeFailed jetstream.ErrorCode = 10077

// isQueued reports whether the server refused a job because it is queued already.
func isQueued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == storeFailed && api.Description == "maximum messages per subject exceeded"
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
