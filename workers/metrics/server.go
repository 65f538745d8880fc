package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// Server shows a Farm over HTTP. It owns its bound address from Listen on.
type Server struct {
	listener net.Listener
}

// Listen binds an address, HOST:PORT. Its error says what is wrong with it.
func Listen(addr string) (*Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another with --listen, or --listen off", addr, cause(err))
	}
	return &Server{listener: listener}, nil
}

// cause strips what net wraps around the reason and the caller says itself.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}

// Addr returns the bound address.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close gives the address back. It is for a Server that is not served.
func (s *Server) Close() error { return s.listener.Close() }

// Times of the server. A request is a few lines, and an answer is short, except
// for a profile, which net/http/pprof gives the time it needs.
const (
	readTime     = 10 * time.Second
	writeTime    = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
)

// Serve answers requests until the context ends, lets those under way finish
// for a few seconds, and returns nil. It returns early with an error only when
// the listener fails.
func (s *Server) Serve(ctx context.Context, handler http.Handler) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("metrics on %s: %w", s.Addr(), err)
	case <-ctx.Done():
	}
	patience, stop := context.WithTimeout(base, shutdownTime)
	defer stop()
	if err := server.Shutdown(patience); err != nil {
		cancel()
		_ = server.Close() // what is cut off now is a reader that hangs
	}
	<-failed
	return nil
}
