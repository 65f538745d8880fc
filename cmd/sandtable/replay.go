package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

func (a *app) replayCommand() *cobra.Command {
	var position, moves string
	var asJSON bool
	cmd := newCommand("replay VARIANT",
		"Play move texts and print the final position",
		`Replay plays move texts separated by white space. It reads them from standard input, or
from the file that --moves names. It also reads games written by dataset show and play.
In these, lines that start with [ are headers; replay ignores move numbers such as 12. and
text in braces. The header Digest must match VARIANT, and the header Start sets the start
position. Replay prints three lines:

  result: first|second|draw|none
  reason: why the game ended, or none if it is not over
  position: the position text

The result of a resigned or forfeited game is none, because its moves do not end it.`,
		`  echo 'd1-f3 e8-d7' | sandtable replay trench/standard
  sandtable replay ntxuva/basic --moves game.txt
  sandtable dataset show runs/my-run 17 | sandtable replay trench/standard`,
		func(_ *cobra.Command, args []string) error {
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
		})
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&moves, "moves", "", "`FILE` of move texts (default: standard input)")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// replayJSON is the output of replay --json.
type replayJSON struct {
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	Position string `json:"position"`
}
