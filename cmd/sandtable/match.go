package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/dataset/stats"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/agent"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

// matchFlags are the flags that determine the pairs of a match and how they are played.
type matchFlags struct {
	pairs    int64
	opening  openingFlags
	maxPlies int
	seed     uint64
	workers  workerFlags
	programs programFlag
	asJSON   bool

	labels agentLabels // set by config
}

const (
	defaultPairs = 500
	maxPairs     = maxEpisodes / 2
)

func (f *matchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int64Var(&f.pairs, "pairs", defaultPairs, "number of pairs of games per match; seats are swapped within a pair")
	f.opening.level = true
	f.opening.add(cmd, fmt.Sprintf("suite, or sampled:%d for a variant without one", openings.DefaultPlies))
	f.opening.addStarts(cmd, "pairs")
	flags.IntVar(&f.maxPlies, "max-plies", selfplay.DefaultMaxPlies, "truncate a game after this many plies and count it as a draw; 0 means no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the openings (or of their order) and of the agents")
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
	config = selfplay.Config{Variant: v, MaxPlies: f.maxPlies, Seed: f.seed}
	if config.Opening, err = f.opening.opening(cmd, v, f.seed, openings.OfMatch(v)); err != nil {
		return config, nil, usage(err)
	}
	f.labels = agentLabels{}
	for _, text := range agents {
		spec, err := f.labels.parse(text, func(text string) (agent.Spec, error) { return parseLocalAgent(text, v, commands) })
		if err != nil {
			return config, nil, usage(err)
		}
		specs = append(specs, spec)
	}
	return config, specs, nil
}

// matchFolder returns the default folder of a match: a folder in parent that is named
// for the variant and the id of the settings.
func matchFolder(parent string, s *dataset.Settings) string {
	return runFolder(parent, "arena", s.Variant, s.Run())
}

// withPairs returns the command line of a match with another number of pairs.
func withPairs(cmd *cobra.Command, args []string, pairs int64) string {
	words := append([]string{"sandtable", cmd.Name()}, args...)
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if slices.Contains([]string{"pairs", "full", "verbose", "log-format"}, flag.Name) {
			return
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+flag.Name+"="+value) // a switch needs the sign
		}
	})
	words = append(words, "--pairs", strconv.FormatInt(pairs, 10))
	for i := range words {
		words[i] = shellWord(words[i])
	}
	return strings.Join(words, " ")
}

// parseSPRT parses elo0=…,elo1=…,alpha=…,beta=… in any order. alpha and beta are
// optional; their default is 0.05.
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
		return nil, fmt.Errorf("%q must contain both elo0= and elo1=", text)
	}
	return test, test.Validate()
}

// completeMatch completes a variant as the first argument and agents as the others.
func completeMatch(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeVariants(cmd, args, begun)
	}
	return agent.Names(), cobra.ShellCompDirectiveNoFileComp
}
