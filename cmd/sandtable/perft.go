package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

// maxDepth is far beyond any depth that can be counted in practice.
const maxDepth = 100

func (a *app) perftCommand() *cobra.Command {
	var position string
	var depth int
	var split, asJSON bool
	cmd := newCommand("perft VARIANT",
		"Count the move sequences of a given depth",
		`Perft counts the sequences of --depth legal actions from a position. The last line is
the count. --split first prints a line MOVE COUNT for each first move, in order of
action number.`,
		`  sandtable perft trench/standard --depth 4
  sandtable perft ntxuva/basic --depth 3 --split`,
		func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("depth") {
				return usage(errors.New("perft needs --depth N"))
			}
			if depth < 0 || depth > maxDepth {
				return usage(fmt.Errorf("--depth is %d, must be 0 to %d", depth, maxDepth))
			}
			v, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			result := perftJSON{Depth: depth}
			if split && depth > 0 {
				for _, move := range env.PerftSplit(v.Game, s, depth) {
					result.Count += move.Count
					result.Split = append(result.Split, splitJSON{env.ActionText(s, move.Action), move.Count})
				}
			} else {
				result.Count = env.Perft(v.Game, s, depth)
			}
			if asJSON {
				return writeJSON(a.out, result)
			}
			for _, first := range result.Split {
				fmt.Fprintf(a.out, "%s %d\n", first.Move, first.Count)
			}
			_, err = fmt.Fprintln(a.out, result.Count)
			return err
		})
	positionFlag(cmd, &position)
	cmd.Flags().IntVar(&depth, "depth", 0, "number of plies")
	cmd.Flags().BoolVar(&split, "split", false, "also count the sequences of each first move")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// perftJSON is the output of perft --json.
type perftJSON struct {
	Depth int         `json:"depth"`
	Count uint64      `json:"count"`
	Split []splitJSON `json:"split,omitempty"`
}

type splitJSON struct {
	Move  string `json:"move"`
	Count uint64 `json:"count"`
}
