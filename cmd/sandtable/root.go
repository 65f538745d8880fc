package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	helpErr   error       // of --help behind a wrong word
	drawn     atomic.Bool // a line of progress stands on the terminal
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s, log: slog.New(slog.DiscardHandler)}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := errors.Join(root.ExecuteContext(ctx), a.helpErr)
	if err == nil {
		return exitDone
	}
	text, code := ending(ctx, err, args)
	for line := range strings.Lines(text) {
		fmt.Fprintf(s.err, "sandtable: %s\n", shortened(strings.TrimSuffix(line, "\n"), 600))
	}
	return code
}

// ending returns the text and the exit code of the error of a command line.
func ending(ctx context.Context, err error, args []string) (text string, code int) {
	var coded exitError
	var stop interruption
	switch {
	case errors.As(err, &coded):
		return err.Error(), coded.code
	case errors.As(err, &stop):
		text = err.Error()
		if stop.resumable {
			text += ":\n  " + commandLine(args)
		}
		return text, exitInterrupted
	case wasStopped(ctx, err):
		return "stopped", exitInterrupted
	}
	return err.Error(), exitFailed
}

// commandLine returns a command line of this program for a shell.
func commandLine(args []string) string {
	line := "sandtable"
	for _, arg := range args {
		line += " " + shellWord(arg)
	}
	return line
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "sandtable",
		Short: "Reinforcement-learning environments and a self-play farm for board games of manoeuvre",
		Long: `Sandtable plays board games of manoeuvre exactly and fast, on one core or many
machines, and writes every game to Parquet data sets that it can verify.`,
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
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			if near := flagLike(cmd, unknown); near != "" {
				return usage(fmt.Errorf("%w%s", err, suggestion(near)))
			}
		}
		return usage(fmt.Errorf("%w; see %s --help", err, cmd.CommandPath()))
	})
	for _, group := range a.commandGroups() {
		if group.title != "" {
			root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		}
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(a.buildCommands()...)
	a.addHelp(root)
	acceptNumbers(root)
	return root
}

// commandGroups returns all commands. Those without a title are named only in one line of
// the first page.
func (a *app) commandGroups() []commandGroup {
	return []commandGroup{
		{"Games", []*cobra.Command{a.gamesCommand(), a.rulesCommand(), a.showCommand(), a.playCommand(), a.analyzeCommand()}},
		{"Self-play and data", []*cobra.Command{a.farmCommand(), a.datasetCommand(), a.runsCommand(), takes(a.trainCommand(), "minutes")}},
		{"Measure agents and rules", []*cobra.Command{
			a.arenaCommand(), a.rateCommand(), takes(a.openingsCommand(), "minutes"), a.balanceCommand(),
			takes(a.compareCommand(), "1 to 3 minutes"), takes(a.endgameCommand(), "up to minutes"),
		}},
		{"Many machines", []*cobra.Command{a.coordinatorCommand(), a.workerCommand(), a.collectorCommand(), a.runCommand(), a.workersCommand(), a.topCommand()}},
		{"", []*cobra.Command{a.agentCommand(), a.benchCommand(), a.legalCommand(), a.methodsCommand(), a.perftCommand(), a.replayCommand(), a.versionCommand()}},
	}
}

func (a *app) startLog() error {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if a.verbose {
		options.Level = slog.LevelDebug
	}
	switch a.logFormat {
	case "text":
		a.log = slog.New(slog.NewTextHandler(logWriter{a.err, &a.drawn}, options))
	case "json":
		a.log = slog.New(slog.NewJSONHandler(logWriter{a.err, &a.drawn}, options))
	default:
		return usage(fmt.Errorf("--log-format is %q, must be text or json", a.logFormat))
	}
	return nil
}
