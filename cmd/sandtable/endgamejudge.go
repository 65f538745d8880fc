package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase/judge"
)

const defaultJudged = 10_000

func (a *app) endgameJudgeCommand() *cobra.Command {
	var o judge.Options
	var workers workerFlags
	var programs programFlag
	var asJSON bool
	cmd := newCommand("judge FILE AGENT…",
		"Measure how often agents blunder in positions of a table",
		`Judge lets each agent play random positions of the table in which a blunder is possible:
the position is won or drawn, and at least one move has a worse result. All such
positions are equally likely. Judge reports the share of positions in which the agent
plays a worse move, with a 95 % confidence interval. All agents get the same positions.`,
		`  sandtable endgame judge four.table greedy alphabeta:depth=3 alphabeta:depth=8
  sandtable endgame judge four.table mcts:sims=400 --positions 1000 --json`,
		func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(workers.check(), usage(o.Validate())); err != nil {
				return err
			}
			o.Workers = workers.count
			commands, err := programs.commands()
			if err != nil {
				return usage(err)
			}
			return withTable(args[0], func(table *tablebase.Table) error {
				var specs []agent.Spec
				for _, text := range args[1:] {
					spec, err := parseLocalAgent(text, table.Variant(), commands)
					if err != nil {
						return usage(err)
					}
					specs = append(specs, spec)
				}
				bar := a.newProgressOf("positions", "judging", int64(o.Positions*len(specs)))
				defer bar.end()
				var showing sync.Mutex
				judged := int64(0)
				o.Judged = func() {
					showing.Lock()
					defer showing.Unlock()
					judged++
					bar.show(judged, 0)
				}
				var verdicts []judge.Verdict
				for _, spec := range specs {
					v, err := judge.Agent(cmd.Context(), table, spec, o)
					if err != nil {
						return err
					}
					verdicts = append(verdicts, v)
				}
				bar.end()
				if asJSON {
					return writeJSON(a.out, map[string]any{"verdicts": verdicts})
				}
				return writeVerdicts(a.out, verdicts)
			})
		})
	cmd.Flags().IntVar(&o.Positions, "positions", defaultJudged, "number of positions per agent")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the positions and of the agents")
	cmd.Flags().IntVar(&workers.count, "workers", runtime.GOMAXPROCS(0), "number of positions judged in parallel")
	programs.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func writeVerdicts(w io.Writer, verdicts []judge.Verdict) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "blunders\tat least\tat most\tpositions\t  agent")
	for _, v := range verdicts {
		b := v.Blunders
		fmt.Fprintf(table, "%.2f %%\t%.2f %%\t%.2f %%\t%s\t  %s\n", 100*b.Estimate, 100*b.Low, 100*b.High, report.Count(b.N), agent.Short(v.Agent))
	}
	return table.Flush()
}
