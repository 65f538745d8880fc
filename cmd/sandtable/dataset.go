package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/workers"
)

func (a *app) datasetCommand() *cobra.Command {
	cmd := newCommand("dataset",
		"Inspect, verify, repair and export data sets",
		"",
		`  sandtable dataset info runs/my-run
  sandtable dataset verify runs/my-run
  sandtable dataset repair runs/my-run
  sandtable dataset export runs/my-run --out positions`,
		nil)
	cmd.AddCommand(
		a.datasetListCommand(), a.datasetInfoCommand(), a.datasetStatusCommand(), a.datasetShowCommand(), a.datasetVerifyCommand(), a.datasetRepairCommand(),
		a.datasetExportCommand(), a.datasetSplitCommand(), a.datasetMergeCommand(),
		a.datasetDropCommand(), a.datasetCompleteCommand(), a.datasetRequeueCommand(),
	)
	return cmd
}

func (a *app) datasetInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("info DIR",
		"Summarise a data set",
		`Info prints the rules, agents, results with confidence intervals, game lengths and size
of a data set. The content digest does not depend on order or sharding: two data sets
with the same content digest contain the same games.`,
		`  sandtable dataset info runs/my-run
  sandtable dataset info runs/my-run --json | jq .content_digest`,
		func(cmd *cobra.Command, args []string) error {
			d, err := describeData(cmd.Context(), args[0], nil)
			if err != nil {
				return badData(err)
			}
			if asJSON {
				return writeJSON(a.out, d)
			}
			return d.write(a.out, false)
		})
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) datasetShowCommand() *cobra.Command {
	var boards, moves bool
	cmd := newCommand("show DIR EPISODE",
		"Print a game of a data set",
		"",
		`  sandtable dataset show runs/my-run 0
  sandtable dataset show runs/my-run 17 --boards
  sandtable dataset show runs/my-run 17 --moves | sandtable replay trench/standard`,
		func(_ *cobra.Command, args []string) error {
			if boards && moves {
				return usage(errors.New("--boards and --moves exclude each other"))
			}
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 0 {
				return usage(fmt.Errorf("EPISODE is %q, must be a number, 0 or more", args[1]))
			}
			reader, err := parquetio.Open(args[0])
			if err != nil {
				return badData(err)
			}
			if _, err := reader.Manifest().ShardOf(number); err != nil {
				return usage(err)
			}
			var ep dataset.Episode
			if err := reader.Episode(number, &ep); err != nil {
				return badData(err)
			}
			if moves {
				return badData(replay.Moves(a.out, &reader.Manifest().Settings, &ep))
			}
			return badData(replay.Text(a.out, &reader.Manifest().Settings, &ep, boards))
		})
	cmd.Flags().BoolVar(&boards, "boards", false, "draw every position")
	cmd.Flags().BoolVar(&moves, "moves", false, "print only the move texts, without the headers that replay needs for a custom start position")
	return cmd
}

func (a *app) datasetRequeueCommand() *cobra.Command {
	return newCommand("requeue DIR",
		"Retry failed jobs (dead letters)",
		`Requeue removes the dead letters of a data set and prints them. A dead letter records a
job that failed repeatedly. The next farm or collector that writes the data set has these
jobs queued again.`,
		`  sandtable dataset requeue runs/my-run`,
		func(_ *cobra.Command, args []string) error {
			letters, err := workers.Requeue(args[0])
			if err != nil {
				return badData(err)
			}
			for _, letter := range letters {
				fmt.Fprintf(a.out, "job %d (episodes %d to %d): %s\n", letter.Job, letter.First, letter.First+letter.Count-1, letter.Error)
			}
			_, err = fmt.Fprintf(a.out, "%s will be queued again\n", plural(len(letters), "job"))
			return err
		})
}
