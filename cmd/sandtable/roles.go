package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// natsFlags are the flags for connecting to a NATS server.
type natsFlags struct {
	url, creds, token, ca, cert, key string
}

// tokenVariable is an environment variable for the token. Unlike a flag, it does not show
// in the list of processes.
const tokenVariable = "SANDTABLE_NATS_TOKEN"

func (f *natsFlags) add(cmd *cobra.Command, usage string) {
	flags := cmd.Flags()
	flags.StringVar(&f.url, "nats", "", usage)
	flags.StringVar(&f.creds, "nats-creds", "", "NATS credentials `FILE` (JWT and seed)")
	flags.StringVar(&f.token, "nats-token", "", "NATS token (default: the environment variable "+tokenVariable+")")
	flags.StringVar(&f.ca, "nats-ca", "", "`FILE` of CA certificates for verifying the server")
	flags.StringVar(&f.cert, "nats-cert", "", "`FILE` of the client certificate")
	flags.StringVar(&f.key, "nats-key", "", "`FILE` of the client key")
	cmd.PreRunE = func(*cobra.Command, []string) error { return f.check() }
}

// check refuses connection flags without --nats.
func (f *natsFlags) check() error {
	if f.url != "" {
		return nil
	}
	for _, flag := range []struct{ name, value string }{
		{"nats-creds", f.creds}, {"nats-token", f.token}, {"nats-ca", f.ca}, {"nats-cert", f.cert}, {"nats-key", f.key},
	} {
		if flag.value != "" {
			return usage(fmt.Errorf("--%s needs --nats nats://HOST:PORT", flag.name))
		}
	}
	return nil
}

// options returns the connection options. A non-nil meter receives the state of the
// connection.
func (f *natsFlags) options(a *app, meter workers.Meter) natsq.Options {
	token := f.token
	if token == "" {
		token = os.Getenv(tokenVariable)
	}
	options := natsq.Options{
		URL: f.url, Creds: f.creds, Token: token, CA: f.ca, Cert: f.cert, Key: f.key, Log: a.log,
	}
	if meter != nil {
		options.Ready = meter.Ready
	}
	return options
}

// natsFolder is the folder of the embedded server's store. It exists while a run is
// unfinished.
const natsFolder = "nats"

// opener returns the function that opens the queue for the data in a folder: on the server
// of --nats, or on an embedded server with its store in the folder.
func (f *natsFlags) opener(a *app, dir string, meter workers.Meter) func(context.Context) (queue.Queue, error) {
	options := f.options(a, meter)
	if f.url != "" {
		options.Wait = -1
		return natsq.Remote(options)
	}
	return natsq.Embedded(natsq.ServerOptions{Dir: filepath.Join(dir, natsFolder), Log: a.log}, options)
}

// Usages of --nats, for a single role and for a command with an embedded server.
const (
	natsUsage    = "`URL` of the NATS server, nats://HOST:PORT"
	ownNatsUsage = "`URL` of a NATS server to use instead of an embedded one, nats://HOST:PORT"
)

// need checks that --nats is set.
func (f *natsFlags) need(cmd *cobra.Command) error {
	if f.url == "" {
		return usage(fmt.Errorf("%s needs --nats nats://HOST:PORT", cmd.CommandPath()))
	}
	return nil
}

// workerFlags are the flags of commands that play games.
type workerFlags struct {
	count int
}

func (f *workerFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.count, "workers", runtime.GOMAXPROCS(0), "number of games played in parallel")
}

// maxWorkers is more than the cores of any machine.
const maxWorkers = 4096

func (f *workerFlags) check() error {
	if f.count < 1 || f.count > maxWorkers {
		return usage(fmt.Errorf("--workers is %d, must be 1 to %d", f.count, maxWorkers))
	}
	return nil
}

// roleFlags are the flags of a command that runs a single role.
type roleFlags struct {
	nats   natsFlags
	listen listenFlags
}

func (f *roleFlags) add(cmd *cobra.Command) {
	f.nats.add(cmd, natsUsage)
	f.listen.add(cmd, off)
}

// play serves the metrics of a role, connects to the server, and calls work.
func (f *roleFlags) play(cmd *cobra.Command, a *app, role metrics.Role, work func(*natsq.Queue, *metrics.Farm) error) error {
	meter, stop, err := a.serve(f.listen, role)
	if err != nil {
		return err
	}
	defer stop()
	queue, err := natsq.Connect(cmd.Context(), f.nats.options(a, meter))
	if err != nil {
		return err
	}
	err = errors.Join(work(queue, meter), queue.Close())
	if err != nil && cmd.Context().Err() != nil {
		return fmt.Errorf("stopped; the same command resumes the work: %w", err)
	}
	return err
}

func (a *app) coordinatorCommand() *cobra.Command {
	var f roleFlags
	var plan planFlags
	cmd := newCommand("coordinator VARIANT",
		"Queue the jobs of a run for workers on other machines",
		`Coordinator defines a run, prints its id, and queues its jobs on the NATS server until
the collector has the results of all of them. It can be stopped and restarted at any
time. External agents (exec:NAME) need workers with --exec NAME=COMMAND.`,
		`  sandtable coordinator trench/standard --nats nats://farm:4222 --episodes 1000000
  sandtable collector --nats nats://farm:4222 --run ID --out data
  sandtable worker --nats nats://farm:4222`,
		func(cmd *cobra.Command, args []string) error {
			if err := f.nats.need(cmd); err != nil {
				return err
			}
			planned, err := plan.plan(cmd, args[0])
			if err != nil {
				return err
			}
			a.warnTimed(planned)
			settings := planned.Settings()
			return f.play(cmd, a, metrics.RoleCoordinator, func(q *natsq.Queue, meter *metrics.Farm) error {
				if _, err := fmt.Fprintf(a.out, "run %s\n", settings.Run()); err != nil {
					return err
				}
				bar := a.newProgress("playing", settings.Episodes)
				defer bar.end()
				return workers.Coordinate(cmd.Context(), workers.CoordinatorConfig{
					Queue: q, Plan: planned, For: plan.duration, Meter: meter, Log: a.log,
					Status: func(p queue.Progress) {
						bar.show(p.Episodes+p.Arrived.Episodes, p.Plies+p.Arrived.Plies)
					},
				})
			})
		})
	plan.add(cmd)
	f.add(cmd)
	return cmd
}

func (a *app) workerCommand() *cobra.Command {
	var f roleFlags
	var count workerFlags
	var programs programFlag
	cmd := newCommand("worker",
		"Play the jobs of coordinators",
		`Worker plays jobs of all runs on the NATS server until it is stopped. It plays a job
with an external agent (exec:NAME) only if --exec assigns a command to that name.`,
		`  sandtable worker --nats nats://farm:4222 --workers 8
  sandtable worker --nats nats://farm:4222 --exec 'mine=python3 agent.py'`,
		func(cmd *cobra.Command, _ []string) error {
			if err := f.nats.need(cmd); err != nil {
				return err
			}
			if err := count.check(); err != nil {
				return err
			}
			commands, err := programs.commands()
			if err != nil {
				return usage(err)
			}
			return f.play(cmd, a, metrics.RoleWorker, func(q *natsq.Queue, meter *metrics.Farm) error {
				a.log.Info("playing", "workers", count.count)
				return workers.Work(cmd.Context(), workers.WorkerConfig{
					Queue: q, Workers: count.count, Commands: commands, Meter: meter, Log: a.log,
				})
			})
		})
	f.add(cmd)
	count.add(cmd)
	programs.add(cmd)
	return cmd
}

func (a *app) collectorCommand() *cobra.Command {
	var f roleFlags
	var run, out string
	cmd := newCommand("collector",
		"Write the results of a run into a data set",
		`Collector writes the results of a run into a data set until the data set is complete.
The coordinator prints the id of the run. If --out is an existing data set, --run is not
needed.`,
		`  sandtable collector --nats nats://farm:4222 --run 0123456789abcdef --out data`,
		func(cmd *cobra.Command, _ []string) error {
			if err := f.nats.need(cmd); err != nil {
				return err
			}
			if out == "" {
				return usage(errors.New("collector needs --out DIR"))
			}
			if run == "" {
				m, err := dataset.Load(out)
				if err != nil {
					return usage(fmt.Errorf("collector needs --run ID, which the coordinator prints: %w", err))
				}
				run = m.Run
			}
			return f.play(cmd, a, metrics.RoleCollector, func(q *natsq.Queue, meter *metrics.Farm) error {
				a.log.Info("collecting", "run", run, "into", out)
				report, err := workers.Collect(cmd.Context(), workers.CollectorConfig{Queue: q, Dir: out, Run: run, Meter: meter, Log: a.log})
				if err == nil {
					a.log.Info("the run is complete", "episodes", report.Episodes, "plies", report.Plies, "bytes", report.Bytes)
				}
				return err
			})
		})
	f.add(cmd)
	cmd.Flags().StringVar(&run, "run", "", "`ID` of the run (default: the id in the data set of --out)")
	cmd.Flags().StringVar(&out, "out", "", "folder of the data set")
	return cmd
}
