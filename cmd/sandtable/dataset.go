package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/parquetio"
	"github.com/sandtable-farm/sandtable/dataset/replay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers"
)

func (a *app) datasetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "Look at data sets and prove them",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Example: `  sandtable dataset info runs/my-run
  sandtable dataset verify runs/my-run`,
	}
	cmd.AddCommand(a.datasetInfoCommand(), a.datasetVerifyCommand(), a.datasetShowCommand(), a.datasetRequeueCommand())
	return cmd
}

// badData gives a fault of the data exit code 3, and a folder that is no data
// set exit code 2.
func badData(err error) error {
	var fault *dataset.Fault
	switch {
	case errors.As(err, &fault), errors.Is(err, dataset.ErrManifest):
		return exitError{err, exitFault}
	case errors.Is(err, dataset.ErrNoDataSet), errors.Is(err, agent.ErrNoCommand):
		return usage(err)
	}
	return err
}

func (a *app) datasetInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DIR",
		Short: "Tell what a data set holds",
		Long: `Info tells what a data set holds: rules, agents, results with their intervals,
lengths, size. The content digest is independent of order and sharding: two data sets
that have it in common hold the same games.`,
		Example: `  sandtable dataset info runs/my-run
  sandtable dataset info runs/my-run --json | jq .content_digest`,
		Args: exactArgs("a DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := describeData(cmd.Context(), args[0], nil)
			if err != nil {
				return badData(err)
			}
			if asJSON {
				return writeJSON(a.out, d)
			}
			return d.write(a.out, false)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// verifyJSON is the output of dataset verify --json.
type verifyJSON struct {
	Dir           string `json:"dir"`
	Proved        bool   `json:"proved"`
	Fault         string `json:"fault,omitempty"`
	Complete      bool   `json:"complete"`
	Episodes      int64  `json:"episodes,string"`
	Plies         int64  `json:"plies,string"`
	ContentDigest string `json:"content_digest,omitempty"`
}

func (a *app) datasetVerifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Replay every game of a data set and check every hash",
		Long: `Verify replays every game by the rules in the data set and checks every position's
hash, every result, and the SHA-256 of every file. It names the first fault and exits
with 3. An unfinished run is no fault.`,
		Example: `  sandtable dataset verify runs/my-run`,
		Args:    exactArgs("a DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := dataset.Load(args[0])
			total := int64(0)
			if err == nil {
				total = m.Episodes()
			}
			bar := a.newProgress("proving", total)
			var showing sync.Mutex
			proved := int64(0)
			report, err := replay.Verify(cmd.Context(), args[0], runtime.GOMAXPROCS(0), func(n int64) {
				showing.Lock()
				defer showing.Unlock()
				proved += n
				bar.show(proved, 0)
			})
			bar.end()
			err = badData(err)
			var coded exitError
			if asJSON && (err == nil || errors.As(err, &coded) && coded.code == exitFault) {
				v := verifyJSON{Dir: args[0], Proved: err == nil, Episodes: proved}
				if err != nil {
					v.Fault = err.Error()
				} else {
					v.Complete, v.Episodes, v.Plies, v.ContentDigest = report.Manifest.Complete, report.Episodes, report.Plies, report.ContentDigest
				}
				return errors.Join(err, writeJSON(a.out, v))
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "proved: %s games, %s plies, %d shards\ncontent %s\n",
				count(report.Episodes), count(report.Plies), len(report.Manifest.Shards), report.ContentDigest)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) datasetShowCommand() *cobra.Command {
	var boards, moves bool
	cmd := &cobra.Command{
		Use:   "show DIR EPISODE",
		Short: "Write a game of a data set as text",
		Example: `  sandtable dataset show runs/my-run 0
  sandtable dataset show runs/my-run 17 --boards
  sandtable dataset show runs/my-run 17 --moves | sandtable replay trench/standard`,
		Args: exactArgs("a DIR", "an EPISODE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if boards && moves {
				return usage(errors.New("--boards and --moves exclude each other"))
			}
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 0 {
				return usage(fmt.Errorf("EPISODE is %q, must be a number from 0 on", args[1]))
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
		},
	}
	cmd.Flags().BoolVar(&boards, "boards", false, "draw every position")
	cmd.Flags().BoolVar(&moves, "moves", false, "write the move texts alone, as replay reads them from the start position")
	return cmd
}

func (a *app) datasetRequeueCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "requeue DIR",
		Short: "Have the jobs that no worker could do tried again",
		Long: `Requeue removes the dead letters of a data set: the jobs that failed on several
workers. It prints what they say; the next farm or collector on the data set has them tried again.`,
		Example: `  sandtable dataset requeue runs/my-run`,
		Args:    exactArgs("a DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			letters, err := workers.Requeue(args[0])
			if err != nil {
				return badData(err)
			}
			for _, letter := range letters {
				fmt.Fprintf(a.out, "job %d (episodes %d to %d): %s\n", letter.Job, letter.First, letter.First+letter.Count-1, letter.Error)
			}
			_, err = fmt.Fprintf(a.out, "%d jobs will be tried again\n", len(letters))
			return err
		},
	}
}
