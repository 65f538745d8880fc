package metrics

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/net/netutil"
)

// ServerOptions say who may read what a Server serves, and how. The zero value serves
// everybody who can reach the address over plain HTTP.
type ServerOptions struct {
	Cert  string       // file with the certificate for HTTPS; read for each connection, so that it can be renewed
	Key   string       // file with its private key
	Token string       // that requests must carry as "Authorization: Bearer TOKEN", except for /healthz and /readyz
	Log   *slog.Logger // for connections that fail; nil discards everything
}

// A Server serves a Farm over HTTP. It owns its address from Listen on.
type Server struct {
	listener net.Listener
	options  ServerOptions
}

// Listen binds an address, HOST:PORT.
func Listen(addr string, o ServerOptions) (*Server, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("a certificate and its private key must be given together")
	}
	if o.Cert != "" {
		if _, err := o.certificate(nil); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another with --listen, or --listen off", addr, cause(err))
	}
	return &Server{listener: netutil.LimitListener(listener, MostConnections), options: o}, nil
}

func (o *ServerOptions) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", o.Cert, o.Key, err)
	}
	return &pair, nil
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

// URL returns the address as a URL without a path.
func (s *Server) URL() string {
	if s.options.Cert != "" {
		return "https://" + s.Addr()
	}
	return "http://" + s.Addr()
}

// Close releases the address of a Server that Serve was not called on.
func (s *Server) Close() error { return s.listener.Close() }

// MostConnections is the number of connections that a Server has at a time; further clients
// wait.
const MostConnections = 64

// Time limits of the server. Requests and responses are short, except for profiles,
// for which net/http/pprof extends the limit.
const (
	readTime     = 5 * time.Second
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
		Handler:           guard(handler, s.options.Token),
		ReadHeaderTimeout: readTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	failed := make(chan error, 1)
	go func() {
		if s.options.Cert == "" {
			failed <- server.Serve(s.listener)
			return
		}
		server.TLSConfig = &tls.Config{GetCertificate: s.options.certificate}
		failed <- server.ServeTLS(s.listener, "", "")
	}()
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

// guard demands a bearer token for every page but those of probes, which reveal little and
// often cannot send one. An empty token demands nothing.
func guard(next http.Handler, token string) http.Handler {
	if token == "" {
		return next
	}
	want := sha256.Sum256([]byte("Bearer " + token)) // equal lengths, whatever a client sends
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		if subtle.ConstantTimeCompare(got[:], want[:]) == 0 && r.URL.Path != healthPath && r.URL.Path != readyPath {
			w.Header().Set("WWW-Authenticate", "Bearer")
			text(w, http.StatusUnauthorized, "unauthorized: the request needs the header Authorization: Bearer TOKEN")
			return
		}
		next.ServeHTTP(w, r)
	})
}
