package natsq

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

// Connect connects to a running server, for which it waits as Options.Wait says, and
// creates the streams that do not exist if it has the right to. The queue restores a
// connection that is lost later, for as long as it takes.
func Connect(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	if err := errors.Join(o.check(), o.checkAddress()); err != nil {
		return nil, err
	}
	login, err := o.login()
	if err != nil {
		return nil, err
	}
	certificates, err := o.certificates()
	if err != nil {
		return nil, err
	}
	q := newQueue(o)
	dialer := &recordingDialer{Dialer: net.Dialer{Timeout: attempt}}
	settings := append(q.connection(), nats.SetCustomDialer(dialer))
	settings = append(append(settings, login...), certificates...)
	return q.connect(ctx, func() (*nats.Conn, error) {
		dialer.failure = nil
		conn, err := nats.Connect(o.URL, settings...)
		if err != nil {
			return nil, o.explain(err, dialer.failure)
		}
		return conn, nil
	})
}

// connect calls dial until it succeeds, its error is permanent, or Options.Wait is over,
// and opens the queue of the connection.
func (q *Queue) connect(ctx context.Context, dial func() (*nats.Conn, error)) (*Queue, error) {
	begun := time.Now()
	var pause backoff
	const what = "connecting"
	defer q.waits.end(what)
	for {
		conn, err := dial()
		if err == nil {
			return q.open(ctx, conn)
		}
		delay := pause.next()
		over := q.options.Wait != 0 && time.Since(begun)+delay > q.options.Wait
		if over || q.options.Wait == 0 && refused(err) {
			return nil, err
		}
		q.options.Log.Warn("waiting for the NATS server", "error", err)
		q.waits.begin(what, err)
		q.options.Backoff(causeConnection, delay)
		if stop := sleep(ctx, delay); stop != nil {
			return nil, fmt.Errorf("%w (%w)", err, stop)
		}
	}
}

// connection returns the options that every connection has.
func (q *Queue) connection() []nats.Option {
	const what = "reconnecting"
	return []nats.Option{
		nats.Name("sandtable"),
		nats.Timeout(attempt),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(),
		nats.CustomReconnectDelay(func(rounds int) time.Duration {
			pause := backoff(min(rounds, 10))
			delay := pause.next()
			q.options.Backoff(causeConnection, delay)
			return delay
		}),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err == nil {
				return // Close was called
			}
			q.options.Log.Warn("lost the connection to the NATS server", "error", err)
			q.waits.begin(what, fmt.Errorf("no connection to the NATS server: %w", err))
		}),
		nats.ReconnectHandler(func(conn *nats.Conn) {
			q.options.Log.Info("restored the connection to the NATS server", "url", conn.ConnectedUrlRedacted())
			q.waits.end(what)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if refused(err) {
				q.waits.begin(what, fmt.Errorf("the NATS server rejects the credentials: %w", err))
			}
			if q.denials.report(err) {
				q.options.Log.Warn("NATS", "error", err)
			}
		}),
	}
}

// refused reports whether a server does not accept who the user is, or the user does not
// accept the server.
func refused(err error) bool {
	for _, target := range []error{
		nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired,
		nats.ErrSecureConnRequired, nats.ErrSecureConnWanted,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	var verification *tls.CertificateVerificationError
	// crypto/tls does not export the type of what the server reports.
	return errors.As(err, &verification) || strings.Contains(err.Error(), "remote error: tls: ")
}

// explain puts the reason of a failed first connection into words.
func (o *Options) explain(err, dialError error) error {
	server := redacted(o.URL)
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("the NATS server at %s rejects the credentials: %w", server, err)
	case errors.Is(err, nats.ErrNoServers) && dialError != nil:
		return fmt.Errorf("no NATS server at %s: %w", server, dialError)
	}
	return fmt.Errorf("connecting to the NATS server at %s: %w", server, err)
}

// open makes the queue use a connection, which it closes after an error.
func (q *Queue) open(ctx context.Context, conn *nats.Conn) (_ *Queue, err error) {
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	if q.js, err = jetstream.New(conn); err != nil {
		return nil, err
	}
	q.conn = conn
	server := conn.ConnectedUrlRedacted()
	if most := conn.MaxPayload(); most < queue.PartBytes+headerBytes {
		return nil, fmt.Errorf("max_payload of the NATS server at %s is %d bytes, must be %d or more",
			server, most, queue.PartBytes+headerBytes)
	}
	begun := time.Now()
	err = q.persist(ctx, "looking for JetStream", func(ctx context.Context) error {
		err := q.call(ctx, "INFO", "", nil, nil)
		const patience = 3 * time.Second // a server accepts connections before JetStream has started
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
			errors.Is(err, nats.ErrNoResponders) && time.Since(begun) > patience {
			return &permanentError{fmt.Errorf("JetStream is not enabled (%w); start the server with -js", err)}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("NATS server at %s: %w", server, err)
	}
	if err := q.makeStreams(ctx); err != nil {
		return nil, fmt.Errorf("NATS server at %s: %w", server, err)
	}
	q.opened.Store(true)
	q.keeper = newKeeper(conn, q.options)
	return q, nil
}

// recordingDialer keeps the error of the last dial, which nats.go does not report. nats.go
// dials one address at a time.
type recordingDialer struct {
	net.Dialer
	failure error
}

// Dial implements nats.CustomDialer.
func (d *recordingDialer) Dial(network, address string) (conn net.Conn, err error) {
	conn, err = d.Dialer.Dial(network, address)
	d.failure = err
	return conn, err
}
