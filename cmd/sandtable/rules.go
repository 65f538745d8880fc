package main

import (
	"github.com/spf13/cobra"
)

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules VARIANT",
		Short: "Write a complete rule set as JSON, with its digest",
		Long: `Rules writes the complete rule set of a variant as JSON, with its digest. @FILE
reads what it writes: change a number in the file and you have a variant of your own.`,
		Example: `  sandtable rules trench/standard > my.json
  sandtable rules @my.json
  sandtable rules 'trench/standard{"target_points":20}'`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := lookup(args[0])
			if err != nil {
				return err
			}
			_, err = a.out.Write(v.Rules)
			return err
		},
	}
}
