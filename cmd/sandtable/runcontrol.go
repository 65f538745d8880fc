package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func (a *app) runCommand() *cobra.Command {
	cmd := newCommand("run",
		"Watch and control one run of a NATS server",
		`Run shows or changes one run. RUN is the id of the run or the beginning of the id, if only
one run begins with it; see sandtable runs. The roles of the run obey within seconds.`,
		`  sandtable run status 0123 --nats nats://farm:4222
  sandtable run pause 0123 --nats nats://farm:4222`,
		nil)
	cmd.AddCommand(a.runStatusCommand(), a.runPauseCommand(), a.runResumeCommand(), a.runCancelCommand(), a.runForgetCommand(), a.runScaleCommand())
	return cmd
}

// oneRun returns a command that works on one run, the first of its arguments.
func (a *app) oneRun(use, short, long, example string, work func(ctx context.Context, q queue.Operator, run *queue.RunState, args []string) error) *cobra.Command {
	var f operatorFlags
	cmd := newCommand(use, short, long, example, func(cmd *cobra.Command, args []string) error {
		return f.ask(cmd, a, func(ctx context.Context, q queue.Operator) error {
			run, err := findRun(ctx, q, args[0])
			if err != nil {
				return err
			}
			return work(ctx, q, run, args[1:])
		})
	})
	f.add(cmd)
	return cmd
}

// findRun returns the run whose id is, or begins with, a text.
func findRun(ctx context.Context, q queue.Operator, text string) (*queue.RunState, error) {
	runs, err := q.AllRuns(ctx)
	if err != nil {
		return nil, err
	}
	var found []*queue.RunState
	var ids []string
	for i := range runs {
		if runs[i].Run == text {
			return &runs[i], nil
		}
		if strings.HasPrefix(runs[i].Run, text) {
			found = append(found, &runs[i])
			ids = append(ids, runs[i].Run)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, usage(fmt.Errorf("run %q is unknown to the server; sandtable runs lists the runs", text))
	}
	return nil, usage(fmt.Errorf("run %q is ambiguous: %s begin with it", text, strings.Join(ids, ", ")))
}

func (a *app) runStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := a.oneRun("status RUN",
		"Show the state of a run",
		`Status shows what a run does and what it waits for.`,
		`  sandtable run status 0123 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, _ []string) error {
			workers, err := q.Workers(ctx)
			if err != nil {
				return err
			}
			now := time.Now()
			r := describeRun(run, workers, now)
			if asJSON {
				return writeJSON(a.out, r)
			}
			return r.write(a.out, now)
		})
	jsonFlag(cmd, &asJSON)
	return cmd
}

// write prints the state of a run.
func (r *runJSON) write(out io.Writer, now time.Time) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("run", "%s", r.Run)
	line("variant", "%s", r.Variant)
	if r.Agents[0] == r.Agents[1] {
		line("agents", "%s against itself", agent.Short(r.Agents[0]))
	} else {
		line("agents", "%s against %s", agent.Short(r.Agents[0]), agent.Short(r.Agents[1]))
	}
	line("state", "%s", r.State)
	if r.Planned > 0 {
		line("games", "%s (%.1f %%)", r.games(), 100*float64(r.Episodes)/float64(r.Planned))
	} else {
		line("games", "%s; the run has no fixed end", r.games())
	}
	line("speed", "%s; time left %s", perSecond(r.Speed), r.remaining())
	limit := ""
	if r.Limit > 0 {
		limit = fmt.Sprintf("; at most %d are allowed", r.Limit)
	}
	line("workers", "%d in %s%s", r.Workers, processes(r.Processes), limit)
	line("jobs", "%s waiting, %s held by workers, %s with results that wait for the collector",
		report.Count(r.Waiting), report.Count(r.Held), report.Count(int64(r.Results)))
	if r.Failed > 0 {
		line("failed", "%s: %s", plural(int(r.Failed), "job"), shortened(r.Jobs, 200))
	}
	line("data", "%s in %s", size(r.Bytes), plural(int(r.Shards), "shard"))
	if r.collected.IsZero() {
		line("collector", "has not reported")
	} else {
		line("collector", "last reported %s ago", span(now.Sub(r.collected)))
	}
	for _, note := range append(missing(r), r.Notes...) {
		line("note", "%s", note)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// say prints what happened to a run.
func (a *app) say(run *queue.RunState, format string, args ...any) error {
	_, err := fmt.Fprintf(a.out, "run %s %s\n", run.Run, fmt.Sprintf(format, args...))
	return err
}

func (a *app) runPauseCommand() *cobra.Command {
	return a.oneRun("pause RUN",
		"Stop handing out the jobs of a run",
		`Pause stops handing out the jobs of a run. Workers finish the jobs that they hold, and
then play other runs.`,
		`  sandtable run pause 0123 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, _ []string) error {
			return a.pauseRun(ctx, q, run)
		})
}

func (a *app) pauseRun(ctx context.Context, q queue.Operator, run *queue.RunState) error {
	return a.stopRun(ctx, q, run, stopOrder{"pause", "paused", func(o *queue.Orders) *bool { return &o.Paused }, "workers finish the jobs that they hold"})
}

// A stopOrder is an order that stops a run.
type stopOrder struct {
	verb, done string
	order      func(*queue.Orders) *bool
	effect     string
}

func (a *app) stopRun(ctx context.Context, q queue.Operator, run *queue.RunState, stop stopOrder) error {
	orders := run.Orders
	order := stop.order(&orders)
	switch {
	case *order:
		return a.say(run, "was %s already", stop.done)
	case isComplete(run):
		return fmt.Errorf("run %s is complete; there is nothing to %s", run.Run, stop.verb)
	}
	*order = true
	if err := q.PutOrders(ctx, run.Run, orders); err != nil {
		return err
	}
	return a.say(run, "is %s; %s", stop.done, stop.effect)
}

func (a *app) runResumeCommand() *cobra.Command {
	return a.oneRun("resume RUN",
		"Continue a run that is paused or cancelled",
		`Resume continues a run that is paused. It also allows a cancelled run to be continued; start
the coordinator and the collector of that run again.`,
		`  sandtable run resume 0123 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, _ []string) error {
			return a.resumeRun(ctx, q, run)
		})
}

func (a *app) resumeRun(ctx context.Context, q queue.Operator, run *queue.RunState) error {
	orders := run.Orders
	if !orders.Paused && !orders.Cancelled {
		return a.say(run, "was not paused")
	}
	orders.Paused, orders.Cancelled = false, false
	if err := q.PutOrders(ctx, run.Run, orders); err != nil {
		return err
	}
	if run.Orders.Cancelled {
		return a.say(run, "can be continued; start its coordinator and its collector again")
	}
	return a.say(run, "continues")
}

func (a *app) runCancelCommand() *cobra.Command {
	return a.oneRun("cancel RUN",
		"End a run before it is complete",
		`Cancel ends the coordinator and the collector of a run. The data set keeps the games that it
has. Resume, or forget, allows the run to be continued later.`,
		`  sandtable run cancel 0123 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, _ []string) error {
			return a.cancelRun(ctx, q, run)
		})
}

func (a *app) cancelRun(ctx context.Context, q queue.Operator, run *queue.RunState) error {
	return a.stopRun(ctx, q, run, stopOrder{"cancel", "cancelled", func(o *queue.Orders) *bool { return &o.Cancelled }, "the data set keeps the games that it has"})
}

func (a *app) runForgetCommand() *cobra.Command {
	var force bool
	cmd := a.oneRun("forget RUN",
		"Remove everything that the server holds of a run",
		`Forget removes the jobs, results, settings and orders of a run from the server. Data sets
stay as they are. Results that no collector has written are lost; the same run can be
started again and plays these games again. A run that is being played must be cancelled
first, and its collector must have ended.`,
		`  sandtable run forget 0123 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, _ []string) error {
			return a.forgetRun(ctx, q, run, force)
		})
	cmd.Flags().BoolVar(&force, "force", false, "forget the run even if it is being played; its roles end with an error")
	return cmd
}

func (a *app) forgetRun(ctx context.Context, q queue.Operator, run *queue.RunState, force bool) error {
	if reason := inUse(run, time.Now()); reason != "" && !force {
		return usage(fmt.Errorf("run %s %s, or add --force", run.Run, reason))
	}
	if err := q.Forget(ctx, run.Run); err != nil {
		return err
	}
	return a.say(run, "is forgotten; %s and the results of %s were removed from the server",
		plural(len(run.Queued.Jobs), "job"), plural(len(run.Queued.Results), "job"))
}

// inUse says why a run should not be forgotten yet. It returns "" if no role works on it.
func inUse(run *queue.RunState, now time.Time) string {
	silent := now.Sub(run.Progress.At)
	switch {
	case isComplete(run):
	case run.Orders.Cancelled && silent <= collectorEnds:
		return fmt.Sprintf("is cancelled, but its collector reported %s ago and may still write games; wait until it has ended", span(silent))
	case run.Orders.Cancelled:
	case len(run.Queued.Jobs) > 0, silent <= collectorLost:
		return "is being played; cancel it first (sandtable run cancel " + run.Run + ")"
	}
	return ""
}

// collectorEnds is the age of the last report of a collector of a cancelled run after which
// it has ended.
const collectorEnds = 15 * time.Second

// maxScale is more than the goroutines of any fleet.
const maxScale = 1_000_000

func (a *app) runScaleCommand() *cobra.Command {
	return a.oneRun("scale RUN WORKERS",
		"Limit the number of workers that play a run",
		`Scale limits the number of games of a run that are played at a time, on all machines
together. 0 removes the limit. Workers that are not needed play other runs.`,
		`  sandtable run scale 0123 4 --nats nats://farm:4222
  sandtable run scale 0123 0 --nats nats://farm:4222`,
		func(ctx context.Context, q queue.Operator, run *queue.RunState, args []string) error {
			return a.scaleRun(ctx, q, run, args[0])
		})
}

func (a *app) scaleRun(ctx context.Context, q queue.Operator, run *queue.RunState, text string) error {
	workers, err := strconv.Atoi(text)
	if err != nil || workers < 0 || workers > maxScale {
		return usage(fmt.Errorf("WORKERS is %q, must be a whole number from 0 (no limit) to %d", text, maxScale))
	}
	orders := run.Orders
	orders.Workers = workers
	if err := q.PutOrders(ctx, run.Run, orders); err != nil {
		return err
	}
	if workers == 0 {
		return a.say(run, "is played by any number of workers")
	}
	return a.say(run, "is played by at most %s at a time", plural(workers, "worker"))
}
