package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/dataset/balance"
)

func (a *app) balanceCommand() *cobra.Command {
	var asJSON bool
	var unit, file string
	var others againstFlags
	var handicaps handicapFlags
	cmd := &cobra.Command{
		Use:   "balance DIR…",
		Short: "Tell from data sets how the seats and the types of pieces are balanced",
		Long: `Balance tells what the games of data sets of one rule set say of its balance: what
the seats are worth, what a piece of each type is worth, what types of pieces do and
suffer and how long they live. Every number has its 95 % interval and what it rests
on; where nothing can be told it says so. With --json and --report it also tells where
pieces stand, kill and die, and a report says what the numbers mean and how they are
made: as one HTML file with figures, or as Markdown where its name ends in .md.

It describes how the agents of these games play. Values are associations in such
games: who is ahead in a type may be ahead in more than counts show.

With --against it tells the results of the seats beside those of games from elsewhere,
such as of people, with a test whether they differ.

With --handicap VARIANT it plays an experiment that tells causes: games in which one
side begins without one piece of a type, or has an attribute of a type changed, each
side as often, both played by the same agent. It tells what score a handicap costs,
what that is in units of a missing piece, and whether the values by regression agree,
which come from the data sets DIR… of the same rules or, without any, from games of the
unchanged rules that it plays as well. An experiment is a folder, which the same command
resumes; with the defaults it takes one to three minutes on two cores, of 20x20 boards
more. One side can have attributes apart of types in Tank Chess (speed, armour, power)
and of ranks in Trench (longest_move).`,
		Example: `  sandtable balance runs/my-run
  sandtable balance runs/my-run runs/another-seed --unit Soldier
  sandtable balance runs/my-run --report balance.html
  sandtable balance runs/my-run --json | jq .values.phases[0].types
  sandtable balance runs/my-run --against 6343,925,6533 --against-name BrainKing
  sandtable balance --handicap trench/standard --report handicaps.html
  sandtable balance --handicap tankchess/16x16 --type "Light Tank" --change removed,speed-1,speed+1,speed+2 --pairs 1000
  sandtable balance --handicap ntxuva/basic runs/my-run --pairs 2000`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && handicaps.variant == "" {
				return usage(errors.New("sandtable balance needs a DIR, or --handicap VARIANT; see sandtable balance --help"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := reportWriter(file)
			if err != nil {
				return usage(err)
			}
			against, err := others.results(cmd)
			if err != nil {
				return usage(err)
			}
			if cmd.Flags().Changed(handicapFlag) {
				return a.balanceHandicaps(cmd, args, &handicaps, unit, write, asJSON)
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
			return a.tell(report.Balance(r), report.BalanceJSON(r), write, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().StringVar(&file, "report", "", "file to write a report to as well: .html or .md")
	others.add(cmd)
	handicaps.add(cmd)
	cmd.Flags().StringVar(&unit, "unit", "", "piece type that is worth 1, by name or symbol (default the most frequent one at the start)")
	return cmd
}

// tell writes a report to a file, where one is wanted, and to standard output, as JSON or
// as text, whatever becomes of the file.
func (a *app) tell(page *report.Page, data any, write func(*report.Page) error, asJSON bool) error {
	err := write(page)
	if asJSON {
		return errors.Join(err, writeJSON(a.out, data))
	}
	return errors.Join(err, page.Text(a.out))
}

// reportWriter returns what writes a page to a file, whole or not at all, in the form
// that the end of its name says; without a file it writes nothing.
func reportWriter(file string) (func(*report.Page) error, error) {
	form := (*report.Page).HTML
	switch filepath.Ext(file) {
	case ".html":
	case ".md":
		form = (*report.Page).Markdown
	default:
		if file != "" {
			return nil, fmt.Errorf("--report is %q, must end in .html or .md", file)
		}
		return func(*report.Page) error { return nil }, nil
	}
	if err := checkFile(file); err != nil {
		return nil, fmt.Errorf("--report: %w", err)
	}
	return func(p *report.Page) error {
		return writeFile(file, func(w io.Writer) error { return form(p, w) })
	}, nil
}
