package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/mend"
)

func (a *app) datasetMergeCommand() *cobra.Command {
	var out string
	cmd := newCommand("merge DIR…",
		"Join data sets that have different games of one run",
		`Merge copies the games of data sets of one run, which different machines have played, into
one data set. The number of a game identifies it: a game that is in several data sets is
copied once, and must be the same in all of them. Data sets of different runs have games
with the same numbers, and merge refuses them; dataset export accepts them together. The
same command resumes an interrupted merge.`,
		`  sandtable dataset merge runs/part-1 runs/part-2 --out runs/whole`,
		func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage(errors.New("--out is missing, must be the DIR of the merged data set"))
			}
			ctx := cmd.Context()
			progress, end := a.countingEpisodes("merging", args)
			m, err := mend.Merge(ctx, args, out, progress)
			end()
			switch {
			case errors.Is(err, mend.ErrMixed), errors.Is(err, dataset.ErrSettings), errors.Is(err, dataset.ErrUnlisted):
				return usage(err)
			case err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
				return fmt.Errorf("stopped; %s keeps the games that it has, and the same command resumes the merge", out)
			case err != nil:
				return badData(err)
			}
			state := "complete"
			if !m.Complete {
				state = "unfinished"
			}
			_, err = fmt.Fprintf(a.out, "%s games added; %s has %s games of run %s and is %s\n",
				report.Count(m.Settings.Count(m.Jobs)), out, report.Count(m.Episodes), m.Run, state)
			return err
		})
	cmd.Flags().StringVar(&out, "out", "", "`DIR` of the merged data set (required)")
	return cmd
}
