package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
	"github.com/sandtable-farm/sandtable/dataset/handicap"
)

func (a *app) balanceCommand() *cobra.Command {
	var unit string
	var output reportFlags
	var others againstFlags
	var handicaps handicapFlags
	var from string
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

--handicap-from DIR puts the worths of an experiment of --handicap beside those of the
games. Both are the score of the side that has one piece more: in the experiment nothing
else differs, while in ordinary games such a side often stands better too.

--against compares the results of the seats with those of external games, for example
games between people, and tests whether they differ.

--handicap VARIANT plays an experiment that measures causes. In each game one side starts
without one piece of a type, or with a changed attribute of a type; each side has the
handicap equally often, and the same agent plays both sides. The report gives the score
that each handicap costs, that cost in units of a missing piece, and whether the values
by regression agree. --until ±0.3 plays until each worth is known to 0.3 units, and ±2%
until each loss is known to 2 points of 100. --change removed,last also measures the last
piece of each type. --budgets 500,2000 says whether a stronger agent loses more or less. The regression uses the data sets DIR… with the same rules, or
control games with unchanged rules that the experiment plays. Each experiment has
a folder, and the same command resumes it. With the defaults it takes two to six
minutes on two cores, and longer on 20x20 boards. The attributes that can differ between
the sides are speed, armour and power in Tank Chess, and longest_move in Trench.`,
		`  sandtable balance runs/my-run
  sandtable balance runs/my-run runs/another-seed --unit Soldier
  sandtable balance runs/my-run --report balance.html
  sandtable balance runs/my-run --json | jq .values.phases[0].types
  sandtable balance runs/my-run --against 6343,925,6533 --against-name BrainKing
  sandtable balance --handicap trench/standard --report handicaps.html
  sandtable balance --handicap tankchess/16x16 --type "Light Tank" --change removed,speed-1,speed+1,speed+2 --pairs 1000
  sandtable balance --handicap trench/standard --type General,Colonel --until ±2%
  sandtable balance --handicap trench/standard --budgets 500,2000
  sandtable balance runs/my-run --handicap-from runs/my-experiment
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
				if from != "" {
					return usage(fmt.Errorf("--%s is for data sets, not for --%s", handicapFromFlag, handicapFlag))
				}
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
			worth, err := worthFrom(cmd.Context(), from, sources)
			if err != nil {
				return err
			}
			if unit == "" && worth != nil {
				if unit, err = handicap.UnitOf(worth); err != nil {
					return badData(err)
				}
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
			if worth == nil {
				return a.publish(report.Balance(r), report.BalanceJSON(r), &output)
			}
			worth.Control, worth.Unit = r, unit
			h, err := handicap.Analyze(worth)
			if err != nil {
				return usage(err)
			}
			return a.publish(report.BalanceWorth(r, h), report.BalanceWorthJSON(r, h), &output)
		})
	output.add(cmd)
	others.add(cmd)
	handicaps.add(cmd)
	cmd.Flags().StringVar(&from, handicapFromFlag, "", "folder of an experiment of --handicap: show its worths beside those of the data sets (default: that of the data set, if it is the control of one)")
	cmd.Flags().StringVar(&unit, "unit", "", "piece type whose value is 1, by name or symbol (default: the most frequent type at the start)")
	return cmd
}
