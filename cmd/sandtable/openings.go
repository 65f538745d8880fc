package main

import (
	"errors"
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
	cmd := newCommand("openings VARIANT",
		"Generate a suite of balanced openings",
		`Openings writes a suite of openings. It draws random openings and keeps those that leave
the score as it is at the start, repeat no position, in which an agent's search finds
neither side ahead by more than --within points, and in which at most a tenth of the moves
lose at once. It writes distinct position texts, one per line, in the format of --openings
suite:FILE. The number of --workers does not affect the result. 300 openings take some
minutes; Ctrl-C writes those found so far.

The built-in suites of arena and rate were generated this way; each file starts with its
command.

The flag --openings of farm, compare, balance --handicap, arena, rate and train says how
games begin, by one of these policies:

`+openings.Help,
		`  sandtable openings trench/standard --out my-openings.txt
  sandtable openings ntxuva/8 --plies 6 --within 1 --agent alphabeta:depth=5,noise=0 --out mine.txt
  sandtable arena ntxuva/8 alphabeta greedy --openings suite:mine.txt`,
		func(cmd *cobra.Command, args []string) error {
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
			stop := cmd.Context().Err() != nil && err != nil
			if err != nil && !stop {
				return err
			}
			err = nil
			write := func(w io.Writer) error {
				return openings.Write(w, f.command(args[0], search), search.Variant, positions)
			}
			if len(positions) > 0 {
				if f.out == "" {
					err = write(a.out)
				} else {
					err = writeFile(f.out, write)
				}
			}
			if stop {
				return errors.Join(err, interruption{text: fmt.Sprintf("stopped; %d of %d openings were found and written", len(positions), f.count)})
			}
			return err
		})
	flags := cmd.Flags()
	flags.IntVar(&f.count, "count", 300, "number of openings")
	flags.IntVar(&f.plies, "plies", openings.DefaultPlies, "number of random plies per opening")
	flags.Float64Var(&f.within, "within", 0.5, "maximum absolute score in points, rounded to hundredths")
	flags.StringVar(&f.agent, "agent", "alphabeta:nodes=100000,noise=0", "agent whose search judges the openings, alphabeta or mcts")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random plies and of the agent")
	f.workers.add(cmd)
	flags.StringVar(&f.out, "out", "", "output `FILE` (default: standard output)")
	completeAgents(cmd, "agent")
	return cmd
}

// search checks the flags and returns the search that they describe.
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

// command returns a shell command that generates the same suite. If the agent uses a file
// of weights, the command contains the digest of the file instead of its name.
func (f *openingsFlags) command(variantText string, s *openings.Search) string {
	return fmt.Sprintf("sandtable openings %s --count %d --plies %d --within %s --agent %s --seed %d", shellWord(variantText), s.Count, s.Plies,
		strconv.FormatFloat(float64(s.Within)/eval.Unit, 'f', -1, 64), s.Judge, s.Seed)
}
