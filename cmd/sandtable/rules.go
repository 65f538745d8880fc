package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) rulesCommand() *cobra.Command {
	var check, asJSON, asText bool
	cmd := newCommand("rules VARIANT",
		"Print a complete rule set as JSON, explain how to play it, or check one",
		`Rules prints the complete rule set of a variant as JSON, with its digest. The variant
@FILE reads a file in this format: edit the file to define a custom variant.

With --text, rules explains how to play: the game, each piece and the ends of the variant,
and how its rules differ from the default ones.

With --check, rules reads a file (FILE, @FILE, or - for standard input) or a variant and
explains it. It reports all errors with line and column, then warns about settings that
are valid but probably not intended, then lists the differences from the nearest preset.
It exits with code 3 if there are errors, and 0 if there are only warnings.`,
		`  sandtable rules trench/standard > my.json
  sandtable rules trench/standard --text
  sandtable rules --check my.json
  sandtable rules @my.json
  sandtable rules 'trench/standard{"target_points":20}'`,
		func(_ *cobra.Command, args []string) error {
			if asText && (check || asJSON) {
				return usage(errors.New("--text excludes --check and --json"))
			}
			if check {
				return a.check(args[0], asJSON)
			}
			if asJSON {
				return usage(errors.New("--json needs --check; without --check, rules always prints JSON"))
			}
			v, err := lookup(args[0])
			if err != nil {
				return err
			}
			if asText {
				return writeHowToPlay(a.out, v)
			}
			_, err = a.out.Write(v.Rules)
			return err
		})
	cmd.Flags().BoolVar(&check, "check", false, "validate and explain the rule set")
	cmd.Flags().BoolVar(&asText, "text", false, "explain how to play")
	jsonFlag(cmd, &asJSON)
	return cmd
}
