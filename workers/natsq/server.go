package natsq

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions configure the embedded server.
type ServerOptions struct {
	Dir string // its store; created when it does not exist
	// Listen is the address for other processes, HOST:PORT; port 0 means any free
	// one. "" means that only this process reaches the server.
	Listen string
	Token  string // that other processes must send; "" means none
	// SyncInterval is how often the files of the store are synced; the default is 2 min.
	// SyncAlways syncs them before each message is acknowledged. See doc.go.
	SyncInterval time.Duration
	SyncAlways   bool
	// Started, unless nil, is called by Embedded with the URL of the server for other
	// processes when it is ready.
	Started func(url string)
	Log     *slog.Logger // nil discards everything
}

// A Server is an embedded NATS server with JetStream.
type Server struct {
	server *server.Server
	token  string
	failed <-chan error
}

// storeBytes bounds the store of the embedded server. The server's own default depends
// on how full the disk is at the moment.
const storeBytes = 8 << 30

// StartServer starts a server and returns when it is ready.
func StartServer(ctx context.Context, o ServerOptions) (*Server, error) {
	options := &server.Options{
		ServerName:             "sandtable",
		DontListen:             o.Listen == "",
		Authorization:          o.Token,
		JetStream:              true,
		StoreDir:               o.Dir,
		JetStreamMaxMemory:     64 << 20,
		JetStreamMaxStore:      storeBytes,
		SyncInterval:           o.SyncInterval,
		SyncAlways:             o.SyncAlways,
		NoSigs:                 true,
		DisableJetStreamBanner: true,
	}
	if o.Listen != "" {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, fmt.Errorf("NATS server: address is %q, must be HOST:PORT", o.Listen)
		}
		if options.Port, err = strconv.Atoi(port); err != nil {
			return nil, fmt.Errorf("NATS server: address is %q, must be HOST:PORT with a numeric port", o.Listen)
		}
		if options.Port == 0 {
			options.Port = server.RANDOM_PORT
		}
		options.Host = host
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("NATS server: %w", err)
	}
	log := &serverLog{
		log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), dir: o.Dir, fatal: make(chan error, 1), failed: make(chan error, 1),
	}
	s.SetLoggerV2(log, false, false, false)
	go s.Start()
	if err := awaitReady(ctx, s, log); err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("NATS server with its store in %s: %w", o.Dir, err)
	}
	return &Server{server: s, token: o.Token, failed: log.failed}, nil
}

func awaitReady(ctx context.Context, s *server.Server, log *serverLog) error {
	const step, most = 30 * time.Millisecond, 30 * time.Second
	for begun := time.Now(); time.Since(begun) < most; {
		if s.ReadyForConnections(step) && s.JetStreamEnabled() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-log.fatal:
			return err
		default:
		}
	}
	return fmt.Errorf("not ready after %v", most)
}

// URL returns the address for other processes.
func (s *Server) URL() string { return s.server.ClientURL() }

// Connect returns a queue on the server, connected within the process.
func (s *Server) Connect(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	o.Wait = -1 // it runs, or it does not
	if err := o.check(); err != nil {
		return nil, err
	}
	q := newQueue(o)
	settings := append(q.connection(), nats.InProcessServer(s.server))
	if s.token != "" {
		settings = append(settings, nats.Token(s.token))
	}
	return q.connect(ctx, func() (*nats.Conn, error) {
		conn, err := nats.Connect("", settings...)
		if err != nil {
			return nil, fmt.Errorf("connecting to the embedded NATS server: %w", err)
		}
		return conn, nil
	})
}

// Close stops the server and returns when its files are closed.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// serverLog passes on what the server logs, and extracts why it cannot start or
// cannot store, which the server reports in its log only.
type serverLog struct {
	log           *slog.Logger
	dir           string
	fatal, failed chan error // of room for one
}

func (l *serverLog) Noticef(format string, v ...any) { l.say(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.say(slog.LevelWarn, format, v) }
func (l *serverLog) Debugf(format string, v ...any)  {}
func (l *serverLog) Tracef(format string, v ...any)  {}

func (l *serverLog) Errorf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	if strings.Contains(fmt.Sprintf(format, v...), syscall.ENOSPC.Error()) {
		offer(l.failed, fmt.Errorf("the embedded NATS server cannot store in %s: %w", l.dir, syscall.ENOSPC))
	}
}

func (l *serverLog) Fatalf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	offer(l.fatal, fmt.Errorf(format, v...))
}

// offer sends the first error of a channel, and drops those that follow.
func offer(to chan<- error, err error) {
	select {
	case to <- err:
	default:
	}
}

func (l *serverLog) say(level slog.Level, format string, v []any) {
	if l.log.Enabled(context.Background(), level) {
		l.log.Log(context.Background(), level, "NATS server: "+fmt.Sprintf(format, v...))
	}
}
