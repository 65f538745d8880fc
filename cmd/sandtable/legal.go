package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
)

func (a *app) legalCommand() *cobra.Command {
	var position string
	var asJSON bool
	cmd := newCommand("legal VARIANT",
		"List the legal actions of a position",
		"Legal prints one line per legal action of a position, sorted by action number: the number, a tab, the move text.",
		`  sandtable legal trench/standard
  sandtable legal ntxuva/basic --position '1,0,1,4,1,0,3,2,2,2,5,2 2,2,2,2,2,2,2,2,2,2,2,2 s 0 0'`,
		func(_ *cobra.Command, args []string) error {
			_, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			moves := []moveJSON{}
			for _, action := range s.Legal(nil) {
				moves = append(moves, moveJSON{action, env.ActionText(s, action)})
			}
			if asJSON {
				return writeJSON(a.out, map[string]any{"moves": moves})
			}
			out := bufio.NewWriter(a.out)
			for _, move := range moves {
				fmt.Fprintf(out, "%d\t%s\n", move.Action, move.Move)
			}
			return out.Flush()
		})
	positionFlag(cmd, &position)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// moveJSON is a legal action in the output of legal --json.
type moveJSON struct {
	Action env.Action `json:"action"`
	Move   string     `json:"move"`
}
