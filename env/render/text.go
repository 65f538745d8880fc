package render

import (
	"fmt"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
)

// Text returns the board of s with coordinates, a legend and captions. Each line ends
// in a newline. Capital letters are the first player's pieces. last lists the events of
// the last ply, which the board marks; it may be empty. If s does not implement
// env.Diagrammer, Text returns its position text.
func Text(s env.State, last ...env.Event) string {
	drawer, ok := s.(env.Diagrammer)
	if !ok {
		return env.PositionText(s) + "\n"
	}
	var d env.Diagram
	drawer.Diagram(&d)
	var out strings.Builder
	if d.Squares {
		textSquares(&out, &d, last)
	} else {
		textHouses(&out, &d)
	}
	for _, line := range d.Caption {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

// textHouses writes a row of house names and a row of seed counts for each row of
// houses. The names are on the outer side.
func textHouses(out *strings.Builder, d *env.Diagram) {
	for y := d.Height - 1; y >= 0; y-- {
		row := d.Cells[y*d.Width : (y+1)*d.Width]
		names, counts := " ", " "
		for _, c := range row {
			names += fmt.Sprintf(" %4s ", c.Label)
			counts += fmt.Sprintf(" [%3s]", seedCount(c.Count))
		}
		names = strings.TrimRight(names, " ")
		if 2*y >= d.Height {
			fmt.Fprintf(out, "%s\n%s\n", names, counts)
		} else {
			fmt.Fprintf(out, "%s\n%s\n", counts, names)
		}
		if 2*y == d.Height {
			fmt.Fprintf(out, "  %s\n", strings.Repeat("-", 6*d.Width-1))
		}
	}
	out.WriteByte('\n')
}

func seedCount(n int) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}
