package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	experimentFlags
	plan   comparePlanFlags
	expect []string
	listen listenFlags
	output reportFlags
	dryRun bool
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := newCommand("compare VARIANT…",
		"Play rule variants and report how they differ",
		`Compare plays each variant by a plan that it states first: one agent against itself with
two or more budgets of nodes, and a ladder of twice the budget against once. It reports
in one screen what the other variants change and what to try next. --full adds the
outcomes, differences to the first variant with adjusted tests, the dependence of both on
the budget, values of pieces, how the games feel, and warnings about the data. For a single
variant it reports a description, with --expect, --report or --json.

The defaults take one to three minutes on two cores for two variants of any of the games.
Before it plays, compare logs the number of games and the differences that they detect;
--dry-run stops there. The plan and the games are stored in the folder --out. The same
command resumes from there. The result does not depend on --workers. With --sequential,
compare looks at the games several times and stops early once every comparison is decided;
the error rate stays controlled.

--expect asserts a bound on a metric, such as draws<0.1, for all variants and budgets. A
prefix VARIANT: or a suffix @NODES restricts it. An expectation passes if the whole
interval satisfies it. If one fails or is undecided, the exit code is 3.

Metrics, in the units of --margin and --expect:
`+metricsHelp(),
		`  sandtable compare trench/standard trench/equal-turns
  sandtable compare trench/standard 'trench/standard{"target_points":20}' --report points.html
  sandtable compare tankchess/16x16 @my.json --games 4000 --sequential --margin first_score=0.02
  sandtable compare @my.json --expect 'draws<0.1' --expect 'first_score@2000<=0.55'
  sandtable compare trench/standard trench/equal-turns --agent alphabeta:eval=my-weights.json,noise=2
  sandtable compare ntxuva/4 ntxuva/8 --agent greedy --budgets none`,
		func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd, args, &f)
		})
	f.plan.add(cmd)
	f.experimentFlags.add(cmd, "compare", "start")
	f.listen.add(cmd, off)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.expect, "expect", nil, "expectation [VARIANT:]METRIC[@NODES]<NUMBER, or with <=, > or >=; repeatable")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the plan and what it detects, and play nothing")
	f.output.add(cmd)
	return cmd
}

// metricsHelp lists the metrics.
func metricsHelp() string {
	var b strings.Builder
	for _, m := range compare.Metrics() {
		fmt.Fprintf(&b, "  %-18s %s, %s\n", m.Name, m.Unit, m.Range)
	}
	return b.String()
}

// compare checks everything before it plays a game.
func (a *app) compare(cmd *cobra.Command, variants []string, f *compareFlags) error {
	if len(variants) == 1 && len(f.expect) == 0 && f.output.file == "" && !f.output.asJSON && !f.dryRun {
		return usage(errors.New("sandtable compare needs a second VARIANT; a single one needs --expect, --report or --json"))
	}
	commands, err := f.check()
	if err != nil {
		return err
	}
	if err := f.output.check(); err != nil {
		return usage(err)
	}
	c, err := f.comparison(cmd, variants, commands)
	if err != nil {
		return usage(err)
	}
	var expectations []compare.Expectation
	for _, text := range f.expect {
		e, err := compare.ParseExpectation(text)
		if err == nil {
			err = c.Plan.Expects(e)
		}
		if err != nil {
			return usage(fmt.Errorf("--expect: %w", err))
		}
		expectations = append(expectations, e)
	}
	c.Dir = f.folder("compare", c.Plan.Variants[0].Name, c.Plan, 8)
	a.warnTimed(c.Arms()[0].Plan)
	a.warnRepeats(c.Arms()[0].Plan, c.Plan.Games)
	if f.dryRun {
		return a.writePlan(c.Plan, f.output.asJSON)
	}
	r, err := a.playComparison(cmd.Context(), c, f, commands)
	if err != nil {
		return err
	}
	r.Label = f.plan.label
	passed, err := r.Expect(expectations...)
	if err != nil {
		return err
	}
	if err := a.publish(report.Compare(r), report.CompareJSON(r), &f.output); err != nil || passed {
		return err
	}
	return unmet(r.Checks)
}

// playComparison plays with progress shown.
func (a *app) playComparison(ctx context.Context, c *experiment.Comparison, f *compareFlags, commands agent.Commands) (*compare.Report, error) {
	meter, stop, err := a.serve(f.listen, metrics.RoleFarm)
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, line := range planned(c.Plan) {
		a.log.Info("comparing", "out", c.Dir, "plan", line)
	}
	r, err := playExperiment(ctx, a, &f.experimentFlags, &c.Local, commands, meter, c.Play)
	if err != nil {
		return nil, explain(ctx, err, c.Dir)
	}
	return r, nil
}

// unmet returns the error of the expectations that did not pass.
func unmet(checks []compare.Check) error {
	var lines []error
	for i := range checks {
		if c := &checks[i]; c.Result != compare.Passed {
			lines = append(lines, errors.New(report.CheckText(c)))
		}
	}
	return exitError{errors.Join(lines...), exitFault}
}
