package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// listenFlags configure the metrics server.
type listenFlags struct {
	addr      string
	chosen    func() bool // reports whether the user gave the address
	cert, key string
	tokenFile string
	pprof     bool
}

const (
	// off is the value of --listen that disables the metrics server.
	off = "off"
	// farmListen is the address of commands that serve metrics by default.
	farmListen = "127.0.0.1:9464"
	// listenTokenVariable is an environment variable for the token. Unlike a flag, it
	// does not show in the list of processes.
	listenTokenVariable = "SANDTABLE_LISTEN_TOKEN"
)

func (f *listenFlags) add(cmd *cobra.Command, addr string) {
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "listen", addr, "serve /metrics, /healthz and /readyz on this `ADDRESS`; off disables it")
	flags.StringVar(&f.cert, "listen-cert", "", "`FILE` of the certificate for HTTPS")
	flags.StringVar(&f.key, "listen-key", "", "`FILE` of the certificate's private key")
	flags.StringVar(&f.tokenFile, "listen-token-file", "", "`FILE` of the bearer token that all pages but the probes need (default: the environment variable "+listenTokenVariable+")")
	flags.BoolVar(&f.pprof, "pprof", false, "also serve profiles under /debug/pprof")
	f.chosen = func() bool { return flags.Changed("listen") }
}

// options returns the options of the server.
func (f *listenFlags) options() (o metrics.ServerOptions, err error) {
	if (f.cert == "") != (f.key == "") {
		return o, usage(errors.New("--listen-cert and --listen-key must be given together"))
	}
	o = metrics.ServerOptions{Cert: f.cert, Key: f.key, Token: os.Getenv(listenTokenVariable)}
	if f.tokenFile == "" {
		return o, nil
	}
	text, err := os.ReadFile(f.tokenFile)
	if err != nil {
		return o, usage(fmt.Errorf("--listen-token-file: %w", err))
	}
	if o.Token = strings.TrimSpace(string(text)); o.Token == "" {
		return o, usage(fmt.Errorf("--listen-token-file: %s is empty, must contain a token", f.tokenFile))
	}
	return o, nil
}

// serve binds the address at once, so that a port in use is reported before any work
// begins. It serves until the returned function is called.
func (a *app) serve(f listenFlags, role metrics.Role) (*metrics.Farm, func(), error) {
	options, err := f.options()
	if err != nil {
		return nil, nil, err
	}
	farm := metrics.New(role)
	if f.addr == off {
		return farm, func() {}, nil
	}
	options.Log = a.log
	server, err := f.listen(options)
	if err != nil {
		return nil, nil, err
	}
	a.log.Info("serving metrics", "url", server.URL()+"/metrics")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(ctx, metrics.Handler(farm, metrics.Options{Pprof: f.pprof})); err != nil {
			a.log.Error("metrics server", "error", err)
		}
	}()
	return farm, func() { cancel(); <-ended }, nil
}

// listenTries is the number of ports that are tried for an address that the user did not
// choose, so that several farms can run on one machine.
const listenTries = 100

// listen binds the address, or one with a higher port if it is in use and the user did not
// choose it.
func (f *listenFlags) listen(o metrics.ServerOptions) (*metrics.Server, error) {
	server, first := metrics.Listen(f.addr, o)
	host, port, err := net.SplitHostPort(f.addr)
	if err != nil || f.chosen() {
		return server, first
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return server, first
	}
	for try, err := 1, first; errors.Is(err, syscall.EADDRINUSE) && try < listenTries; try++ {
		if server, err = metrics.Listen(net.JoinHostPort(host, strconv.Itoa(number+try)), o); err == nil {
			return server, nil
		}
	}
	return server, first
}
