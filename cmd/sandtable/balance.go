package main

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func (a *app) balanceCommand() *cobra.Command {
	var unit string
	var output reportFlags
	var others againstFlags
	var handicaps handicapFlags
	cmd := newCommand("balance [DIR…]",
		"Report first-move advantage and piece values from data sets",
		`Balance analyses the games of one or more data sets with the same rules. It answers in one
screen whether the game is fair and what the pieces are worth, and says what to try next.
--full adds all numbers: the score of each side, the value of a piece of each type, what
each type captures and loses, and how long it survives. Every number has a 95 % confidence
interval and its sample size; a number that cannot be estimated is reported as such. --json
and --report add maps of where pieces stand, capture and die. A report is one HTML file
with figures, or Markdown if its name ends in .md; sandtable methods explains the methods.

The numbers describe how the agents of these games play. Values are correlations: a side
with an extra piece may also be better off in ways the counts do not show.

--against compares the results of the seats with those of external games, for example
games between people, and tests whether they differ.

--handicap VARIANT plays an experiment that measures causes. In each game one side starts
without one piece of a type, or with a changed attribute of a type; each side has the
handicap equally often, and the same agent plays both sides. The report gives the score
that each handicap costs, that cost in units of a missing piece, and whether the values
by regression agree. The regression uses the data sets DIR… with the same rules, or
control games with unchanged rules that the experiment plays. Each experiment has
a folder, and the same command resumes it. With the defaults it takes one to three
minutes on two cores, and longer on 20x20 boards. The attributes that can differ between
the sides are speed, armour and power in Tank Chess, and longest_move in Trench.`,
		`  sandtable balance runs/my-run
  sandtable balance runs/my-run runs/another-seed --unit Soldier
  sandtable balance runs/my-run --report balance.html
  sandtable balance runs/my-run --json | jq .values.phases[0].types
  sandtable balance runs/my-run --against 6343,925,6533 --against-name BrainKing
  sandtable balance --handicap trench/standard --report handicaps.html
  sandtable balance --handicap tankchess/16x16 --type "Light Tank" --change removed,speed-1,speed+1,speed+2 --pairs 1000
  sandtable balance --handicap ntxuva/basic runs/my-run --pairs 2000`,
		func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && handicaps.variant == "" {
				return usage(errors.New("sandtable balance needs DIR…, or --handicap VARIANT; see sandtable balance --help"))
			}
			if err := output.check(); err != nil {
				return usage(err)
			}
			against, err := others.results(cmd)
			if err != nil {
				return usage(err)
			}
			if cmd.Flags().Changed(handicapFlag) {
				return a.balanceHandicaps(cmd, args, &handicaps, unit, &output)
			}
			if err := handicaps.unused(cmd); err != nil {
				return err
			}
			var sources []balance.Source
			episodes := int64(0)
			for _, dir := range args {
				s, err := balance.Open(dir)
				if err != nil {
					return badData(err)
				}
				sources = append(sources, s)
				episodes += s.Count
			}
			bar := a.newProgress("counting", episodes)
			r, err := balance.Analyze(cmd.Context(), sources, balance.Options{Unit: unit, Goroutines: runtime.GOMAXPROCS(0), Against: against, Progress: bar.show})
			bar.end()
			switch {
			case errors.Is(err, balance.ErrSources), errors.Is(err, balance.ErrResults), errors.Is(err, balance.ErrUnit):
				return usage(err)
			case err != nil:
				return badData(err)
			}
			return a.publish(report.Balance(r), report.BalanceJSON(r), &output)
		})
	output.add(cmd)
	others.add(cmd)
	handicaps.add(cmd)
	cmd.Flags().StringVar(&unit, "unit", "", "piece type whose value is 1, by name or symbol (default: the most frequent type at the start)")
	return cmd
}
