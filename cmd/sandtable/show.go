package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env/render"
)

func (a *app) showCommand() *cobra.Command {
	var position, svg string
	cmd := &cobra.Command{
		Use:   "show VARIANT",
		Short: "Draw a position as text or SVG",
		Example: `  sandtable show trench/standard
  sandtable show ntxuva/basic --svg board.svg`,
		Args:              exactArgs("a VARIANT"),
		ValidArgsFunction: completeVariants,
		RunE: func(_ *cobra.Command, args []string) error {
			_, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			if svg == "" {
				_, err = fmt.Fprint(a.out, render.Text(s))
				return err
			}
			return writeFile(svg, func(w io.Writer) error { return render.SVG(w, s, render.Options{}) })
		},
	}
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&svg, "svg", "", "write an SVG picture to this file")
	return cmd
}
