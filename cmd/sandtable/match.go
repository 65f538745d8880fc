package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// matchFlags are the flags that decide the pairs of a match, and how they are played.
type matchFlags struct {
	pairs        int64
	openingPlies int
	starts       string
	maxPlies     int
	seed         uint64
	workers      workerFlags
	programs     programFlag
	asJSON       bool
}

const (
	defaultPairs = 500
	maxPairs     = maxEpisodes / 2

	openingPliesFlag = "opening-plies"
)

func (f *matchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int64Var(&f.pairs, "pairs", defaultPairs, "pairs of games in a match, with seats swapped")
	flags.IntVar(&f.openingPlies, openingPliesFlag, 0,
		fmt.Sprintf("begin each pair with so many random plies in which nobody gets ahead (default: the stored openings of the variant, else %d plies)", openings.DefaultPlies))
	flags.StringVar(&f.starts, "starts", "", "file of position texts, a line each, to start pairs from in turn, as sandtable openings makes it")
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "cut a game off after so many plies, which counts as a draw; 0 is no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the openings, or of their order, and of the agents")
	f.workers.add(cmd)
	f.programs.add(cmd)
	jsonFlag(cmd, &f.asJSON)
	cmd.ValidArgsFunction = completeMatch
}

// config checks the flags and returns the games of a match, without agents, and the agents.
func (f *matchFlags) config(cmd *cobra.Command, variantText string, agents []string) (config selfplay.Config, specs []agent.Spec, err error) {
	v, err := lookup(variantText)
	if err != nil {
		return config, nil, err
	}
	if f.pairs < 1 || f.pairs > maxPairs {
		return config, nil, usage(fmt.Errorf("--pairs is %d, must be 1 to %d", f.pairs, int64(maxPairs)))
	}
	if err := f.workers.check(); err != nil {
		return config, nil, err
	}
	commands, err := f.programs.commands()
	if err != nil {
		return config, nil, usage(err)
	}
	config = selfplay.Config{
		Variant: v, Opening: openings.Of(v, f.seed), MaxPlies: f.maxPlies, Seed: f.seed,
	}
	if f.starts != "" || cmd.Flags().Changed(openingPliesFlag) {
		config.Opening = selfplay.Opening{Plies: f.openingPlies, Balanced: f.openingPlies > 0}
	}
	for _, text := range agents {
		spec, err := parseLocalAgent(text, v, commands)
		if err != nil {
			return config, nil, usage(err)
		}
		specs = append(specs, spec)
	}
	if f.starts != "" {
		if config.Opening.Starts, err = readStarts(f.starts); err != nil {
			return config, nil, usage(fmt.Errorf("--starts: %w", err))
		}
	}
	return config, specs, nil
}

// matchFolder is where a match goes that was given no folder: below a folder that
// many matches share, by its variant and the id that its settings make.
func matchFolder(parent string, s *dataset.Settings) string {
	name, _, _ := strings.Cut(s.Variant, "{")
	return filepath.Join(parent, "arena-"+strings.ReplaceAll(name, "/", "-")+"-"+s.Run())
}

// parseSPRT reads elo0=…,elo1=…,alpha=…,beta=… in any order; the last two may be
// left out.
func parseSPRT(text string) (*stats.SPRT, error) {
	test := &stats.SPRT{Alpha: 0.05, Beta: 0.05}
	fields := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}
	given := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		field := fields[name]
		if field == nil || given[name] {
			return nil, fmt.Errorf("%q is not one of elo0=, elo1=, alpha=, beta=, each once", item)
		}
		given[name] = true
		var err error
		if *field, err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("%s is %q, must be a number", name, value)
		}
	}
	if !given["elo0"] || !given["elo1"] {
		return nil, fmt.Errorf("%q must give both elo0= and elo1=", text)
	}
	return test, test.Validate()
}

// completeMatch offers variants first, then agents.
func completeMatch(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeVariants(cmd, args, begun)
	}
	return agent.Names(), cobra.ShellCompDirectiveNoFileComp
}
