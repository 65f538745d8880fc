package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render"
)

func (a *app) showCommand() *cobra.Command {
	var position, moves, svg string
	cmd := newCommand("show VARIANT",
		"Draw a position as text or SVG",
		`Show draws a position. With --moves it first plays the move texts of a file, as replay
does, and marks the last move.`,
		`  sandtable show trench/standard
  sandtable show ntxuva/basic --svg board.svg
  echo 'd1-f3 e8-d7' | sandtable show trench/standard --moves -`,
		func(_ *cobra.Command, args []string) error {
			v, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			a.warnName(v)
			var last []env.Event
			if moves != "" {
				err := a.playFile(v, s, position, moves, func(action env.Action) { last = trace(s, action, last[:0]) })
				if err != nil {
					return err
				}
			}
			if svg == "" {
				_, err = fmt.Fprint(a.out, render.Text(s, last...))
				return err
			}
			return writeFile(svg, func(w io.Writer) error { return render.SVG(w, s, render.Options{Last: last}) })
		})
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&moves, "moves", "", "`FILE` of move texts to play first, - for standard input")
	cmd.Flags().StringVar(&svg, "svg", "", "write an SVG picture to this `FILE`")
	return cmd
}
