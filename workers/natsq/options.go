package natsq

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/workers"
)

// Options say how to reach a server, and tune the queue. A zero number means its
// default.
type Options struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas; may contain user and password
	Creds string // file with a user's JWT and seed
	Token string
	CA    string // file with the certificates that sign the server's certificate
	Cert  string // file with the client's certificate
	Key   string // file with its private key

	Log *slog.Logger // for lost connections and repeated calls; nil discards everything
	// Ready is called with the reason when the connection is lost, and with nil
	// when it is restored, as workers.Meter.Ready; it may be nil.
	Ready func(reason error)

	AckWait     time.Duration // after which the messages of a dead process are delivered again; the default is 30 s
	RetryDelay  time.Duration // before a job that failed is delivered again; the default is 5 s
	ResultBytes int64         // of results that wait for collectors, above which no job is delivered; the default is 256 MiB
}

func (o Options) withDefaults() Options {
	if o.Ready == nil {
		o.Ready = func(error) {}
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.AckWait = cmp.Or(o.AckWait, 30*time.Second)
	o.RetryDelay = cmp.Or(o.RetryDelay, 5*time.Second)
	o.ResultBytes = cmp.Or(o.ResultBytes, 256<<20)
	return o
}

// Connect connects to a running server, and creates the streams that do not exist.
// The queue restores a connection that is lost later, for as long as it takes.
func Connect(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	dialer := &recordingDialer{Dialer: net.Dialer{Timeout: 5 * time.Second}}
	settings := append(o.connection(), nats.SetCustomDialer(dialer))
	if o.Creds != "" {
		settings = append(settings, nats.UserCredentials(o.Creds))
	}
	if o.Token != "" {
		settings = append(settings, nats.Token(o.Token))
	}
	if o.CA != "" {
		settings = append(settings, nats.RootCAs(o.CA))
	}
	if o.Cert != "" {
		settings = append(settings, nats.ClientCert(o.Cert, o.Key))
	}
	conn, err := nats.Connect(o.URL, settings...)
	if err != nil {
		return nil, o.explain(err, dialer.failure)
	}
	return o.open(ctx, conn)
}

// connection returns the options that every connection has.
func (o *Options) connection() []nats.Option {
	return []nats.Option{
		nats.Name("sandtable"),
		nats.Timeout(5 * time.Second),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err == nil {
				return // Close was called
			}
			o.Log.Warn("lost the connection to the NATS server", "error", err)
			o.Ready(fmt.Errorf("no connection to the NATS server: %w", err))
		}),
		nats.ReconnectHandler(func(conn *nats.Conn) {
			o.Log.Info("restored the connection to the NATS server", "url", conn.ConnectedUrlRedacted())
			o.Ready(nil)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			o.Log.Warn("NATS", "error", err)
		}),
	}
}

func (o *Options) check() error {
	if o.URL == "" {
		return errors.New("URL of the NATS server is empty, must be nats://HOST:PORT")
	}
	for text := range strings.SplitSeq(o.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss" {
			return fmt.Errorf("NATS server %q: must be nats://HOST:PORT or tls://HOST:PORT", text)
		}
	}
	if (o.Cert == "") != (o.Key == "") {
		return errors.New("a client certificate and its private key must be given together")
	}
	if o.Cert != "" {
		if _, err := tls.LoadX509KeyPair(o.Cert, o.Key); err != nil {
			return fmt.Errorf("client certificate: %w", err)
		}
	}
	return nil
}

// explain puts the reason of a failed first connection into words.
func (o *Options) explain(err, dialError error) error {
	server := o.redacted()
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("the NATS server at %s rejects the credentials: %w", server, err)
	case errors.Is(err, nats.ErrNoServers) && dialError != nil:
		return fmt.Errorf("no NATS server at %s: %w", server, dialError)
	}
	return fmt.Errorf("connecting to the NATS server at %s: %w", server, err)
}

// hidden replaces a password or a token in an error.
const hidden = "hidden"

// redacted returns the URL without passwords and tokens.
func (o *Options) redacted() string {
	var all []string
	for text := range strings.SplitSeq(o.URL, ",") {
		if u, err := url.Parse(strings.TrimSpace(text)); err == nil {
			if _, password := u.User.Password(); password {
				u.User = url.UserPassword(u.User.Username(), hidden)
			} else if u.User != nil {
				u.User = url.User(hidden) // it was a token
			}
			text = u.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, ",")
}

// open returns the queue of a connection, which it closes after an error.
func (o Options) open(ctx context.Context, conn *nats.Conn) (_ *Queue, err error) {
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	server := conn.ConnectedUrlRedacted()
	if most := conn.MaxPayload(); most < workers.PartBytes+headerBytes {
		return nil, fmt.Errorf("max_payload of the NATS server at %s is %d bytes, must be %d or more",
			server, most, workers.PartBytes+headerBytes)
	}
	setup, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if _, err := js.AccountInfo(setup); err != nil {
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			err = fmt.Errorf("%w; start it with -js", err)
		}
		return nil, fmt.Errorf("JetStream of the NATS server at %s: %w", server, err)
	}
	q := &Queue{options: o, conn: conn, js: js, keeper: newKeeper(o.AckWait / 3)}
	if err := q.makeStreams(setup); err != nil {
		q.keeper.stop()
		return nil, fmt.Errorf("NATS server at %s: %w", server, err)
	}
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
