package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/compare"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/workers/experiment"
	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	plan        comparePlanFlags
	nats        natsFlags
	workers     workerFlags
	programs    programFlag
	expect      []string
	listen      listenFlags
	out, report string
	dryRun      bool
	asJSON      bool
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare VARIANT VARIANT…",
		Short: "Play rule variants and tell how they differ",
		Long: `Compare plays each variant by a plan that is stated before: one agent against itself, with
two budgets or more, so that it shows what depends on strength, and a ladder of twice the
budget against once. It tells outcomes, differences to the first variant with adjusted tests,
how both depend on thinking, what pieces are worth, how the games feel and what there is to
doubt. A single variant is described, with --expect, --report or --json.

The defaults take one to three minutes on two cores for two variants of any of the games.
Before it plays, compare logs how many games that is and what differences they can find;
--dry-run ends there. The plan and the games are in the folder --out, where the same command
goes on if it was cut short; the number of --workers never changes the result. With
--sequential it looks at the games several times and ends early when all is decided, without
more errors for that.

--expect is for tests of rules: METRIC<NUMBER, with <, <=, > or >=, of all variants and budgets,
or VARIANT:METRIC@NODES<NUMBER of one. It passes where the whole interval does; where it fails,
or is undecided, the exit code is 3.

Metrics, in the units of --margin and --expect:
` + metricsHelp(),
		Example: `  sandtable compare trench/standard trench/equal-turns
  sandtable compare trench/standard 'trench/standard{"target_points":20}' --report points.html
  sandtable compare tankchess/16x16 @my.json --games 4000 --sequential --margin first_score=0.02
  sandtable compare @my.json --expect 'draws<0.1' --expect 'first_score@2000<=0.55'
  sandtable compare trench/standard trench/equal-turns --agent alphabeta:eval=my-weights.json,noise=2
  sandtable compare ntxuva/4 ntxuva/8 --agent greedy --budgets none`,
		ValidArgsFunction: completeVariants,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("sandtable compare needs a VARIANT; see sandtable compare --help"))
			}
			return a.compare(cmd, args, &f)
		},
	}
	f.plan.add(cmd)
	f.workers.add(cmd)
	f.nats.add(cmd, ownNatsUsage)
	f.listen.add(cmd, off)
	f.programs.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.expect, "expect", nil, "[VARIANT:]METRIC[@NODES]<NUMBER, or <=, >, >=: what must hold; may be repeated")
	flags.StringVar(&f.out, "out", "", "folder of the comparison (default: runs/ and baseline, id of the plan)")
	flags.StringVar(&f.report, "report", "", "file to write a report to as well: .html or .md")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what the plan is and what it can find, and play nothing")
	jsonFlag(cmd, &f.asJSON)
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

// compare checks everything before it plays anything.
func (a *app) compare(cmd *cobra.Command, variants []string, f *compareFlags) error {
	if len(variants) == 1 && len(f.expect) == 0 && f.report == "" && !f.asJSON && !f.dryRun {
		return usage(errors.New("sandtable compare needs a second VARIANT; one alone is described with --expect, --report or --json"))
	}
	if err := f.workers.check(); err != nil {
		return err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return usage(err)
	}
	write, err := reportWriter(f.report)
	if err != nil {
		return usage(err)
	}
	c, err := f.plan.comparison(cmd, variants, commands)
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
	c.Goroutines = f.workers.count
	if c.Dir = f.out; c.Dir == "" {
		if c.Dir, err = compareFolder(c.Plan); err != nil {
			return err
		}
	}
	for i := range c.Plan.Budgets {
		v, agent := &c.Plan.Variants[0], c.Plan.Budgets[i].Agent
		plan, err := selfplay.Open(&dataset.Settings{Variant: v.Name, Digest: v.Digest, Rules: v.Rules, Agents: [2]string{agent, agent}, Files: c.Files}, nil)
		if err == nil { // else it is for the farm to say
			a.warnTimed(plan)
		}
	}
	if f.dryRun {
		return a.writePlan(c.Plan, f.asJSON)
	}
	r, err := a.playComparison(cmd.Context(), c, f)
	if err != nil {
		return err
	}
	passed, err := r.Expect(expectations...)
	if err != nil {
		return err
	}
	if err := a.publish(report.Compare(r), r, write, f.asJSON); err != nil || passed {
		return err
	}
	return unmet(r.Checks)
}

// playComparison plays with progress shown.
func (a *app) playComparison(ctx context.Context, c *experiment.Comparison, f *compareFlags) (r *compare.Report, err error) {
	meter, stop, err := a.serve(f.listen, metrics.RoleFarm)
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, line := range planned(c.Plan) {
		a.log.Info("comparing", "out", c.Dir, "plan", line)
	}
	farm := a.openFarm(c.Dir, &f.nats, &f.workers, c.Commands, meter)
	defer func() { err = errors.Join(err, farm.Close()) }()
	var bar *progress
	end := func() {
		if bar != nil {
			bar.end()
		}
	}
	c.Watch = func(stage experiment.Stage, episodes int64) func(int64, int64) {
		end()
		bar = a.newProgress(string(stage), episodes)
		return bar.show
	}
	r, err = c.Play(ctx, farm)
	end()
	if err != nil {
		return nil, explain(ctx, err, c.Dir)
	}
	return r, nil
}

// unmet is the error of expectations that did not pass.
func unmet(checks []compare.Check) error {
	var lines []error
	for i := range checks {
		if c := &checks[i]; c.Result != compare.Passed {
			lines = append(lines, fmt.Errorf("%s of %s: %s", c.Expectation, where(c), c.Answer))
		}
	}
	return exitError{errors.Join(lines...), exitFault}
}

// where names what was held against an expectation.
func where(c *compare.Check) string {
	if c.Nodes == 0 {
		return c.Variant
	}
	return fmt.Sprintf("%s with %d nodes", c.Variant, c.Nodes)
}
