package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

func (a *app) rateCommand() *cobra.Command {
	var f matchFlags
	var out string
	cmd := &cobra.Command{
		Use:   "rate VARIANT AGENT AGENT…",
		Short: "Rate agents by a round robin",
		Long: `Rate plays a match of each agent with each other, in pairs of games as arena does, and
rates them by the model of Bradley and Terry with Davidson's draws and an advantage of
moving first: ratings in Elo with 95 % intervals, their mean being 0.

Each match is a data set in a folder of its own; what arena or rate has played there with
the same settings is not played again, so that an agent can be added at little cost.`,
		Example: `  sandtable rate trench/standard random greedy alphabeta:depth=1 alphabeta:depth=3 --pairs 100
  sandtable rate ntxuva/basic random greedy --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 3 {
				return usage(errors.New("sandtable rate needs a VARIANT and two or more AGENTs; see sandtable rate --help"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config, agents, err := f.config(cmd, args[0], args[1:])
			if err != nil {
				return err
			}
			t := &arena.Tournament{
				Games: config, Agents: agents, Pairs: f.pairs, Workers: f.workers.count,
				Dir:       func(s *dataset.Settings) string { return matchFolder(out, s) },
				Forfeited: selfplay.LogForfeits(a.log),
			}
			if err := t.Validate(); err != nil {
				return usage(err)
			}
			missing, err := t.Missing()
			if err != nil {
				return err
			}
			bar := a.newProgress("playing", missing)
			t.Progress = bar.show
			standings, err := t.Play(cmd.Context())
			bar.end()
			if err != nil && cmd.Context().Err() != nil {
				return fmt.Errorf("%w; the same command goes on from there", err)
			}
			if err != nil {
				return badData(err)
			}
			if f.asJSON {
				return writeJSON(a.out, standings)
			}
			return writeStandings(a.out, standings)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&out, "out", "runs", "folder in which the matches lie, each in a folder of its own")
	return cmd
}
