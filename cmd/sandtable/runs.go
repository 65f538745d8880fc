package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/workers/queue"
)

func (a *app) runsCommand() *cobra.Command {
	var f operatorFlags
	var asJSON bool
	cmd := newCommand("runs [DIR]",
		"List the data sets of a folder, or the runs of a NATS server",
		`Runs lists the data sets in a folder and in its subfolders, by default in runs: games
written and planned, size, variant and agents.

With --nats, it lists the runs that a NATS server knows: games that have reached the
collector and games planned, games per second over the last minute, the estimated time to
the end, workers that play the run, and failed jobs. Below the table it says what runs wait
for.`,
		`  sandtable runs
  sandtable runs my-experiments --json
  sandtable runs --nats nats://farm:4222
  sandtable runs --nats nats://farm:4222 --json | jq '.runs[] | select(.state != "playing")'`,
		func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && cmd.Flags().Changed("nats"):
				return usage(errors.New("DIR and --nats exclude each other"))
			case len(args) == 1:
				return a.listFolder(cmd.Context(), args[0], asJSON)
			case f.nats.url == "":
				return a.listFolder(cmd.Context(), "runs", asJSON)
			}
			return f.ask(cmd, a, func(ctx context.Context, q queue.Operator) error { return a.listRuns(ctx, q, asJSON) })
		})
	f.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// operatorFlags are the flags of the commands for operators.
type operatorFlags struct {
	nats natsFlags
}

func (f *operatorFlags) add(cmd *cobra.Command) {
	f.nats.add(cmd, natsUsage)
}

// answerTime is how long a server may take to answer an operator's command.
const answerTime = 30 * time.Second

// ask calls work with a connection to the server.
func (f *operatorFlags) ask(cmd *cobra.Command, a *app, work func(context.Context, queue.Operator) error) error {
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), answerTime, fmt.Errorf("the NATS server did not answer within %v", answerTime))
	defer cancel()
	q, err := f.nats.connect(ctx, cmd, a)
	if err != nil {
		return err
	}
	err = errors.Join(work(ctx, q), q.Close())
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	return err
}

// listRuns prints all runs of a server.
func (a *app) listRuns(ctx context.Context, q queue.Operator, asJSON bool) error {
	runs, err := q.AllRuns(ctx)
	if err != nil {
		return err
	}
	workers, err := q.Workers(ctx)
	if err != nil {
		return err
	}
	all := describeRuns(runs, workers, time.Now())
	if asJSON {
		return writeJSON(a.out, map[string]any{"runs": all})
	}
	return writeRuns(a.out, all)
}

func writeRuns(out io.Writer, runs []runJSON) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(out, "The server has no runs.")
		return err
	}
	_, err := io.WriteString(out, runsTable(runs))
	return err
}

// runsTable returns a table of runs with their notes below.
func runsTable(runs []runJSON) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RUN\tSTATE\tGAMES\tSPEED\tETA\tWORKERS\tFAILED\tVARIANT")
	for i := range runs {
		r := &runs[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", r.Run, r.State, r.games(), perSecond(r.Speed), r.remaining(), r.Workers, r.Failed, shortened(r.Variant, mostVariant))
	}
	_ = table.Flush() // a strings.Builder takes everything
	writeNotes(&b, runs)
	return b.String()
}

// mostVariant is the length at which variants with changed rules are cut in tables.
const mostVariant = 40

func writeNotes(b *strings.Builder, runs []runJSON) {
	blank := "\n"
	for i := range runs {
		for _, note := range append(missing(&runs[i]), runs[i].Notes...) {
			fmt.Fprintf(b, "%s%s: %s\n", blank, runs[i].Run, note)
			blank = ""
		}
	}
}

// missing says which command continues a run that lacks a role.
func missing(r *runJSON) []string {
	switch r.State {
	case runNoWorker:
		return []string{"jobs wait, but no worker plays them; start one: sandtable worker --nats URL"}
	case runNoCollector:
		return []string{fmt.Sprintf("no collector reports; start one: sandtable collector --nats URL --run %s --out DIR", r.Run)}
	case runNoCoordinator:
		return []string{"no job is queued; start its coordinator again with the same command"}
	}
	return nil
}
