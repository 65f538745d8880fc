package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

func (a *app) endgameCommand() *cobra.Command {
	cmd := newCommand("endgame",
		"Solve endgames of N'txuva and look up positions",
		`Endgame solves N'txuva positions with few seeds by retrograde analysis and stores their
values in a table (a tablebase): the result with best play of both sides, and the number
of plies to it. An agent with such a table plays these positions perfectly:
alphabeta:depth=8,table=FILE.

The table ignores the counters of the rules: it counts repetition as a draw and has no
limit on plies.`,
		`  sandtable endgame solve ntxuva/4 --seeds 8 --out four.table
  sandtable endgame info four.table
  sandtable endgame verify four.table
  sandtable endgame probe four.table --position '0,0,3,0,1,0,0,1 1,0,0,2,0,1,0,0 s 0 40'
  sandtable endgame judge four.table greedy alphabeta:depth=8
  sandtable arena ntxuva/4 alphabeta:table=four.table alphabeta`,
		nil)
	cmd.AddCommand(a.endgameSolveCommand(), a.endgameInfoCommand(), a.endgameVerifyCommand(), a.endgameProbeCommand(),
		a.endgameJudgeCommand())
	return cmd
}

func (a *app) endgameSolveCommand() *cobra.Command {
	var seeds int
	var out string
	var workers workerFlags
	var asJSON bool
	cmd := newCommand("solve VARIANT",
		"Solve all positions with few seeds and write the table",
		`Solve writes a table of all positions in which each player has at most --seeds seeds.
Each position takes one byte in the file. On ntxuva/4, 6 seeds give 9 million positions
and take about a second, 8 give 166 million and take about ten seconds, and 10 give 1.9
billion and take a few minutes. Solve first logs the memory and disk space that it needs.

An existing file is verified and resumed, also after Ctrl-C; a larger --seeds extends
it. The bytes of the file depend only on the rules and the number of seeds.`,
		`  sandtable endgame solve ntxuva/4 --seeds 8 --out four.table
  sandtable endgame solve ntxuva/basic --seeds 4 --out basic.table`,
		func(cmd *cobra.Command, args []string) error {
			v, err := lookup(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				return usage(errors.New("--out FILE is missing: the file for the table"))
			}
			o := tablebase.Options{Seeds: seeds, Workers: workers.count}
			if err := errors.Join(workers.check(), usage(o.Validate(v))); err != nil {
				return err
			}
			positions, memory := o.Needs(v)
			a.log.Info("solving endgames", "positions", positions, "file_bytes", positions, "memory_bytes", memory)
			bar := a.newProgressOf("positions", "solving", positions)
			o.Progress = func(done, _ int64) { bar.show(done, 0) }
			err = tablebase.Solve(cmd.Context(), v, out, o)
			bar.end()
			if err != nil {
				return explainSolving(cmd.Context(), err, out)
			}
			return a.writeTable(out, asJSON)
		})
	cmd.Flags().IntVar(&seeds, "seeds", 6, "maximum number of seeds per player")
	cmd.Flags().StringVar(&out, "out", "", "`FILE` for the table; required")
	cmd.Flags().IntVar(&workers.count, "workers", runtime.GOMAXPROCS(0), "number of cores to use")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// explainSolving returns the error to print for a solve that has failed. If the solve
// was interrupted, the error says how to resume it.
func explainSolving(ctx context.Context, err error, file string) error {
	if !wasStopped(ctx, err) {
		return badTable(err)
	}
	safe := 0
	if table, err := tablebase.Open(file); err == nil {
		safe = table.Seeds()
		if err := table.Close(); err != nil {
			return err
		}
	}
	return interruption{fmt.Sprintf("stopped; %s is complete up to %d seeds per player, and the same command resumes the run", file, safe), true}
}

// badTable gives exit code 3 to a damaged table, and exit code 2 to a file that does not
// exist, is not a table, or belongs to other rules. A file that cannot be read or written
// has exit code 1.
func badTable(err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, tablebase.ErrDamaged):
		return exitError{err, exitFault}
	case errors.As(err, &system) && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return usage(err)
}

// withTable calls f with an open table.
func withTable(file string, f func(*tablebase.Table) error) (err error) {
	table, err := tablebase.Open(file)
	if err != nil {
		return badTable(err)
	}
	defer func() { err = errors.Join(err, table.Close()) }()
	return f(table)
}
