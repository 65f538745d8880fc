package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// listenFlags configure the metrics server.
type listenFlags struct {
	addr  string
	pprof bool
}

// off is the value of --listen that disables the metrics server.
const off = "off"

func (f *listenFlags) add(cmd *cobra.Command, addr string) {
	cmd.Flags().StringVar(&f.addr, "listen", addr, "serve /metrics, /healthz and /readyz on this `ADDRESS`; off disables it")
	cmd.Flags().BoolVar(&f.pprof, "pprof", false, "also serve profiles under /debug/pprof")
}

// serve binds the address at once, so that a port in use is reported before any work
// begins. It serves until the returned function is called.
func (a *app) serve(f listenFlags, role metrics.Role) (*metrics.Farm, func(), error) {
	farm := metrics.New(role)
	if f.addr == off {
		return farm, func() {}, nil
	}
	server, err := metrics.Listen(f.addr)
	if err != nil {
		return nil, nil, err
	}
	a.log.Debug("metrics", "url", "http://"+server.Addr()+"/metrics")
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
