package natsq

import (
	"cmp"
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
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
)

// ServerOptions configure the embedded server.
type ServerOptions struct {
	Dir string // its store; created when it does not exist
	// Listen is the address for other processes, HOST:PORT; port 0 means any free
	// one. "" means that only this process reaches the server.
	Listen string
	Token  string       // that other processes must send; "" means none
	Log    *slog.Logger // nil discards everything
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

// Embedded returns a workers.Config.Open that starts a server, which lives as long
// as the queue. It locks the server's store, and removes it when the queue is closed
// after Purge of every run that was put.
//
// No other process uses the server, so a job that is held when it starts belongs to a
// process that has died. It is delivered at once, and its deliveries count from one,
// because a person who starts a farm again expects it to try.
func Embedded(so ServerOptions, o Options) func(context.Context) (workers.Queue, error) {
	return func(ctx context.Context) (_ workers.Queue, err error) {
		q := &embeddedQueue{dir: so.Dir, runs: map[string]bool{}}
		if q.lock, err = dataset.AcquireLock(so.Dir); err != nil {
			return nil, fmt.Errorf("store of the embedded NATS server: %w", err)
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, q.Close())
			}
		}()
		if q.server, err = StartServer(ctx, so); err != nil {
			return nil, err
		}
		if q.Queue, err = q.server.Connect(ctx, o); err != nil {
			return nil, err
		}
		if err = q.reclaim(ctx); err != nil {
			return nil, err
		}
		return q, nil
	}
}

// Remote returns a workers.Config.Open that connects to a running server.
func Remote(o Options) func(context.Context) (workers.Queue, error) {
	return func(ctx context.Context) (workers.Queue, error) {
		q, err := Connect(ctx, o)
		if err != nil {
			return nil, err
		}
		return q, nil
	}
}

// reclaim replaces the consumer of the workers.
func (q *Queue) reclaim(ctx context.Context) error {
	return q.persist(ctx, "taking over jobs", func(ctx context.Context) error {
		err := q.jobs.DeleteConsumer(ctx, workersConsumer)
		if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
		return q.makeWorkers(ctx)
	})
}

// embeddedQueue is a queue with its server.
type embeddedQueue struct {
	*Queue         // nil until it is connected
	server *Server // nil until it runs
	lock   *dataset.Lock
	dir    string
	mu     sync.Mutex
	runs   map[string]bool // that were put; whether they were purged
}

// Failed implements workers.Failer: a full disk does not become empty by itself, and
// only this process would wait for it.
func (q *embeddedQueue) Failed() <-chan error { return q.server.failed }

func (q *embeddedQueue) PutRun(ctx context.Context, settings *dataset.Settings) error {
	q.note(settings.Run(), false)
	return q.Queue.PutRun(ctx, settings)
}

func (q *embeddedQueue) Purge(ctx context.Context, run string) error {
	q.note(run, true)
	return q.Queue.Purge(ctx, run)
}

func (q *embeddedQueue) note(run string, purged bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs[run] = purged
}

// purged reports whether the store holds nothing of any run.
func (q *embeddedQueue) purged() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, purged := range q.runs {
		if !purged {
			return false
		}
	}
	return len(q.runs) > 0
}

func (q *embeddedQueue) Close() error {
	var err error
	if q.Queue != nil {
		err = q.Queue.Close()
	}
	if q.server != nil {
		q.server.Close()
	}
	switch {
	case q.server == nil:
		return errors.Join(err, q.lock.Discard())
	case q.purged(): // files that are not the server's stay
		return errors.Join(err, os.RemoveAll(filepath.Join(q.dir, server.JetStreamStoreDir)), q.lock.Discard())
	}
	return errors.Join(err, q.lock.Release())
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
