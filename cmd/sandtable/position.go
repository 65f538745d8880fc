package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// lookup resolves a variant string; a wrong one is the user's.
func lookup(text string) (*variant.Variant, error) {
	v, err := games.Lookup(text)
	return v, usage(err)
}

// positionFlag adds --position to a command.
func positionFlag(cmd *cobra.Command, position *string) {
	cmd.Flags().StringVar(position, "position", "", "position text to begin with (default: the start of the variant)")
}

// stateAt returns the rule set of a variant string and a state of it at a position
// text, or at the start where that is empty.
func stateAt(text, position string) (*variant.Variant, env.State, error) {
	v, err := lookup(text)
	if err != nil {
		return nil, nil, err
	}
	s := env.NewState(v.Game)
	if position == "" {
		return v, s, nil
	}
	if err := s.SetPosition(position); err != nil {
		return nil, nil, usage(err)
	}
	return v, s, nil
}

// running refuses a position in which the game is over.
func running(s env.State) error {
	if result, reason := s.Result(); reason != env.NoReason {
		return usage(fmt.Errorf("the game is over in this position: %s, %s", winner(result, reason), reason))
	}
	return nil
}

// winner names a result, none while the game runs.
func winner(result env.Result, reason env.Reason) string {
	if reason == env.NoReason {
		return "none"
	}
	return result.String()
}

// completeVariants offers the presets to the shell.
func completeVariants(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return games.Presets(), cobra.ShellCompDirectiveDefault
}
