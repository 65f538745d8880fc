package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
	"github.com/sandtable-farm/sandtable/selfplay/record"
)

// defaultTestPairs ends a match with a test that cannot make up its mind.
const defaultTestPairs = 20_000

func (a *app) arenaCommand() *cobra.Command {
	var f matchFlags
	var sprt, out string
	cmd := &cobra.Command{
		Use:   "arena VARIANT AGENT AGENT",
		Short: "Play a match between two agents and say how sure it is",
		Long: `Arena plays a match in pairs of games: the same balanced opening twice, with seats swapped.
The default variants have suites of 300 openings, which come in an order that --seed decides,
again and again if there are more pairs; other rule sets begin with random plies. Agents without
noise repeat their games then, and arena says how many. It tells results by seat, the
pentanomial (pairs by points), Elo, normalized Elo and the likelihood that the first agent is
the stronger one, with 95 % intervals.

With --sprt the match ends as soon as a sequential test on normalized Elo accepts one of
its two hypotheses; --pairs is then ` + fmt.Sprint(defaultTestPairs) + ` unless it is given.

A match is a data set: it resumes where it was cut short, more --pairs make it longer, and
dataset info, show and verify read it. The number of --workers never changes the result.`,
		Example: `  sandtable arena trench/standard greedy random --pairs 200
  sandtable arena ntxuva/basic alphabeta:depth=3 greedy --sprt elo0=0,elo1=20
  sandtable arena trench/standard exec:mine,time=500ms greedy --exec 'mine=python3 agent.py' --pairs 20
  sandtable arena trench/standard greedy random --pairs 50 --opening-plies 12 --out my-match
  sandtable dataset show my-match 0 | sandtable replay trench/standard`,
		Args: exactArgs("a VARIANT", "an AGENT", "a second AGENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sprt != "" && !cmd.Flags().Changed("pairs") {
				f.pairs = defaultTestPairs
			}
			config, agents, err := f.config(cmd, args[0], args[1:])
			if err != nil {
				return err
			}
			config.Agents = [2]agent.Spec(agents)
			plan, err := selfplay.NewPlan(config)
			if err != nil {
				return usage(err)
			}
			plan.Forfeited = selfplay.LogForfeits(a.log)
			m := arena.Match{Dir: out, Plan: plan, Pairs: f.pairs, Workers: f.workers.count}
			if sprt != "" {
				if m.Test, err = parseSPRT(sprt); err != nil {
					return usage(fmt.Errorf("--sprt: %w", err))
				}
			}
			if err := m.Validate(); err != nil {
				return usage(err)
			}
			if out == "" {
				settings := record.Settings(plan)
				m.Dir = matchFolder("runs", &settings)
			}
			report, err := a.playMatch(cmd.Context(), m)
			if err != nil {
				return err
			}
			if f.asJSON {
				return writeJSON(a.out, report)
			}
			return writeMatch(a.out, report)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&sprt, "sprt", "", "end by a test of normalized Elo: elo0=0,elo1=20 and, if you like, alpha=0.05,beta=0.05")
	cmd.Flags().StringVar(&out, "out", "", "folder of the match (default: runs/ and variant, id of the settings)")
	return cmd
}

// playMatch plays a match with its progress shown.
func (a *app) playMatch(ctx context.Context, m arena.Match) (*arena.Report, error) {
	bar := a.newProgress("playing", m.Missing())
	m.Progress = bar.show
	report, err := arena.Play(ctx, m)
	bar.end()
	if err != nil {
		return nil, badData(explain(ctx, err, m.Dir))
	}
	return report, nil
}
