package natsq

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Error codes of JetStream that nats.go does not name. The text of storeFailed says which
// limit does not admit a message.
const (
	accountFull jetstream.ErrorCode = 10002 // the limits of the account
	noStorage   jetstream.ErrorCode = 10047 // the limits of the server
	noResources jetstream.ErrorCode = 10023
	storeFailed jetstream.ErrorCode = 10077
	notUnique   jetstream.ErrorCode = 10100 // another consumer has the same subjects
	notCreated  jetstream.ErrorCode = 10049 // a stream, while the server removes one of its name
	noPeers     jetstream.ErrorCode = 10005 // no suitable servers of the cluster
)

// serviceUnavailable is the code of errors that pass.
const serviceUnavailable = 503

// A permanentError does not pass.
type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }

// A missingStream is the error of a call to a stream that does not exist.
type missingStream struct {
	name string
	err  error
}

func (e *missingStream) Error() string {
	return fmt.Sprintf("stream %s does not exist; a coordinator creates it", e.name)
}

func (e *missingStream) Unwrap() error { return e.err }

// A lost run is one that the server has lost, and that its coordinator stores again.
type lost struct{ run string }

func (e *lost) Error() string {
	return fmt.Sprintf("the NATS server has lost run %s; its coordinator stores it again", e.run)
}

// A fullStream is the error of a message for which a stream or its account has no room.
type fullStream struct {
	what string
	err  error
}

func (e *fullStream) Error() string { return fmt.Sprintf("%s is full: %v", e.what, e.err) }
func (e *fullStream) Unwrap() error { return e.err }

// A silence is the error of a call that was not answered.
type silence struct{ err error }

func (e *silence) Error() string { return fmt.Sprintf("the NATS server does not answer: %v", e.err) }
func (e *silence) Unwrap() error { return e.err }

// inWords returns an error that says what is wrong.
func inWords(err error) error {
	var permanent *permanentError
	switch {
	case errors.As(err, &permanent):
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return &silence{err}
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("JetStream of the NATS server does not answer: %w", err)
	}
	return err
}

// code returns JetStream's error code, or 0.
func code(err error) jetstream.ErrorCode {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode
	}
	return 0
}

// isFull reports whether there is no room for a message.
func isFull(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	return api.ErrorCode == storeFailed && strings.HasPrefix(api.Description, "maximum ") && !isQueued(err) ||
		api.ErrorCode == accountFull || api.ErrorCode == noResources
}

// isQueued reports whether the server refused a job because it is queued already.
func isQueued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == storeFailed && api.Description == "maximum messages per subject exceeded"
}

// isTaken reports whether a key that must not exist does.
func isTaken(err error) bool {
	return code(err) == jetstream.JSErrCodeStreamWrongLastSequence || code(err) == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// passing reports whether an error may pass by itself: no answer, no connection, no
// leader, no room, no stream.
func passing(err error) bool {
	var permanent *permanentError
	if errors.As(err, &permanent) {
		return false
	}
	var missing *missingStream
	var full *fullStream
	var gone *lost
	if errors.As(err, &missing) || errors.As(err, &full) || errors.As(err, &gone) {
		return true
	}
	for _, target := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged,
		jetstream.ErrServerShutdown, net.ErrClosed, io.EOF,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	var network net.Error // of a line that was cut while a message was written
	if errors.As(err, &network) {
		return true
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.Code == serviceUnavailable || api.ErrorCode == noPeers || api.ErrorCode == notCreated)
}

// cause returns the cause of a backoff.
func (q *Queue) cause(err error) string {
	var missing *missingStream
	var full *fullStream
	var gone *lost
	switch {
	case errors.As(err, &missing), errors.As(err, &gone), code(err) == noPeers:
		return causeStream
	case errors.As(err, &full):
		return causeRoom
	case q.conn != nil && !q.conn.IsConnected():
		return causeConnection
	}
	return causeAnswer
}
