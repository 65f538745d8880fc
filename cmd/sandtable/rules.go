package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) rulesCommand() *cobra.Command {
	var check, asJSON bool
	cmd := &cobra.Command{
		Use:   "rules VARIANT",
		Short: "Write a complete rule set as JSON, with its digest, or check one",
		Long: `Rules writes the complete rule set of a variant as JSON, with its digest. @FILE
reads what it writes: change a number in the file and you have a variant of your own.

With --check it reads a file (FILE, @FILE, - for standard input) or a variant and
explains it: every error at once with its line and column, then warnings of what is
allowed but seldom meant, then how it differs from the nearest preset. Errors give exit
code 3, warnings alone 0.`,
		Example: `  sandtable rules trench/standard > my.json
  sandtable rules --check my.json
  sandtable rules @my.json
  sandtable rules 'trench/standard{"target_points":20}'`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			if check {
				return a.check(args[0], asJSON)
			}
			if asJSON {
				return usage(errors.New("--json belongs to --check; without it rules writes JSON anyway"))
			}
			v, err := lookup(args[0])
			if err != nil {
				return err
			}
			_, err = a.out.Write(v.Rules)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "validate and explain instead")
	jsonFlag(cmd, &asJSON)
	return cmd
}
