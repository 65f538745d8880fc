package main

import (
	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
)

func (a *app) methodsCommand() *cobra.Command {
	var file string
	cmd := newCommand("methods",
		"Describe how the reports compute their numbers",
		`Methods describes the numbers of balance, balance --handicap and compare: for each quantity
the estimator, the interval, the assumptions and the reference; the bounds of the lights on
the first screens; and the definition of each metric. With --report it writes a page that
suits a browser, or Markdown if the name of the file ends in .md.`,
		`  sandtable methods
  sandtable methods --report methods.html`,
		func(_ *cobra.Command, args []string) error {
			write, err := reportWriter(file)
			if err != nil {
				return usage(err)
			}
			if file != "" {
				return write(report.Methods())
			}
			return report.Methods().Markdown(a.out)
		})
	cmd.Flags().StringVar(&file, "report", "", "write the page to this `FILE` instead: .html or .md")
	return cmd
}
