package natsq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// ServerOptions say how the embedded server runs.
type ServerOptions struct {
	Dir string // its store; created when missing
	// Listen is the address for other processes, HOST:PORT with port 0 for any
	// free one. "" is none: only this process reaches the server.
	Listen string
	Token  string       // that other processes must give; "" is none
	Log    *slog.Logger // nil is silent
}

// A Server is an embedded NATS server with JetStream.
type Server struct {
	server *server.Server
	token  string
	failed <-chan error
}

// storeBytes bounds the store of the embedded server. It is given, because the
// server's own default depends on how full the disk is at the moment.
const storeBytes = 8 << 30

// StartServer starts a server and returns when it can be used.
func StartServer(ctx context.Context, o ServerOptions) (*Server, error) {
	options := &server.Options{
		ServerName:             "sandtable",
		DontListen:             o.Listen == "",
		Authorization:          o.Token,
		JetStream:              true,
		StoreDir:               o.Dir,
		JetStreamMaxMemory:     64 << 20,
		JetStreamMaxStore:      storeBytes,
		NoSigs:                 true,
		DisableJetStreamBanner: true,
	}
	if o.Listen != "" {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, fmt.Errorf("NATS server: address %q: want HOST:PORT", o.Listen)
		}
		if options.Port, err = strconv.Atoi(port); err != nil {
			return nil, fmt.Errorf("NATS server: address %q: want HOST:PORT with a number", o.Listen)
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
	failed := make(chan error, 1)
	log := &serverLog{log: o.Log, fatal: make(chan string, 1), dir: o.Dir, failed: failed}
	if log.log == nil {
		log.log = slog.New(slog.DiscardHandler)
	}
	s.SetLoggerV2(log, false, false, false)
	go s.Start()
	if err := awaitReady(ctx, s, log); err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("NATS server with its store in %s: %w", o.Dir, err)
	}
	return &Server{server: s, token: o.Token, failed: failed}, nil
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
		case text := <-log.fatal:
			return errors.New(text)
		default:
		}
	}
	return fmt.Errorf("it is not ready after %v", most)
}

// URL returns the address for other processes.
func (s *Server) URL() string { return s.server.ClientURL() }

// Connect returns a queue on the server, connected within the process.
func (s *Server) Connect(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	settings := append(o.connection(), nats.InProcessServer(s.server))
	if s.token != "" {
		settings = append(settings, nats.Token(s.token))
	}
	conn, err := nats.Connect("", settings...)
	if err != nil {
		return nil, fmt.Errorf("connecting to the embedded NATS server: %w", err)
	}
	return o.open(ctx, conn)
}

// Close stops the server and returns when its files are closed.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// Embedded returns what FarmConfig.Open needs for a server of the farm's own,
// which lives as long as the queue. Its store goes with the last run: it is
// removed when the queue is closed after Retire of every run that was put.
//
// Nobody else uses the server, so jobs that are held when it starts are held by
// the dead. They are delivered at once, and their deliveries count from one
// again: a person who starts a farm again wants it to try.
func Embedded(so ServerOptions, o Options) func(context.Context) (workers.Queue, error) {
	return func(ctx context.Context) (workers.Queue, error) {
		s, err := StartServer(ctx, so)
		if err != nil {
			return nil, err
		}
		q, err := s.Connect(ctx, o)
		if err != nil {
			s.Close()
			return nil, err
		}
		own := &ownQueue{Queue: q, server: s, dir: so.Dir, runs: map[string]bool{}}
		if err := q.reclaim(ctx); err != nil {
			return nil, errors.Join(err, own.Close())
		}
		return own, nil
	}
}

// Remote returns what FarmConfig.Open needs for a server that is there.
func Remote(o Options) func(context.Context) (workers.Queue, error) {
	return func(ctx context.Context) (workers.Queue, error) {
		q, err := Connect(ctx, o)
		if err != nil {
			return nil, err
		}
		return q, nil
	}
}

// reclaim makes the consumer of the workers afresh.
func (q *Queue) reclaim(ctx context.Context) error {
	return q.persist(ctx, "taking over jobs", func(ctx context.Context) error {
		if err := q.jobs.DeleteConsumer(ctx, workersConsumer); err != nil {
			return err
		}
		return q.makeWorkers(ctx)
	})
}

// ownQueue is a queue with its server.
type ownQueue struct {
	*Queue
	server *Server
	dir    string
	mu     sync.Mutex
	runs   map[string]bool // that were put; whether they were retired
}

// Failed implements workers.Mortal: a full disk does not empty itself, and
// nobody but this process would wait for it.
func (q *ownQueue) Failed() <-chan error { return q.server.failed }

func (q *ownQueue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	q.note(settings.Run(), false)
	return q.Queue.PutRun(ctx, settings)
}

func (q *ownQueue) Retire(ctx context.Context, run string) error {
	q.note(run, true)
	return q.Queue.Retire(ctx, run)
}

func (q *ownQueue) note(run string, retired bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs[run] = retired
}

// retired reports whether nothing is left to do.
func (q *ownQueue) retired() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, retired := range q.runs {
		if !retired {
			return false
		}
	}
	return len(q.runs) > 0
}

func (q *ownQueue) Close() error {
	err := q.Queue.Close()
	q.server.Close()
	if q.retired() {
		err = errors.Join(err, os.RemoveAll(filepath.Join(q.dir, server.JetStreamStoreDir)))
		_ = os.Remove(q.dir) // fails if the folder has files that are not the server's; they stay
	}
	return err
}

// serverLog passes on what the server logs, and remembers why it cannot run, or
// cannot store, which the server tells in its log alone.
type serverLog struct {
	log    *slog.Logger
	fatal  chan string
	dir    string
	failed chan<- error
}

func (l *serverLog) Noticef(format string, v ...any) { l.say(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.say(slog.LevelWarn, format, v) }
func (l *serverLog) Debugf(format string, v ...any)  {}
func (l *serverLog) Tracef(format string, v ...any)  {}

func (l *serverLog) Errorf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	if strings.Contains(fmt.Sprintf(format, v...), syscall.ENOSPC.Error()) {
		select {
		case l.failed <- fmt.Errorf("the embedded NATS server cannot store in %s: %w", l.dir, syscall.ENOSPC):
		default:
		}
	}
}

func (l *serverLog) Fatalf(format string, v ...any) {
	l.say(slog.LevelError, format, v)
	select {
	case l.fatal <- fmt.Sprintf(format, v...):
	default:
	}
}

func (l *serverLog) say(level slog.Level, format string, v []any) {
	if l.log.Enabled(context.Background(), level) {
		l.log.Log(context.Background(), level, "NATS server: "+fmt.Sprintf(format, v...))
	}
}
