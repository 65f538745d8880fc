package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

func (a *app) replayCommand() *cobra.Command {
	var position, moves string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay VARIANT",
		Short: "Play move texts and tell where they lead",
		Long: `Replay plays move texts separated by white space, from standard input unless
--moves names a file. It reads games as dataset show and play write them, too: lines that
begin with [ are headers, of which Digest must be that of VARIANT and Start sets the position
up; words such as 12. and what stands in braces do not count. It ends with three lines:

  result: first|second|draw|none
  reason: why the game ended, none while it runs
  position: the position text
By its moves alone a game that was resigned or forfeited still runs.`,
		Example: `  echo 'd1-f3 e8-d7' | sandtable replay trench/standard
  sandtable replay ntxuva/basic --moves game.txt
  sandtable dataset show runs/my-run 17 | sandtable replay trench/standard`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			v, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			if moves == "" {
				moves = standardInput
			}
			if err := a.playFile(v, s, position, moves, s.Apply); err != nil {
				return err
			}
			result, reason := s.Result()
			end := replayJSON{winner(result, reason), reason.String(), env.PositionText(s)}
			if asJSON {
				return writeJSON(a.out, end)
			}
			_, err = fmt.Fprintf(a.out, "result: %s\nreason: %s\nposition: %s\n", end.Result, end.Reason, end.Position)
			return err
		},
	}
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&moves, "moves", "", "file of move texts (default: standard input)")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// replayJSON is the output of replay --json.
type replayJSON struct {
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	Position string `json:"position"`
}
