package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// lookup resolves a variant string. A wrong string is a usage error.
func lookup(text string) (*variant.Variant, error) {
	v, err := games.Lookup(text)
	return v, usage(err)
}

// warnName warns if a file of rules has the name of a preset, under which its games would
// be recorded.
func (a *app) warnName(v *variant.Variant) {
	if v.TakesName() {
		a.log.Warn("the rules differ from the preset of the same name; change or remove the name in the file", "name", v.Name, "digest", v.Digest)
	}
}

// positionFlag adds --position to a command.
func positionFlag(cmd *cobra.Command, position *string) {
	cmd.Flags().StringVar(position, "position", "", "position text to start from (default: the variant's start)")
}

// stateAt returns the variant of a variant string, and a state at the given position text.
// An empty position text means the start.
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

// running returns an error if the game is over in s.
func running(s env.State) error {
	if result, reason := s.Result(); reason != env.NoReason {
		return usage(fmt.Errorf("the game is over in this position: %s, %s", winner(result, reason), reason))
	}
	return nil
}

// winner returns the text of a result, "none" if the game is not over.
func winner(result env.Result, reason env.Reason) string {
	if reason == env.NoReason {
		return "none"
	}
	return result.String()
}

// completeVariants completes the names of presets.
func completeVariants(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return games.Presets(), cobra.ShellCompDirectiveDefault
}
