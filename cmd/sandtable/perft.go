package main

import (
	"context"
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
			if depth == 0 {
				result.Count = 1
			} else if err := a.perft(cmd.Context(), v.Game, s, &result); err != nil {
				return err
			}
			if !split {
				result.Split = nil
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

// perft counts the sequences of each first move, and shows its progress.
func (a *app) perft(ctx context.Context, game env.Game, s env.State, result *perftJSON) error {
	bar := a.newProgressOf("first moves", "counting", int64(len(s.Legal(nil))))
	defer bar.end()
	finished := env.PerftEach(game, s, result.Depth, ctx.Done(), func(move env.PerftMove) {
		result.Count += move.Count
		result.Split = append(result.Split, splitJSON{env.ActionText(s, move.Action), move.Count})
		bar.show(int64(len(result.Split)), 0)
	})
	if !finished {
		return interruption{text: fmt.Sprintf("stopped after %s of depth %d", plural(len(result.Split), "first move"), result.Depth)}
	}
	return nil
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
