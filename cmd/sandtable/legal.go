package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

func (a *app) legalCommand() *cobra.Command {
	var position string
	cmd := &cobra.Command{
		Use:   "legal VARIANT",
		Short: "List the legal actions of a position",
		Long:  "Legal lists the legal actions of a position, a line each: action number, tab, move text. Sorted by number.",
		Example: `  sandtable legal trench/standard
  sandtable legal ntxuva/basic --position '1,0,1,4,1,0,3,2,2,2,5,2 2,2,2,2,2,2,2,2,2,2,2,2 s 0 0'`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			_, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(a.out)
			for _, action := range s.Legal(nil) {
				fmt.Fprintf(out, "%d\t%s\n", action, env.ActionText(s, action))
			}
			return out.Flush()
		},
	}
	positionFlag(cmd, &position)
	return cmd
}
