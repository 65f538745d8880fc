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

// A Server serves a Farm over HTTP. It owns its address from Listen on.
type Server struct {
	listener net.Listener
}

// Listen binds an address, HOST:PORT.
func Listen(addr string) (*Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another with --listen, or --listen off", addr, cause(err))
	}
	return &Server{listener: listener}, nil
}

// cause returns the reason without the context that package net adds and that Listen states
// itself.
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

// Close releases the address of a Server that Serve was not called on.
func (s *Server) Close() error { return s.listener.Close() }

// Time limits of the server. Requests and responses are short, except for profiles,
// for which net/http/pprof extends the limit.
const (
	readTime     = 10 * time.Second
	writeTime    = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
)

// Serve answers requests until ctx is done, then gives those under way a few seconds to
// finish, and returns nil. It returns early with an error only if the listener fails.
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
		_ = server.Close() // ends connections whose clients hang
	}
	<-failed
	return nil
}
