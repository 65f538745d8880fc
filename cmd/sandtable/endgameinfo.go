package main

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/dashboards/report"
	"github.com/sandtable-farm/sandtable/selfplay/tablebase"
)

// tableJSON is the output of endgame info --json. All counts are numbers of positions.
type tableJSON struct {
	File      string     `json:"file"`
	Variant   string     `json:"variant"`
	Rules     string     `json:"rules"` // digest
	Table     string     `json:"table"` // digest
	Seeds     int        `json:"seeds"` // per player: the table is complete up to this number
	Positions uint64     `json:"positions"`
	Longest   uint64     `json:"longest_plies"`
	Sides     []sideJSON `json:"sides"`
}

// sideJSON describes the positions in which the player to move has ToMove seeds and
// the opponent has Other.
type sideJSON struct {
	ToMove  int    `json:"seeds_to_move"`
	Other   int    `json:"seeds_other"`
	Won     uint64 `json:"won"`
	Drawn   uint64 `json:"drawn"`
	Lost    uint64 `json:"lost"`
	Longest uint64 `json:"longest_plies"`
}

func describeTable(file string, table *tablebase.Table) tableJSON {
	v := table.Variant()
	d := tableJSON{File: file, Variant: v.Name, Rules: v.Digest, Table: table.Digest(), Seeds: table.Seeds(), Sides: []sideJSON{}}
	add := func(own, other int, c tablebase.Count) {
		d.Sides = append(d.Sides, sideJSON{own, other, c.Won, c.Drawn, c.Lost, c.Longest})
		d.Positions += c.Won + c.Drawn + c.Lost
		d.Longest = max(d.Longest, c.Longest)
	}
	for _, p := range table.Pairs() {
		add(p.Few, p.Many, p.FewToMove)
		if p.Few != p.Many {
			add(p.Many, p.Few, p.ManyToMove)
		}
	}
	return d
}

func (d *tableJSON) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: endgames of %s, complete up to %d seeds per player\n", d.File, d.Variant, d.Seeds)
	fmt.Fprintf(out, "%s positions; the longest win or loss takes %d plies\nrules %s\ntable %s\n\n", report.Count(int64(d.Positions)), d.Longest, d.Rules, d.Table)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "seeds\tagainst\tto move wins\tdrawn\tloses\tlongest\t")
	for _, s := range d.Sides {
		fmt.Fprintf(table, "%d\t%d\t%s\t%s\t%s\t%d\t\n", s.ToMove, s.Other,
			report.Count(int64(s.Won)), report.Count(int64(s.Drawn)), report.Count(int64(s.Lost)), s.Longest)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return out.Flush()
}

// writeTable prints the summary of a table.
func (a *app) writeTable(file string, asJSON bool) error {
	return withTable(file, func(table *tablebase.Table) error {
		d := describeTable(file, table)
		if asJSON {
			return writeJSON(a.out, d)
		}
		return d.write(a.out)
	})
}

func (a *app) endgameInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("info FILE",
		"Summarise an endgame table",
		"",
		`  sandtable endgame info four.table`,
		func(_ *cobra.Command, args []string) error { return a.writeTable(args[0], asJSON) })
	jsonFlag(cmd, &asJSON)
	return cmd
}

const (
	defaultSamples = 100_000
	sampleSeed     = 1
)

func (a *app) endgameVerifyCommand() *cobra.Command {
	var samples int
	cmd := newCommand("verify FILE",
		"Verify an endgame table",
		`Verify compares all values with their checksums. For random positions, it also lets the
engine play each legal action and checks that the value of the position agrees with those
of its successors. It exits with code 3 if it finds a fault.`,
		`  sandtable endgame verify four.table --samples 1000000`,
		func(cmd *cobra.Command, args []string) error {
			if samples < 0 {
				return usage(fmt.Errorf("--samples is %d, must be 0 or more", samples))
			}
			return withTable(args[0], func(table *tablebase.Table) error {
				d := describeTable(args[0], table)
				bar := a.newProgressOf("positions", "verifying", int64(d.Positions))
				err := table.Verify(cmd.Context(), samples, sampleSeed, func(done, _ int64) { bar.show(done, 0) })
				bar.end()
				if err != nil {
					return badTable(fmt.Errorf("%s: %w", args[0], err))
				}
				_, err = fmt.Fprintf(a.out, "%s: the checksums of %s positions match; %s positions agree with their successors\n",
					args[0], report.Count(int64(d.Positions)), report.Count(int64(samples)))
				return err
			})
		})
	cmd.Flags().IntVar(&samples, "samples", defaultSamples, "number of random positions to check against their successors")
	return cmd
}
