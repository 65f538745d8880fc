package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/workers/queue"
)

func (a *app) workersCommand() *cobra.Command {
	var f operatorFlags
	var asJSON bool
	var pardon string
	cmd := newCommand("workers",
		"List the worker processes of a NATS server",
		`Workers lists the worker processes that have reported to a NATS server within a minute: games
that they play at a time, jobs done and failed, and games per second over the last minute.
Below the table it says which runs a worker refuses and which workers are quarantined
because their results were wrong.`,
		`  sandtable workers --nats nats://farm:4222
  sandtable workers --nats nats://farm:4222 --pardon host/1234`,
		func(cmd *cobra.Command, _ []string) error {
			return f.ask(cmd, a, func(ctx context.Context, q queue.Operator) error {
				if cmd.Flags().Changed("pardon") {
					return a.pardon(ctx, q, pardon)
				}
				return a.listWorkers(ctx, q, asJSON)
			})
		})
	f.add(cmd)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().StringVar(&pardon, "pardon", "", "end the quarantine of the worker process with this `NAME`")
	return cmd
}

// listWorkers prints all worker processes of a server.
func (a *app) listWorkers(ctx context.Context, q queue.Operator, asJSON bool) error {
	workers, err := q.Workers(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(a.out, map[string]any{"workers": append([]queue.WorkerState{}, workers...)})
	}
	return writeFleet(a.out, workers, time.Now())
}

func (a *app) pardon(ctx context.Context, q queue.Operator, name string) error {
	if name == "" {
		return usage(fmt.Errorf("--pardon needs the name of a worker process; sandtable workers lists them"))
	}
	if err := q.Pardon(ctx, name); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "worker %s may take jobs again\n", name)
	return err
}

func writeFleet(out io.Writer, workers []queue.WorkerState, now time.Time) error {
	if len(workers) == 0 {
		_, err := fmt.Fprintln(out, "No worker has reported within a minute.")
		return err
	}
	_, err := io.WriteString(out, workersTable(workers, now))
	return err
}

// workersTable returns a table of worker processes with notes below.
func workersTable(workers []queue.WorkerState, now time.Time) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tSTATE\tWORKERS\tCORES\tGAMES\tPLIES\tJOBS\tFAILED\tVERSION")
	var notes []string
	for i := range workers {
		w := &workers[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", workerName(w), workerStatus(w, now), w.Workers, w.Cores,
			perSecond(w.Games), perSecond(w.Plies), report.Count(w.Done), report.Count(w.Failed), printable(w.Version))
		notes = append(notes, workerNotes(w)...)
	}
	_ = table.Flush() // a strings.Builder takes everything
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range notes {
		b.WriteString(note + "\n")
	}
	return b.String()
}
