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

// defaultTestPairs limits a match whose sequential test stays undecided.
const defaultTestPairs = 20_000

func (a *app) arenaCommand() *cobra.Command {
	var f matchFlags
	var sprt, out string
	cmd := newCommand("arena VARIANT AGENT AGENT",
		"Play a match between two agents and estimate the Elo difference",
		`Arena plays a match in pairs of games: each pair plays one balanced opening twice, with
seats swapped. Each default variant has a suite of 300 openings, which --seed shuffles. A
match of more than 300 pairs reuses them: agents without noise then repeat games, and arena
reports how many. For other rule sets, each pair starts with sampled plies. Arena reports
results by seat, the pentanomial counts (pairs by points), Elo, normalized Elo and the
likelihood that the first agent is stronger (LOS), with 95 % confidence intervals.

With --sprt the match ends as soon as a sequential test on normalized Elo accepts one of
its two hypotheses; the default of --pairs is then `+fmt.Sprint(defaultTestPairs)+`.

NAME=AGENT gives an agent a name for the report: mine=alphabeta:depth=3.

A match is a data set: the same command resumes an interrupted match, more --pairs extend
it, and dataset info, show and verify read it. The number of --workers does not affect the
result.`,
		`  sandtable arena trench/standard greedy random --pairs 200
  sandtable arena ntxuva/basic alphabeta:depth=3 greedy --sprt elo0=0,elo1=20
  sandtable arena trench/standard new=alphabeta:depth=3 old=alphabeta:depth=2
  sandtable arena trench/standard exec:mine,time=500ms greedy --exec 'mine=python3 agent.py' --pairs 20
  sandtable arena trench/standard greedy random --pairs 50 --openings sampled:12 --out my-match
  sandtable dataset show my-match 0 | sandtable replay trench/standard`,
		func(cmd *cobra.Command, args []string) error {
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
			a.warnRepeats(plan, 2*f.pairs)
			if out == "" {
				settings := record.Settings(plan)
				m.Dir = matchFolder("runs", &settings)
			}
			report, err := a.playMatch(cmd.Context(), m)
			if err != nil {
				return err
			}
			if f.asJSON {
				return writeJSON(a.out, struct {
					*arena.Report
					Labels map[string]string `json:"agent_labels"`
				}{report, f.labels.byLabel()})
			}
			return writeMatch(a.out, report, f.labels, func(pairs int64) string { return withPairs(cmd, args, pairs) })
		})
	f.add(cmd)
	cmd.Flags().StringVar(&sprt, "sprt", "", "end the match by a sequential test of normalized Elo, such as elo0=0,elo1=20; optionally with alpha=0.05,beta=0.05")
	cmd.Flags().StringVar(&out, "out", "", "folder of the match (default: runs/arena-VARIANT-ID)")
	return cmd
}

// playMatch plays a match and shows its progress.
func (a *app) playMatch(ctx context.Context, m arena.Match) (*arena.Report, error) {
	bar := a.newProgress("playing", m.Missing())
	m.Progress = bar.show
	report, err := arena.Play(ctx, m)
	bar.end()
	if err != nil {
		return nil, explain(ctx, err, m.Dir)
	}
	return report, nil
}
