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
	cmd := &cobra.Command{
		Use:   "endgame",
		Short: "Solve the endgames of N'txuva, and look positions up",
		Long: `Endgame solves positions of N'txuva with few seeds from the end and keeps in a table
what each is worth with the best play of both sides: the result, and the plies to it.
An agent with such a table plays them perfectly: alphabeta:depth=8,table=FILE.

The counters of the rules are left out: repetition counts as a draw, and no limit of
plies is kept.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Example: `  sandtable endgame solve ntxuva/4 --seeds 8 --out four.table
  sandtable endgame info four.table
  sandtable endgame verify four.table
  sandtable endgame probe four.table --position '0,0,3,0,1,0,0,1 1,0,0,2,0,1,0,0 s 0 40'
  sandtable endgame judge four.table greedy alphabeta:depth=8
  sandtable arena ntxuva/4 alphabeta:table=four.table alphabeta`,
	}
	cmd.AddCommand(a.endgameSolveCommand(), a.endgameInfoCommand(), a.endgameVerifyCommand(), a.endgameProbeCommand(),
		a.endgameJudgeCommand())
	return cmd
}

func (a *app) endgameSolveCommand() *cobra.Command {
	var seeds int
	var out string
	var workers workerFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "solve VARIANT",
		Short: "Solve all positions with few seeds and write their table",
		Long: `Solve writes the table of all positions in which no player has more than --seeds
seeds. Each takes a byte of the file. On ntxuva/4, 6 seeds are 9 million positions and
take a second, 8 are 166 million and some ten seconds, 10 are 1.9 billion and some
minutes. What it needs is told at the beginning.

A file that is there is verified and gone on with, after Ctrl-C too, and a greater
number of seeds adds to it. The bytes depend on the rules and the seeds alone.`,
		Example: `  sandtable endgame solve ntxuva/4 --seeds 8 --out four.table
  sandtable endgame solve ntxuva/basic --seeds 4 --out basic.table`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := lookup(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				return usage(errors.New("--out is missing: the file of the table"))
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
		},
	}
	cmd.Flags().IntVar(&seeds, "seeds", 6, "seeds of a player, at most")
	cmd.Flags().StringVar(&out, "out", "", "`FILE` of the table; needed")
	cmd.Flags().IntVar(&workers.count, "workers", runtime.GOMAXPROCS(0), "cores to use")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// explainSolving turns the end of an interrupted run into how to go on.
func explainSolving(ctx context.Context, err error, file string) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return badTable(err)
	}
	safe := 0
	if table, err := tablebase.Open(file); err == nil {
		safe = table.Seeds()
		if err := table.Close(); err != nil {
			return err
		}
	}
	return fmt.Errorf("stopped with all positions of at most %d seeds a player safe in %s; the same command goes on from there", safe, file)
}

// badTable gives a damaged table exit code 3. A file that is not there, is no
// table or one of other rules is wrong usage; one that cannot be read or written
// is not.
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
