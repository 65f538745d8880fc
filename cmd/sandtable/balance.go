package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func (a *app) balanceCommand() *cobra.Command {
	var asJSON bool
	var unit string
	cmd := &cobra.Command{
		Use:   "balance DIR…",
		Short: "Tell from data sets how the seats and the types of pieces are balanced",
		Long: `Balance tells what the games of data sets of one rule set say of its balance: what
the seats are worth, what a piece of each type is worth, what types of pieces do and
suffer and how long they live. Every number has its 95 % interval and what it rests
on; where nothing can be told it says so. With --json it also tells where pieces
stand, kill and die.

It describes how the agents of these games play. Values are associations in such
games: who is ahead in a type may be ahead in more than counts show.`,
		Example: `  sandtable balance runs/my-run
  sandtable balance runs/my-run runs/another-seed --unit Soldier
  sandtable balance runs/my-run --json | jq .values.phases[0].types`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("sandtable balance needs a DIR; see sandtable balance --help"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var sources []balance.Source
			episodes := int64(0)
			for _, dir := range args {
				s, err := balance.Open(dir)
				if err != nil {
					return badData(err)
				}
				sources = append(sources, s)
				episodes += s.Count
			}
			bar := a.newProgress("counting", episodes)
			report, err := balance.Analyze(cmd.Context(), sources, balance.Options{Unit: unit, Goroutines: runtime.GOMAXPROCS(0), Progress: bar.show})
			bar.end()
			switch {
			case errors.Is(err, balance.ErrSources):
				return usage(err)
			case errors.Is(err, balance.ErrUnit):
				return usage(fmt.Errorf("--%w", err))
			case err != nil:
				return badData(err)
			case asJSON:
				return writeJSON(a.out, report)
			}
			return writeBalance(a.out, report)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().StringVar(&unit, "unit", "", "piece type that is worth 1, by name or symbol (default the most frequent one at the start)")
	return cmd
}
