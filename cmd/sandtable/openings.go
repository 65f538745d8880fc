package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/selfplay/eval"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// openingsFlags are the flags of openings.
type openingsFlags struct {
	count, plies int
	within       float64
	agent        string
	seed         uint64
	workers      workerFlags
	out          string
}

func (a *app) openingsCommand() *cobra.Command {
	var f openingsFlags
	cmd := &cobra.Command{
		Use:   "openings VARIANT",
		Short: "Make a suite of balanced openings",
		Long: `Openings draws random openings after which the score is what it was at the start, in which
no position came twice, and in which an agent that looks ahead sees neither side ahead by
more than --within points. It writes their position texts, all different, a line each, as the
--starts of arena, rate and farm read them. The number of --workers never changes the result.

The suites that arena and rate use by themselves were made so; the command of each is in its
first lines.`,
		Example: `  sandtable openings trench/standard --out my-openings.txt
  sandtable openings ntxuva/8 --plies 6 --within 1 --agent alphabeta:depth=5,noise=0 --out mine.txt
  sandtable arena ntxuva/8 alphabeta greedy --starts mine.txt`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(cmd *cobra.Command, args []string) error {
			search, err := f.search(args[0])
			if err != nil {
				return usage(err)
			}
			if f.out != "" {
				if err := checkFile(f.out); err != nil {
					return usage(fmt.Errorf("--out: %w", err))
				}
			}
			bar := a.newProgressOf("openings", "searching", int64(f.count))
			search.Progress = bar.show
			positions, err := search.Run(cmd.Context())
			bar.end()
			if err != nil {
				return err
			}
			write := func(w io.Writer) error {
				return openings.Write(w, f.command(args[0], search), search.Variant, positions)
			}
			if f.out == "" {
				return write(a.out)
			}
			return writeFile(f.out, write)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.count, "count", 300, "openings to find")
	flags.IntVar(&f.plies, "plies", openings.DefaultPlies, "random plies of each")
	flags.Float64Var(&f.within, "within", 0.5, "greatest score of either side in points, to hundredths")
	flags.StringVar(&f.agent, "agent", "alphabeta:nodes=100000,noise=0", "agent that judges, alphabeta or mcts")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random plies and of the agent")
	f.workers.add(cmd)
	flags.StringVar(&f.out, "out", "", "file to write (default: standard output)")
	completeAgents(cmd, "agent")
	return cmd
}

// search checks the flags and returns the search that they ask for.
func (f *openingsFlags) search(variantText string) (*openings.Search, error) {
	v, err := lookup(variantText)
	if err != nil {
		return nil, err
	}
	if err := f.workers.check(); err != nil {
		return nil, err
	}
	judge, err := parseAgent(f.agent, v, nil)
	if err != nil {
		return nil, fmt.Errorf("--agent: %w", err)
	}
	within := math.Round(f.within * eval.Unit)
	if !(within >= 0 && within <= eval.Bound) {
		return nil, fmt.Errorf("--within is %g, must be 0 to %d points", f.within, eval.Bound/eval.Unit)
	}
	s := &openings.Search{
		Variant: v, Judge: judge, Plies: f.plies, Within: int(within), Count: f.count, Seed: f.seed, Workers: f.workers.count,
	}
	return s, s.Validate()
}

// command is the command line, for a shell, that makes the same suite again; where
// the agent has weights of one's own, their digest stands for their file.
func (f *openingsFlags) command(variantText string, s *openings.Search) string {
	return fmt.Sprintf("sandtable openings %s --count %d --plies %d --within %s --agent %s --seed %d", shellWord(variantText), s.Count, s.Plies,
		strconv.FormatFloat(float64(s.Within)/eval.Unit, 'f', -1, 64), s.Judge, s.Seed)
}
