package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/workers"
	"github.com/sandtable-farm/sandtable/workers/metrics"
	"github.com/sandtable-farm/sandtable/workers/natsq"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

// workerFlags are the flags of commands that play games.
type workerFlags struct {
	count       int
	memory      memoryFlag
	keepCrashes bool
}

func (f *workerFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.count, "workers", runtime.GOMAXPROCS(0), "number of games played in parallel")
}

// addLimits adds the flags of commands that play the jobs of a farm.
func (f *workerFlags) addLimits(cmd *cobra.Command) {
	cmd.Flags().Var(&f.memory, "memory", "most memory that agents may need together, as a `SIZE` such as 8GiB; runs that need more are left to other workers (default: that of the machine or container)")
	cmd.Flags().BoolVar(&f.keepCrashes, "keep-crashes", false, "make a game that an external program lost because it crashed a result; otherwise its job is played again")
}

// maxWorkers is more than the cores of any machine.
const maxWorkers = 4096

func (f *workerFlags) check() error {
	if f.count < 1 || f.count > maxWorkers {
		return usage(fmt.Errorf("--workers is %d, must be 1 to %d", f.count, maxWorkers))
	}
	return nil
}

// A memoryFlag is a number of bytes; 0 means the default.
type memoryFlag int64

// memoryUnits are the units of sizes, from large to small.
func memoryUnits() []struct {
	name  string
	bytes int64
} {
	return []struct {
		name  string
		bytes int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}}
}

func (f *memoryFlag) String() string {
	for _, unit := range memoryUnits() {
		if n := int64(*f) / unit.bytes; n > 0 && n*unit.bytes == int64(*f) {
			return strconv.FormatInt(n, 10) + unit.name
		}
	}
	if *f == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*f), 10)
}

// Set implements pflag.Value.
func (f *memoryFlag) Set(text string) error {
	for _, unit := range memoryUnits() {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := n * float64(unit.bytes); err == nil && bytes >= leastMemory && bytes < 1<<62 {
			*f = memoryFlag(bytes)
			return nil
		}
	}
	return errors.New("must be a number with MiB, GiB, TiB, MB, GB or TB, at least 1MiB")
}

const leastMemory = 1 << 20

// Type implements pflag.Value.
func (f *memoryFlag) Type() string { return "size" }

// roleFlags are the flags of a command that runs a single role.
type roleFlags struct {
	nats   natsFlags
	listen listenFlags
}

func (f *roleFlags) add(cmd *cobra.Command) {
	f.nats.patient = true
	f.nats.add(cmd, natsUsage)
	f.listen.add(cmd, off)
}

// play serves the metrics of a role, connects to the server, and calls work. It logs when
// the role begins and how it ends.
func (f *roleFlags) play(cmd *cobra.Command, a *app, role metrics.Role, work func(*natsq.Queue, *metrics.Farm) error) error {
	meter, stop, err := a.serve(f.listen, role)
	if err != nil {
		return err
	}
	defer stop()
	begun := time.Now()
	log := a.log.With("role", role, "host", hostname())
	log.Info("the role begins", "version", version())
	q, err := natsq.Connect(cmd.Context(), f.nats.options(a, meter))
	switch {
	case err == nil:
		err = errors.Join(work(q, meter), q.Close())
	case role == metrics.RoleWorker && cmd.Context().Err() != nil:
		err = nil // a worker that has not begun leaves no work
	}
	log.Info("the role ends", "after", time.Since(begun).Round(time.Second))
	if wasStopped(cmd.Context(), err) {
		return interruption{"stopped; the same command resumes the work", true}
	}
	return err
}

// hostname returns the name of this machine.
func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
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
			a.warnRepeats(planned, planned.Settings().Episodes)
			settings := planned.Settings()
			return f.play(cmd, a, metrics.RoleCoordinator, func(q *natsq.Queue, meter *metrics.Farm) error {
				if _, err := fmt.Fprintf(a.out, "run %s\n", settings.Run()); err != nil {
					return err
				}
				ctx := cmd.Context()
				defer a.watchWorkers(ctx, q, settings.Run())()
				bar := a.newProgress("playing", settings.Episodes)
				defer bar.end()
				var last queue.Progress
				err := workers.Coordinate(ctx, workers.CoordinatorConfig{
					Queue: q, Plan: planned, For: plan.duration, Meter: meter, Log: a.log,
					Status: func(p queue.Progress) {
						last = p
						bar.show(p.Episodes+p.Arrived.Episodes, p.Plies+p.Arrived.Plies)
					},
				})
				a.logRun(&last, err)
				return err
			})
		})
	plan.add(cmd)
	f.add(cmd)
	f.nats.store.addReplicas(cmd)
	return cmd
}

func (a *app) workerCommand() *cobra.Command {
	var f roleFlags
	var players workerFlags
	var programs programFlag
	var name string
	cmd := newCommand("worker",
		"Play the jobs of coordinators",
		`Worker plays jobs of all runs on the NATS server until it is stopped. It plays a job
with an external agent (exec:NAME) only if --exec assigns a command to that name. Runs that
this machine cannot play, for example because they need more memory or another version of
sandtable, are left to other workers and looked at again from time to time.`,
		`  sandtable worker --nats nats://farm:4222 --workers 8
  sandtable worker --nats nats://farm:4222 --exec 'mine=python3 agent.py'`,
		func(cmd *cobra.Command, _ []string) error {
			if err := f.nats.need(cmd); err != nil {
				return err
			}
			if err := players.check(); err != nil {
				return err
			}
			commands, err := programs.commands()
			if err != nil {
				return usage(err)
			}
			return f.play(cmd, a, metrics.RoleWorker, func(q *natsq.Queue, meter *metrics.Farm) error {
				watched := &watchedWorker{Queue: q, log: a.log}
				defer watched.end()
				return workers.Work(cmd.Context(), workers.WorkerConfig{
					Queue: watched, Workers: players.count, Name: name, Version: version(), Memory: int64(players.memory),
					Commands: commands, KeepCrashes: players.keepCrashes, Meter: meter, Log: a.log,
				})
			})
		})
	f.add(cmd)
	players.add(cmd)
	players.addLimits(cmd)
	programs.add(cmd)
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of this worker process in reports and data sets, unique (default: HOST/PROCESS)")
	return cmd
}

func (a *app) collectorCommand() *cobra.Command {
	var f roleFlags
	var run, out, part string
	var trust bool
	cmd := newCommand("collector",
		"Write the results of a run into a data set",
		`Collector writes the results of a run into a data set until the data set is complete.
The coordinator prints the id of the run. If --out is an existing data set, --run is not
needed. Where one collector is too slow, several write the same folder, each its share.`,
		`  sandtable collector --nats nats://farm:4222 --run 0123456789abcdef --out data
  sandtable collector --nats nats://farm:4222 --run 0123456789abcdef --out data --share 0/2
  sandtable collector --nats nats://farm:4222 --run 0123456789abcdef --out data --share 1/2`,
		func(cmd *cobra.Command, _ []string) error {
			if err := f.nats.need(cmd); err != nil {
				return err
			}
			if out == "" {
				return usage(errors.New("collector needs --out DIR"))
			}
			share, err := queue.ParseShare(part)
			if err != nil {
				return usage(fmt.Errorf("--share: %w", err))
			}
			if run == "" {
				m, err := dataset.Load(out)
				if err != nil {
					return usage(fmt.Errorf("collector needs --run ID, which the coordinator prints: %w", err))
				}
				run = m.Run
			}
			return f.play(cmd, a, metrics.RoleCollector, func(q *natsq.Queue, meter *metrics.Farm) error {
				ctx := cmd.Context()
				a.log.Info("collecting", "run", run, "into", out)
				report, err := workers.Collect(ctx, workers.CollectorConfig{
					Queue: q, Dir: out, Run: run, Share: share, Trust: trust, Meter: meter, Log: a.log,
				})
				a.logReport(&report, err)
				return err
			})
		})
	f.add(cmd)
	cmd.Flags().StringVar(&run, "run", "", "`ID` of the run (default: the id in the data set of --out)")
	cmd.Flags().StringVar(&out, "out", "", "folder of the data set")
	cmd.Flags().StringVar(&part, "share", "0/1", "collector `I/N`: number I, from 0, of N collectors of the run, which write the same folder")
	addTrust(cmd, &trust)
	return cmd
}

// addTrust adds the flag that skips the replay of results.
func addTrust(cmd *cobra.Command, trust *bool) {
	cmd.Flags().BoolVar(trust, "trust", false, "write the results of workers without replaying them; false results then enter the data set")
}

// logRun logs how a run has ended for its coordinator.
func (a *app) logRun(p *queue.Progress, err error) {
	state := "the run is complete"
	if err != nil {
		state = "the run is not complete"
	}
	a.log.Info(state, "run", p.Run, "episodes", p.Episodes, "plies", p.Plies, "failed_jobs", p.Dead.Len())
}

// logReport logs what a collector leaves.
func (a *app) logReport(r *workers.Report, err error) {
	if r.Run == "" {
		return // it has not begun
	}
	state := "the run is complete"
	if err != nil || !r.Complete {
		state = "the run is not complete"
	}
	a.log.Info(state, "run", r.Run, "episodes", r.Episodes, "new", r.Episodes-r.Before, "plies", r.Plies, "bytes", r.Bytes, "failed_jobs", r.Dead.Len())
}

// A watchedWorker logs what a worker process reports to the queue: the runs that it begins
// to play, and a summary.
type watchedWorker struct {
	*natsq.Queue
	log  *slog.Logger
	mu   sync.Mutex
	last queue.WorkerState
	seen map[string]bool // runs
}

// ReportWorker implements queue.Worker.
func (w *watchedWorker) ReportWorker(ctx context.Context, state *queue.WorkerState) (quarantined string, err error) {
	w.watch(state)
	return w.Queue.ReportWorker(ctx, state)
}

func (w *watchedWorker) watch(state *queue.WorkerState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == nil {
		w.seen = map[string]bool{}
		w.log.Info("ready to play", "worker", state.Name, "workers", state.Workers, "cores", state.Cores, "memory", size(state.Memory))
	}
	for run := range state.Playing {
		if !w.seen[run] {
			w.seen[run] = true
			w.log.Info("playing a run", "run", run, "worker", state.Name)
		}
	}
	w.last = *state
}

// end logs the summary.
func (w *watchedWorker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.Info("played", "worker", w.last.Name, "runs", len(w.seen), "jobs", w.last.Done, "failed", w.last.Failed)
}

// watchWorkers logs jobs of a run that lost workers hold, until the function that it returns
// is called. It needs the right to read the reports of workers, and gives up without.
func (a *app) watchWorkers(ctx context.Context, q queue.Operator, run string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		said := map[string]bool{}
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(workerSilent / 3):
			}
			workers, err := q.Workers(ctx)
			if err != nil {
				if ctx.Err() == nil {
					a.log.Debug("lost workers are not noticed", "error", err)
				}
				return
			}
			now := time.Now()
			for i := range workers {
				w := &workers[i]
				note := silentNote(w, w.Playing[run], now)
				if note != "" && !said[w.Name] {
					a.log.Warn(note, "run", run)
				}
				said[w.Name] = note != ""
			}
		}
	}()
	return func() { cancel(); <-ended }
}
