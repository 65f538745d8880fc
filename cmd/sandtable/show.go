package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/render"
	"github.com/sandtable-farm/sandtable/env/render/raster"
)

func (a *app) showCommand() *cobra.Command {
	var position, moves, svg, png, theme string
	width := 0
	cmd := newCommand("show VARIANT",
		"Draw a position as text, SVG or PNG",
		`Show draws a position. With --moves it first plays the move texts of a file, as replay
does, and marks the last move. --theme selects the colours of the pictures: print is for
paper, colour and dark are for screens.`,
		`  sandtable show trench/standard
  sandtable show ntxuva/basic --svg board.svg
  sandtable show tankchess/16x16 --png board.png --width 1200 --theme dark
  echo 'd1-f3 e8-d7' | sandtable show trench/standard --moves -`,
		func(_ *cobra.Command, args []string) error {
			v, s, err := stateAt(args[0], position)
			if err != nil {
				return err
			}
			if width < 0 || width > raster.MaxSide {
				return usage(fmt.Errorf("--width is %d, must be 0 to %d", width, raster.MaxSide))
			}
			number := slices.Index(render.Themes(), theme)
			if number < 0 {
				return usage(fmt.Errorf("--theme is %q, must be one of %s", theme, strings.Join(render.Themes(), ", ")))
			}
			a.warnName(v)
			o := render.Options{Width: width, Theme: render.Theme(number)}
			if moves != "" {
				err := a.playFile(v, s, position, moves, func(action env.Action) { o.Play(s, action) })
				if err != nil {
					return err
				}
			}
			for _, picture := range []struct {
				file  string
				write func(io.Writer, env.State, render.Options) error
			}{{svg, render.SVG}, {png, raster.PNG}} {
				if picture.file == "" {
					continue
				}
				if err := writeFile(picture.file, func(w io.Writer) error { return picture.write(w, s, o) }); err != nil {
					return err
				}
			}
			if svg != "" || png != "" {
				return nil
			}
			_, err = fmt.Fprint(a.out, render.Text(s, o.Last...))
			return err
		})
	positionFlag(cmd, &position)
	cmd.Flags().StringVar(&moves, "moves", "", "`FILE` of move texts to play first, - for standard input")
	cmd.Flags().StringVar(&svg, "svg", "", "write an SVG picture to this `FILE`")
	cmd.Flags().StringVar(&png, "png", "", "write a PNG picture to this `FILE`")
	cmd.Flags().StringVar(&theme, "theme", render.Themes()[render.Print], "colours of the pictures: "+strings.Join(render.Themes(), ", "))
	cmd.Flags().IntVar(&width, "width", 0, "width of the pictures in pixels, 0 for the natural width")
	return cmd
}
