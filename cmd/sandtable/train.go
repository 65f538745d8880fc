package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/plot"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/learn"
)

// trainFlags are the flags of train.
type trainFlags struct {
	agent, from  string
	recipe       learn.Recipe
	gate         string
	openingPlies int
	maxPlies     int
	seed         uint64
	iterations   int
	duration     time.Duration
	elo          float64
	workers      workerFlags
	nats         natsFlags
	out          string
	asJSON       bool
}

const (
	defaultIterations = 10
	// trainAgent plays a game in some hundredths of a second. Its noise is small, because
	// learnt weights of drawish games are.
	trainAgent = "alphabeta:nodes=500,noise=2"
	// trainMaxPlies ends games that get nowhere; few others are as long.
	trainMaxPlies = 500
)

func (a *app) trainCommand() *cobra.Command {
	f := trainFlags{recipe: learn.DefaultRecipe()}
	cmd := &cobra.Command{
		Use:   "train VARIANT",
		Short: "Make an agent stronger by its own games",
		Long: `Train plays games of an agent against itself, fits the weights of a linear evaluator to
how they went, and keeps the weights if the agent that has them beats the best one so far
in a sequential test at equal limits. Then it begins again with the best agent.

A run is a folder: best.json are the weights of the best agent, which any agent takes
(eval=FILE), curve.svg shows its Elo by iteration, and the games and matches of each
iteration are data sets. The same command resumes a run where it was cut short; more
--iterations take it further. The number of --workers never changes what is learnt.

The games are played on this machine, or, with --nats, by its workers and those of other
machines (sandtable worker) together.`,
		Example: `  sandtable train trench/standard
  sandtable train ntxuva/basic --agent alphabeta:nodes=1000 --episodes 2000 --for 10m
  sandtable train trench/standard --from runs/my-run/best.json --seed 2 --until-elo 50
  sandtable train trench/standard --agent alphabeta:nodes=5000,noise=2 --nats nats://farm:4222`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := f.run(cmd, args[0])
			if err != nil {
				return err
			}
			if f.nats.url == "" {
				return a.train(cmd.Context(), run, args[0], f.asJSON)
			}
			farm := a.openExperiment(run.Dir, &f.nats, &f.workers, nil, nil)
			run.Record = farm.Record
			return errors.Join(a.train(cmd.Context(), run, args[0], f.asJSON), farm.Close())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", trainAgent, "agent that learns; its eval is what it begins with")
	flags.StringVar(&f.from, "from", "", "file of weights to begin with, such as another run's best.json (default: the agent's eval)")
	flags.Int64Var(&f.recipe.Episodes, "episodes", f.recipe.Episodes, "self-play games of an iteration")
	flags.IntVar(&f.recipe.Window, "window", f.recipe.Window, "iterations whose games are learnt from: the last ones")
	flags.IntVar(&f.recipe.Positions, "positions", f.recipe.Positions, "quiet positions that are sampled from a game, at most")
	flags.Float64Var(&f.recipe.Mix, "mix", f.recipe.Mix, "share of the game's result in what a position is taught; the rest is the search's score")
	flags.Float64Var(&f.recipe.L2, "l2", f.recipe.L2, "penalty on weights of places, in games; a tenth of it on counts")
	flags.StringVar(&f.gate, "gate", fmt.Sprintf("elo0=%g,elo1=%g", f.recipe.Gate.Elo0, f.recipe.Gate.Elo1), "test of normalized Elo that new weights must pass, with alpha=0.05,beta=0.05 if you like")
	flags.Int64Var(&f.recipe.Gate.Pairs, "gate-pairs", f.recipe.Gate.Pairs, "pairs of games after which a test that is undecided refuses the weights")
	flags.IntVar(&f.recipe.Gate.OpeningPlies, "gate-opening-plies", f.recipe.Gate.OpeningPlies, "random plies at the start of each pair of the test, in which nobody gets ahead")
	flags.IntVar(&f.openingPlies, "opening-plies", 8, "uniformly random plies at the start of each self-play game")
	flags.IntVar(&f.maxPlies, "max-plies", trainMaxPlies, "cut a game off after so many plies; 0 is no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	flags.IntVar(&f.iterations, "iterations", defaultIterations, "iterations of the run; 0 is no limit")
	flags.DurationVar(&f.duration, "for", 0, "begin no iteration after so long (without --iterations: as many as it takes)")
	flags.Float64Var(&f.elo, "until-elo", 0, "begin no iteration when the best agent is so much above the first one (without --iterations: as many as it takes)")
	f.workers.add(cmd)
	f.nats.add(cmd, "play on this NATS server, with other machines: nats://HOST:PORT")
	flags.StringVar(&f.out, "out", "", "folder of the run (default: runs/train- and variant, id of the settings)")
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
	plan, err := selfplay.NewPlan(selfplay.Config{
		Variant: v, Agents: [2]agent.Spec{spec, spec}, Opening: selfplay.Opening{Plies: f.openingPlies}, MaxPlies: f.maxPlies, Seed: f.seed,
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

// trainFolder is where a run goes that was given no folder.
func trainFolder(r *learn.Run) string {
	name, _, _ := strings.Cut(r.Plan.Config().Variant.Name, "{")
	return filepath.Join("runs", "train-"+strings.ReplaceAll(name, "/", "-")+"-"+r.ID())
}

// train runs the loop with its progress shown, and tells of it. The variant is
// what the command line calls it.
func (a *app) train(ctx context.Context, run *learn.Run, variant string, asJSON bool) error {
	a.warnTimed(run.Plan)
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
		return badData(explainStop(ctx, err, run.Dir))
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
		return plot.LearningCurve(out, o.Variant, o.Curve)
	})
}

// explainStop makes the end of work in a folder that was cut short an error for people.
func explainStop(ctx context.Context, err error, dir string) error {
	switch {
	case foreignFolder(err):
		return usage(err)
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return fmt.Errorf("stopped; what was played is safe in %s, and the same command goes on from there", dir)
	}
	return err
}
