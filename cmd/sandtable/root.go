package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// streams are where a command reads and writes: results to out, progress and
// logs to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// app holds what all commands share.
type app struct {
	streams
	logFormat string
	verbose   bool
	log       *slog.Logger
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s, log: slog.New(slog.DiscardHandler)}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(s.err, "sandtable: %s\n", shortened(strings.TrimSuffix(line, "\n"), 600))
	}
	var coded exitError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "sandtable",
		Short: "Reinforcement-learning environments and a self-play farm for board games of manoeuvre",
		Long: `Sandtable plays board games of manoeuvre exactly and fast. It distributes self-play over
cores and machines, and writes every game to Parquet data sets that it can verify.

  VARIANT  names a rule set: trench/standard, trench/standard{"target_points":20}, @my-rules.json
  AGENT    names a player:
             ` + strings.Join(agent.Help(), "\n             "),
		Example: `  sandtable farm                        # a data set of 100,000 games of Trench
  sandtable games                       # the games and their variants
  sandtable show trench/standard        # the board`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          arguments("sandtable"),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().StringVar(&a.logFormat, "log-format", "text", "`FORMAT` of the logs on standard error: text or json")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "also log debug messages")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.startLog() }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
	})
	root.AddCommand(a.gamesCommand(), a.rulesCommand(), a.legalCommand(), a.perftCommand(), a.replayCommand(), a.showCommand(), a.analyzeCommand(), a.playCommand(), a.agentCommand(),
		a.farmCommand(), a.coordinatorCommand(), a.workerCommand(), a.collectorCommand(), a.runsCommand(), a.runCommand(), a.workersCommand(), a.topCommand(), a.datasetCommand(),
		a.arenaCommand(), a.rateCommand(), a.openingsCommand(), a.balanceCommand(), a.compareCommand(), a.methodsCommand(), a.trainCommand(), a.endgameCommand(), a.benchCommand(), a.versionCommand())
	return root
}

func (a *app) startLog() error {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if a.verbose {
		options.Level = slog.LevelDebug
	}
	switch a.logFormat {
	case "text":
		a.log = slog.New(slog.NewTextHandler(a.err, options))
	case "json":
		a.log = slog.New(slog.NewJSONHandler(a.err, options))
	default:
		return usage(fmt.Errorf("--log-format is %q, must be text or json", a.logFormat))
	}
	return nil
}
