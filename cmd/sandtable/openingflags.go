package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/variant"
	"github.com/sandtable-farm/sandtable/selfplay"
	"github.com/sandtable-farm/sandtable/selfplay/openings"
)

const (
	openingsFlag     = "openings"
	openingPliesFlag = "opening-plies"
	startsFlag       = "starts"
)

// openingFlags are the flags that say how games begin.
type openingFlags struct {
	policy string
	plies  int
	starts string
	level  bool // the random plies of --opening-plies keep the score level
}

// add adds the flags. fallback describes the policy without the flags.
func (f *openingFlags) add(cmd *cobra.Command, fallback string) {
	flags := cmd.Flags()
	flags.StringVar(&f.policy, openingsFlag, "", "how games begin, a `POLICY`: "+openings.Usage+"; see sandtable openings --help (default: "+fallback+")")
	flags.IntVar(&f.plies, openingPliesFlag, 0, "deprecated, use --"+openingsFlag+" random:K: number of uniformly random plies at the start of each game or pair")
	if err := cmd.RegisterFlagCompletionFunc(openingsFlag, cobra.FixedCompletions(openings.Completions(), cobra.ShellCompDirectiveNoSpace)); err != nil {
		panic(err) // the flag was added above
	}
}

// addStarts adds the flag --starts.
func (f *openingFlags) addStarts(cmd *cobra.Command, what string) {
	cmd.Flags().StringVar(&f.starts, startsFlag, "", "`FILE` of position texts, one per line, from which "+what+" start in turn (default: the variant's start)")
}

// opening checks the flags and returns the opening of games of a variant. The seed decides
// the order of a suite. fallback is the policy without the flags.
func (f *openingFlags) opening(cmd *cobra.Command, v *variant.Variant, seed uint64, fallback openings.Policy) (opening selfplay.Opening, err error) {
	old := cmd.Flags().Changed(openingPliesFlag)
	policy := fallback
	switch named := cmd.Flags().Changed(openingsFlag); {
	case named && old:
		return opening, fmt.Errorf("--%s and --%s exclude each other", openingsFlag, openingPliesFlag)
	case named:
		if policy, err = openings.Parse(f.policy); err != nil {
			return opening, fmt.Errorf("--%s is %w", openingsFlag, err)
		}
	case old || f.starts != "":
		policy = openings.Start()
	}
	if policy.IsSuite() && f.starts != "" {
		return opening, fmt.Errorf("--%s and --%s suite exclude each other", startsFlag, openingsFlag)
	}
	if opening, err = policy.Opening(v, seed); err != nil {
		return opening, fmt.Errorf("--%s: %w", openingsFlag, err)
	}
	if old {
		opening = selfplay.Opening{Plies: f.plies, Balanced: f.level && f.plies > 0}
	}
	if f.starts != "" {
		if opening.Starts, err = openings.ReadFile(f.starts); err != nil {
			return opening, fmt.Errorf("--%s: %w", startsFlag, err)
		}
	}
	return opening, nil
}

// warnRepeats warns of games that can only repeat each other: the agents play the same in
// equal positions, and there are fewer openings than games or pairs. The number of games
// is 0 for a run without a fixed end.
func (a *app) warnRepeats(plan *selfplay.Plan, games int64) {
	different := plan.Different()
	if different == 0 || games > 0 && games <= different {
		return
	}
	agents := plan.Config().Agents
	a.log.Warn("the agents make no random choices, so games repeat; give an agent noise, such as alphabeta:noise=10, or use --openings sampled:8",
		"agents", agents[0].String()+" and "+agents[1].String(), "different_games", different)
}
