package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// trainFlags are the flags of train.
type trainFlags struct {
	agent, from string
	recipe      learn.Recipe
	gate        string
	opening     openingFlags
	maxPlies    int
	seed        uint64
	iterations  int
	duration    time.Duration
	elo         float64
	workers     workerFlags
	nats        natsFlags
	out         string
	asJSON      bool
}

const (
	defaultIterations = 10
	// trainAgent plays a game in some hundredths of a second. Its noise is small because the
	// weights learnt from drawish games are small.
	trainAgent = "alphabeta:eval=score,nodes=500,noise=2"
	// trainMaxPlies truncates games without progress; few other games are as long.
	trainMaxPlies = 500
)

func (a *app) trainCommand() *cobra.Command {
	f := trainFlags{recipe: learn.DefaultRecipe()}
	cmd := newCommand("train VARIANT",
		"Train an agent by self-play",
		`Train plays games of an agent against itself and fits the weights of a linear evaluator
to them. It keeps the new weights if the agent that uses them beats the best agent so far
in a sequential test at equal search limits. The next iteration starts with the best
agent.

A run is a folder. best.json contains the weights of the best agent, for use as eval=FILE
in any agent string. curve.svg shows its Elo by iteration. The games and matches of each
iteration are data sets. The same command resumes an interrupted run; more --iterations
extend it. The number of --workers does not affect what is learnt.

The games are played on this machine. With --nats, workers on other machines (sandtable
worker) play too.`,
		`  sandtable train trench/standard
  sandtable train ntxuva/basic --agent alphabeta:nodes=1000 --episodes 2000 --for 10m
  sandtable train trench/standard --from runs/my-run/best.json --seed 2 --until-elo 50
  sandtable train trench/standard --agent alphabeta:nodes=5000,noise=2 --nats nats://farm:4222`,
		func(cmd *cobra.Command, args []string) error {
			run, err := f.run(cmd, args[0])
			if err != nil {
				return err
			}
			if f.nats.url == "" {
				return a.train(cmd.Context(), run, args[0], f.asJSON)
			}
			farm := a.openFarm(run.Dir, &f.nats, &f.workers, nil, nil, false)
			run.Record = farm.Record
			return errors.Join(a.train(cmd.Context(), run, args[0], f.asJSON), farm.Close())
		})
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", trainAgent, "agent to train; its eval option is the initial evaluator")
	flags.StringVar(&f.from, "from", "", "`FILE` of weights to start with, such as best.json of another run (default: the agent's eval option)")
	flags.Int64Var(&f.recipe.Episodes, "episodes", f.recipe.Episodes, "number of self-play games per iteration")
	flags.IntVar(&f.recipe.Window, "window", f.recipe.Window, "number of most recent iterations whose games are used")
	flags.IntVar(&f.recipe.Positions, "positions", f.recipe.Positions, "maximum number of quiet positions sampled per game")
	flags.Float64Var(&f.recipe.Mix, "mix", f.recipe.Mix, "weight of the game result in the training target; the rest is the search score")
	flags.Float64Var(&f.recipe.L2, "l2", f.recipe.L2, "L2 penalty on the weights of piece positions, on a scale where a game has weight 1; weights of counts get a tenth of it")
	flags.StringVar(&f.gate, "gate", fmt.Sprintf("elo0=%g,elo1=%g", f.recipe.Gate.Elo0, f.recipe.Gate.Elo1), "sequential test of normalized Elo that new weights must pass, optionally with alpha=0.05,beta=0.05")
	flags.Int64Var(&f.recipe.Gate.Pairs, "gate-pairs", f.recipe.Gate.Pairs, "maximum number of pairs of the test; if it is undecided by then, the weights are rejected")
	flags.IntVar(&f.recipe.Gate.OpeningPlies, "gate-opening-plies", f.recipe.Gate.OpeningPlies, "number of random plies that keep the score level, at the start of each pair of the test")
	f.opening.add(cmd, fmt.Sprintf("sampled:%d; the test has its own", openings.DefaultPlies))
	flags.IntVar(&f.maxPlies, "max-plies", trainMaxPlies, "truncate a game after this many plies; 0 means no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	flags.IntVar(&f.iterations, "iterations", defaultIterations, "number of iterations of the run; 0 means no limit")
	flags.DurationVar(&f.duration, "for", 0, "time budget; no new iteration starts after it (without --iterations, the number of iterations is unlimited)")
	flags.Float64Var(&f.elo, "until-elo", 0, "start no new iteration once the best agent is this much Elo above the initial one (without --iterations, the number of iterations is unlimited)")
	f.workers.add(cmd)
	f.nats.add(cmd, "`URL` of a NATS server for playing on several machines, nats://HOST:PORT")
	flags.StringVar(&f.out, "out", "", "folder of the run (default: runs/train-VARIANT-ID)")
	jsonFlag(cmd, &f.asJSON)
	completeAgents(cmd, "agent")
	return cmd
}

// run checks the flags and returns the run of a variant.
func (f *trainFlags) run(cmd *cobra.Command, variantText string) (*learn.Run, error) {
	v, err := lookup(variantText)
	if err != nil {
		return nil, err
	}
	if err := f.workers.check(); err != nil {
		return nil, err
	}
	if f.duration < 0 {
		return nil, usage(fmt.Errorf("--for is %s, must be more than 0", f.duration))
	}
	spec, err := parseAgent(f.agent, v, nil)
	if err != nil {
		return nil, usage(fmt.Errorf("--agent: %w", err))
	}
	if f.from != "" {
		if spec, err = spec.WithEvaluator(f.from, v, &agent.Sources{ReadFile: os.ReadFile}); err != nil {
			return nil, usage(fmt.Errorf("--from: %w", err))
		}
	}
	test, err := parseSPRT(f.gate)
	if err != nil {
		return nil, usage(fmt.Errorf("--gate: %w", err))
	}
	opening, err := f.opening.opening(cmd, v, f.seed, openings.Sampled())
	if err != nil {
		return nil, usage(err)
	}
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec}, Opening: opening, MaxPlies: f.maxPlies, Seed: f.seed,
	})
	if err != nil {
		return nil, usage(err)
	}
	run := &learn.Run{
		Dir: f.out, Recipe: f.recipe, Workers: f.workers.count, Plan: plan,
		Stop: learn.Stop{Iterations: f.iterations, Elo: f.elo},
	}
	run.Recipe.Gate.SPRT = *test
	if f.duration > 0 {
		run.Stop.At = time.Now().Add(f.duration)
	}
	if (f.duration > 0 || f.elo > 0) && !cmd.Flags().Changed("iterations") {
		run.Stop.Iterations = 0
	}
	if err := run.Validate(); err != nil {
		return nil, usage(err)
	}
	if run.Dir == "" {
		run.Dir = trainFolder(run)
	}
	return run, nil
}

// trainFolder returns the default folder of a run.
func trainFolder(r *learn.Run) string {
	return runFolder("runs", "train", r.Plan.Config().Variant.Name, r.ID())
}

// train runs the training loop, shows its progress and prints the result. variant is the
// variant string of the command line.
func (a *app) train(ctx context.Context, run *learn.Run, variant string, asJSON bool) error {
	a.warnTimed(run.Plan)
	a.warnRepeats(run.Plan, run.Recipe.Episodes)
	var bar *progress
	end := func() {
		if bar != nil {
			bar.end()
		}
	}
	run.Watch = func(iteration int, stage learn.Stage, games int64) func(int64, int64) {
		end()
		bar = a.newProgress(fmt.Sprintf("iteration %d, %s", iteration, stage), games)
		return bar.show
	}
	run.Finished = func(o *learn.Outcome) error {
		end()
		bar = nil
		if !asJSON {
			if err := writeIteration(a.out, o); err != nil {
				return err
			}
		}
		return drawCurve(o)
	}
	outcome, err := learn.Train(ctx, *run)
	end()
	if err != nil {
		return explain(ctx, err, run.Dir)
	}
	if err := drawCurve(outcome); err != nil {
		return err
	}
	if asJSON {
		return writeJSON(a.out, outcome)
	}
	return writeTraining(a.out, outcome, variant)
}

const curveFigure = "curve.svg"

func drawCurve(o *learn.Outcome) error {
	return writeFile(filepath.Join(o.Dir, curveFigure), func(out io.Writer) error {
		points := make([]plot.LearningPoint, len(o.Curve))
		for i, p := range o.Curve {
			points[i] = plot.LearningPoint{Iteration: p.Iteration, Games: 2 * p.Pairs, Accepted: p.Accepted, Candidate: p.Candidate, Best: p.Best}
		}
		return plot.LearningCurve(out, o.Variant, points)
	})
}
