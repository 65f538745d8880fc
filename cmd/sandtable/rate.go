package main

import (
	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

func (a *app) rateCommand() *cobra.Command {
	var f matchFlags
	var out string
	var full bool
	cmd := newCommand("rate VARIANT AGENT AGENT…",
		"Rate agents in a round robin",
		`Rate plays a match between every two agents, in pairs of games as arena does. It rates
the agents with the Bradley–Terry model, Davidson's extension for draws and a term for
the side to move after the opening. Ratings are in Elo, with mean 0 and 95 % confidence
intervals. A weak prior keeps them finite: every agent has one virtual draw with an agent of
the middle of the pool. Rate answers in one screen which agents are stronger than their
neighbours in the ranking; --full adds all numbers.

NAME=AGENT gives an agent a name for the report: mine=alphabeta:depth=3.

Each match is a data set in its own folder. Matches that arena or rate has already played
with the same settings are reused, so adding an agent costs only its own matches.`,
		`  sandtable rate trench/standard random greedy alphabeta:depth=1 alphabeta:depth=3 --pairs 100
  sandtable rate ntxuva/basic random greedy --json`,
		func(cmd *cobra.Command, args []string) error {
			config, agents, err := f.config(cmd, args[0], args[1:])
			if err != nil {
				return err
			}
			t := &arena.Tournament{
				Games: config, Agents: agents, Pairs: f.pairs, Workers: f.workers.count,
				Dir:       func(s *dataset.Settings) string { return matchFolder(out, s) },
				Forfeited: selfplay.LogForfeits(a.log),
			}
			missing, err := t.Missing()
			if err != nil {
				return usage(err)
			}
			bar := a.newProgress("playing", missing)
			t.Progress = bar.show
			standings, err := t.Play(cmd.Context())
			bar.end()
			if wasStopped(cmd.Context(), err) {
				return interruption{"stopped; " + out + " keeps the games so far, and the same command resumes the run", true}
			}
			if err != nil {
				return badData(err)
			}
			if f.asJSON {
				return writeJSON(a.out, struct {
					*arena.Standings
					Labels map[string]string `json:"agent_labels"`
				}{standings, f.labels.byLabel()})
			}
			if full {
				return writeFullStandings(a.out, standings, f.labels)
			}
			return writeStandings(a.out, standings, f.labels, func(pairs int64) string { return withPairs(cmd, args, pairs) })
		})
	f.add(cmd)
	cmd.Flags().BoolVar(&full, "full", false, "write all numbers, and not only the first screen")
	cmd.Flags().StringVar(&out, "out", "runs", "parent folder of the matches")
	return cmd
}
