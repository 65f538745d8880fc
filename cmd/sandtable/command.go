package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
)

// newCommand returns a command. The words after the name in use are its positional
// arguments, which newCommand checks: "show DIR EPISODE", "rate VARIANT AGENT AGENT…",
// "games [GAME]". The shell completes a VARIANT. A nil run makes a command that only has
// subcommands.
func newCommand(use, short, long, example string, run func(*cobra.Command, []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Example: example, Args: arguments(use), RunE: run}
	if run == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if strings.Contains(use, "VARIANT") {
		cmd.ValidArgsFunction = completeVariants
	}
	return cmd
}

// arguments returns the check of the positional arguments in a usage line. Its errors name
// the expected arguments and have exit code 2.
func arguments(use string) cobra.PositionalArgs {
	names := strings.Fields(use)[1:]
	least, most := 0, len(names)
	for _, name := range names {
		if !strings.HasPrefix(name, "[") {
			least++
		}
		if strings.Contains(name, "…") {
			most = math.MaxInt
		}
	}
	expected := strings.Join(names, " ")
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage(fmt.Errorf("%s needs %s; see %s --help", cmd.CommandPath(), expected, cmd.CommandPath()))
		case len(args) <= most:
			return nil
		case cmd.HasSubCommands():
			return unknownCommand(cmd, args[0])
		case most == 0:
			return usage(fmt.Errorf("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]))
		}
		return usage(fmt.Errorf("%s takes %s, but also got %q", cmd.CommandPath(), expected, args[most]))
	}
}

// unknownCommand is the error of a word that is not a command below cmd.
func unknownCommand(cmd *cobra.Command, word string) error {
	path := cmd.CommandPath()
	if topicOf(word) != nil && !cmd.HasParent() {
		return usage(fmt.Errorf("%q is not a command of %s; did you mean %s help %s?", word, path, path, word))
	}
	if near := commandLike(cmd, word); near != "" {
		return usage(fmt.Errorf("%q is not a command of %s%s", word, path, suggestion(near)))
	}
	return usage(fmt.Errorf("%q is not a command of %s; see %s --help", word, path, path))
}
