package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/games"
	"github.com/sandtable-farm/sandtable/env/variant"
)

// lookup resolves a variant string; the name of a game stands for its default variant. A
// wrong string is a usage error, which suggests a similar one.
func lookup(text string) (*variant.Variant, error) {
	name, patch := text, ""
	if i := strings.IndexByte(text, '{'); i >= 0 {
		name, patch = text[:i], text[i:]
	}
	for _, engine := range games.Engines() {
		if name == engine.Name {
			name = engine.PresetNames()[0]
		}
	}
	v, err := games.Lookup(name + patch)
	if err != nil {
		return nil, usage(fmt.Errorf("%w%s", err, suggestion(variantLike(text))))
	}
	return v, nil
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
